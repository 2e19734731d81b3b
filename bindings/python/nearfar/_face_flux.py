# SPDX-License-Identifier: BSD-3-Clause
"""The transposed sum of the flow by which zero_mode "zero-face-flux" stops that through the faces of the cell.

To the velocity at x_m it adds -(8 pi / V) sum_n (x_m - y_n) (q_n.n_n), with coordinates as given (docs/conventions.md). So
numbers u_m of velocities and L_m of their slopes add to what belongs to q_l n_l of source n
-(8 pi / V) sum_m ((x_m - y_n).u_m + tr L_m).
"""

import math

from . import _arrays


class FaceFlux:
    """Positions and volume of the cell, for points that are prepared for the transposed sum."""

    def __init__(self, sources, targets, cell) -> None:
        self._y = _arrays.kept(sources)
        self._x = self._y if targets is None else _arrays.kept(targets)
        (a, b, c), (d, e, f), (g, h, i) = cell
        self._volume = abs(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))

    def transposed(self, velocity, gradient):
        """What it adds at each source, (N,) or of K vectors (N, K); gradient: None unless it is an output."""
        u = _arrays.joined(velocity)
        x, y = (_arrays.in_library_of(each, u) for each in (self._x, self._y))
        several = len(u.shape) == 3
        moment = ((x[:, None] if several else x) * u).sum(0).sum(-1)
        if gradient is not None:
            slope = _arrays.joined(gradient)
            moment = moment + (slope[..., 0] + slope[..., 4] + slope[..., 8]).sum(0)
        whole = u.sum(0)
        return -8 * math.pi / self._volume * (moment - y @ (whole.T if several else whole))
