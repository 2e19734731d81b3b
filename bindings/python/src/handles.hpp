// SPDX-License-Identifier: BSD-3-Clause
// What the objects of the module hold: handles of the C API, which go with them, or when the interpreter ends.
#pragma once

#include "bindings/python/src/errors.hpp"

#include <nanobind/nanobind.h>
#include <nearfar/nearfar.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace nearfar::python {

/// A thread that asks for the interpreter's lock after the interpreter has ended is ended there and then, in the midst
/// of C++, and the process with it. So calls are counted, and release_all waits for those of other threads.
class InCall {
 public:
  InCall() noexcept;
  ~InCall();
  InCall(InCall const&) = delete;
  InCall& operator=(InCall const&) = delete;
};

/// The interpreter's lock is free while it lives. Raises ValueError when release_all has begun.
class Unlocked {
 public:
  Unlocked();

 private:
  InCall call_;  // outlives the other, which takes the lock back
  std::optional<nanobind::gil_scoped_release> released_;
};

/// Every object that owns a handle. All are released at exit, before the interpreter and StarPU's threads end; what is
/// made first goes last.
class Owner {
 public:
  Owner();
  virtual ~Owner();
  Owner(Owner const&) = delete;
  Owner& operator=(Owner const&) = delete;

  virtual void release() noexcept = 0;
  static void release_all() noexcept;
  static void expect_open();  ///< raises ValueError when release_all has begun

 protected:
  [[noreturn]] static void ended();

 private:
  void unlink() noexcept;

  Owner *before_, *after_ = nullptr;
  bool linked_ = true;
};

template <class Handle, void (*destroy)(Handle*)>
class Owned : public Owner {
 public:
  explicit Owned(Handle* handle) : handle_(handle) {}
  ~Owned() override { Owned::release(); }
  void release() noexcept override {
    auto* const handle = std::exchange(handle_, nullptr);  // another thread may be here once the lock is free
    if (handle == nullptr) return;
    InCall const call;
    nanobind::gil_scoped_release const released;  // it may wait for tasks, whose callbacks need the interpreter
    destroy(handle);
  }
  Handle* get() const {
    if (handle_ == nullptr) ended();
    return handle_;
  }

 private:
  Handle* handle_;
};

using Runtime = Owned<nearfar_runtime, nearfar_runtime_destroy>;
using Plan = Owned<nearfar_plan, nearfar_plan_destroy>;
using Points = Owned<nearfar_points, nearfar_points_destroy>;
using Poisson = Owned<nearfar_poisson, nearfar_poisson_destroy>;

/// A solve in flight, and the arrays that it reads and writes.
class Job : public Owned<nearfar_solve, nearfar_solve_destroy> {
 public:
  Job(nearfar_solve* solve, std::vector<nanobind::object> arrays);
  ~Job() override;

  bool ready() const { return nearfar_solve_ready(get()) == 1; }
  void wait();  ///< Ctrl-C cancels the solve
  void then(nanobind::callable callback);
  void on_progress(nanobind::callable callback);
  void cancel() { check(nearfar_solve_cancel(get())); }
  nanobind::dict report();
  void write_dag(char const* path) const { check(nearfar_solve_write_dag(get(), path)); }

 private:
  struct Listener;
  void check_ended(int code);  ///< of a wait, after which no callback is called; raises what one has raised

  std::vector<nanobind::object> arrays_;
  std::unique_ptr<Listener> listener_;
};

nanobind::dict as_dict(nearfar_report const& report);

/// Runs a call of the C API without the interpreter's lock, and raises its error.
template <class Call>
void call_unlocked(Call const& call) {
  int code = NEARFAR_OK;
  {
    Unlocked const unlocked;
    code = call();
  }
  check(code);
}

void bind_runtime(nanobind::module_& module);
void bind_columns(nanobind::module_& module);
void bind_plan(nanobind::module_& module);
void bind_job(nanobind::module_& module);
void bind_poisson(nanobind::module_& module);

}  // namespace nearfar::python
