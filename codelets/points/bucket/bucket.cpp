// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/bucket/bucket.hpp"

#include "codelets/common/names.hpp"
#include "core/geometry/cell_sort.hpp"

namespace nearfar {

template <class T>
char const* Bucket<T>::symbol() {
  static std::string const s = "nearfar_bucket" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void Bucket<T>::portable(Buffers const& b, Args const& args) {
  bucket_points(args.frame, b.get<std::int32_t const>(0), b.get<T const>(1), args.first, args.last, args.keep_given,
                b.get<PlaceInBlock>(2),
                Buckets<T, std::uint32_t>(b.get<std::uint32_t>(3), args.frame.cells.block_count()));
}

template struct Bucket<double>;
template struct Bucket<float>;

}  // namespace nearfar
