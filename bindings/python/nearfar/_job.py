# SPDX-License-Identifier: BSD-3-Clause
"""A solve in flight."""

import os
from collections.abc import Callable, Generator
from typing import Any

from ._types import Progress


class Job:
    """One solve, from submit on. The arrays of the solve must not change before it has ended.

    `await job` is `job.wait()` without blocking the event loop, and without a thread of its own.
    """

    __slots__ = ("_native", "_result")

    def __init__(self, native, result) -> None:
        self._native = native
        self._result = result  # a function, until it has been called

    def ready(self) -> bool:
        """Whether all tasks have ended, even with an error."""
        return self._native.ready()

    def wait(self) -> Any:
        """Waits, and returns the result: an array, or a Field of several outputs.

        Raises the first error of this solve, and only of it. Ctrl-C cancels the solve and raises KeyboardInterrupt.
        """
        self._native.wait()
        if callable(self._result):
            self._result = self._result()
        return self._result

    def cancel(self) -> None:
        """Ends the solve early: tasks that have not begun do nothing, and wait() raises ValueError."""
        self._native.cancel()

    def then(self, callback: Callable[[], object]) -> None:
        """Calls callback() once the solve has ended: at once if it has, else in another thread."""
        self._native.then(_called(callback, "callback"))

    def on_progress(self, callback: Callable[[float], object]) -> None:
        """Calls callback(fraction) with the fraction of tasks that have ended, in (0, 1], as the solve goes on.

        In other threads, one call at a time, on each percent at most, in increasing order; last with 1, once the result
        is complete, or at once with 1 if it is already. Never after wait() has returned. What it raises ends the solve
        and comes from wait(). It must not wait for a job. A job has one such callback: ValueError for a second one.
        """
        self._native.on_progress(_called(callback, "callback"))

    def report(self) -> dict[str, Any]:
        """Waits, and tells how the solve ran: seconds, tasks, workers, sampled_error, stages, and so on.

        energy: half the sum of charge times potential; of all ranks; where there is one (docs/conventions.md). virial:
        if the plan was made with virial=True.
        """
        return self._native.report()

    def write_dag(self, path: str | os.PathLike[str]) -> None:
        """Writes the graph of tasks in the DOT language.

        Raises TypeError for what is no name of a file, and ValueError for one that cannot be written.
        """
        try:
            name = os.fsdecode(path)
        except TypeError:
            raise TypeError(f"path is {path!r}; pass the name of a file") from None
        self._native.write_dag(name)

    def __await__(self) -> Generator[Any, None, Any]:
        import asyncio  # which takes a tenth of a second, and not everyone awaits

        loop = asyncio.get_running_loop()
        ended = loop.create_future()

        def tell():
            if not ended.done():
                ended.set_result(None)

        def in_loop():
            if not loop.is_closed():
                loop.call_soon_threadsafe(tell)

        self._native.then(in_loop)
        yield from ended.__await__()
        return self.wait()


def finished(job: Job, progress: Progress) -> Any:
    """The result of a job, which tells its progress if that is a function."""
    if progress is not None:
        job.on_progress(_called(progress, "progress"))
    return job.wait()


def _called(value, argument: str):
    if callable(value):
        return value
    raise TypeError(f"{argument} is {value!r}; pass a function")
