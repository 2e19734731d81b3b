// SPDX-License-Identifier: BSD-3-Clause
// The structs of DLPack 1.0, a protocol by which arrays of one library are used by another.
#pragma once

#include <cstdint>

namespace nearfar::python::dlpack {

struct Tensor {
  void* data;
  std::int32_t device_type, device_id;
  std::int32_t dimensions;
  std::uint8_t type_code, type_bits;
  std::uint16_t type_lanes;
  std::int64_t const* shape;
  std::int64_t const* strides;  ///< in elements; null: packed
  std::uint64_t byte_offset;
};

inline constexpr std::int32_t cpu = 1, cuda = 2, cuda_host = 3, rocm = 10, rocm_host = 11, cuda_managed = 13;
inline constexpr std::uint8_t type_int = 0, type_unsigned = 1, type_float = 2, type_complex = 5;
inline constexpr std::uint64_t read_only = 1;

/// Before version 1.0, in capsules named "dltensor".
struct Managed {
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};

/// In capsules named "dltensor_versioned".
struct VersionedManaged {
  std::uint32_t major, minor;
  void* context;
  void (*deleter)(VersionedManaged*);
  std::uint64_t flags;
  Tensor tensor;
};

}  // namespace nearfar::python::dlpack
