// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/fft/fft.hpp"
#include "codelets/spectral/transform/gpu_transform.hpp"

#include <vector>

namespace nearfar {

/// Transforms the planes of a slab into its tiles, on a stream; returns at once. If all directions are free, planes
/// are padded and transformed in parts of this many bytes of modes. Throws std::runtime_error if the device refuses.
template <class T>
void launch_fft(PlaneArgs const& args, T const* slab, std::vector<GpuComplex<T>*> const& tiles, void* stream,
                std::size_t part_bytes = gpu_part_bytes);

/// The reverse; overwrites the tiles.
template <class T>
void launch_ifft(PlaneArgs const& args, std::vector<GpuComplex<T>*> const& tiles, T* slab, void* stream,
                 std::size_t part_bytes = gpu_part_bytes);

}  // namespace nearfar
