// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/green/green.hpp"

#include "codelets/spectral/green/cosine.hpp"
#include "core/poisson/green_samples.hpp"

#include <algorithm>
#include <string>

namespace nearfar {

namespace {

/// Offsets into the scratch memory of either stage.
struct Places {
  explicit Places(GreenFunction const& g)
      : spare(cosine_batch(g)), plane(spare + cosine_scratch(g)),
        size(plane + std::int64_t(g.axis[1].samples()) * g.axis[2].modes()) {}

  std::int64_t spare, plane, size;  // the batch is first
};

/// One plane: rows along z by batches, then columns along y.
void fill_plane(GreenFunction const& g, GreenSamples const& sample, int x, double* scratch, double* out) {
  Places const place(g);
  double *const batch = scratch, *const plane = scratch + place.plane;
  int const samples[2] = {g.axis[1].samples(), g.axis[2].samples()};
  int const modes[2] = {g.axis[1].modes(), g.axis[2].modes()};
  for (int y = 0; y < samples[0]; y += column_batch) {
    int const count = std::min(column_batch, samples[0] - y);
    clear_axis(g, 2, batch);
    for (int i = 0; i < count; ++i)
      for (int z = 0; z < samples[1]; ++z) batch[z * column_batch + i] = sample(x, y + i, z);
    map_axis(g, 2, batch, scratch + place.spare);
    for (int i = 0; i < count; ++i)
      for (int z = 0; z < modes[1]; ++z) plane[std::int64_t(y + i) * modes[1] + z] = batch[z * column_batch + i];
  }
  for (int z = 0; z < modes[1]; z += column_batch) {
    int const count = std::min(column_batch, modes[1] - z);
    clear_axis(g, 1, batch);
    for (int y = 0; y < samples[0]; ++y)
      std::copy_n(plane + std::int64_t(y) * modes[1] + z, count, batch + y * column_batch);
    map_axis(g, 1, batch, scratch + place.spare);
    for (int y = 0; y < modes[0]; ++y)
      std::copy_n(batch + y * column_batch, count, out + std::int64_t(y) * modes[1] + z);
  }
}

}  // namespace

std::int64_t green_scratch(GreenFunction const& green) { return Places(green).size; }

void GreenPlanes::portable(Buffers const& b, Args const& args) {
  GreenSamples const sample(args.green, b.get<SharedTerms const>(0));
  for (int i = 0; i < args.count; ++i)  // one after the other: there is scratch for one only
    fill_plane(args.green, sample, args.first + i, b.get<double>(1), b.get<double>(2) + i * green_plane(args.green));
}

template <class T>
void GreenColumns<T>::portable(Buffers const& b, Args const& args) {
  GreenFunction const& g = args.green;
  std::int64_t const plane = green_plane(g);
  int const modes = g.axis[0].modes();
  double* const batch = b.get<double>(1);
  T* const table = b.get<T>(2);
  for (std::int64_t first = args.first; first < args.first + args.count; first += column_batch) {
    int const count = int(std::min<std::int64_t>(column_batch, args.first + args.count - first));
    clear_axis(g, 0, batch);
    double* to = batch;
    for (int s = 0; s < b.count(0); ++s) {
      auto const* const from = b.get<double const>(0, s);
      for (std::int64_t x = 0; x < b.size<double>(0, s) / plane; ++x, to += column_batch)
        std::copy_n(from + x * plane + first, count, to);
    }
    map_axis(g, 0, batch, batch + Places(g).spare);
    for (int i = 0; i < count; ++i)
      for (int x = 0; x < modes; ++x) table[(first + i) * modes + x] = T(args.factor * batch[x * column_batch + i]);
  }
}

template struct GreenColumns<double>;
template struct GreenColumns<float>;

}  // namespace nearfar
