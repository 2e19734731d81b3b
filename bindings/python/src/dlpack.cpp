// SPDX-License-Identifier: BSD-3-Clause
// Arrays by __dlpack__.
#include "bindings/python/src/dlpack.hpp"

#include "bindings/python/src/array.hpp"
#include "bindings/python/src/errors.hpp"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace nearfar::python::detail {

namespace {

std::string type_of(dlpack::Tensor const& tensor) {
  std::string const bits = std::to_string(tensor.type_bits);
  std::string const lanes = tensor.type_lanes > 1 ? "x" + std::to_string(tensor.type_lanes) : "";
  switch (tensor.type_code) {
    case dlpack::type_int: return "int" + bits + lanes;
    case dlpack::type_unsigned: return "uint" + bits + lanes;
    case dlpack::type_float: return "float" + bits + lanes;
    case dlpack::type_complex: return "complex" + bits + lanes;
    default: return "type " + std::to_string(tensor.type_code) + " of " + bits + " bits";
  }
}

/// The capsule, of version 1 where the library knows that. On a GPU the default stream waits for its data: that has the
/// number 1 for CUDA, 0 for ROCm.
nb::object capsule_of(nb::handle object, bool on_gpu, bool rocm) {
  nb::object const method = object.attr("__dlpack__");
  nb::dict keywords, with_version;
  if (on_gpu) keywords["stream"] = with_version["stream"] = rocm ? 0 : 1;
  with_version["max_version"] = nb::make_tuple(1, 0);
  try {
    return method(**with_version);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
  }
  return method(**keywords);
}

/// PyTorch gives away tensors of its current GPU alone.
nb::object capsule_of_gpu(nb::handle object, nb::object const& device, bool rocm) {
  auto const module = nb::cast<std::string>(object.type().attr("__module__"));
  if (module != "torch" && !module.starts_with("torch.")) return capsule_of(object, true, rocm);
  nb::object const current = nb::module_::import_("torch.cuda").attr("device")(device[1]);
  current.attr("__enter__")();
  try {
    auto capsule = capsule_of(object, true, rocm);
    current.attr("__exit__")(nb::none(), nb::none(), nb::none());
    return capsule;
  } catch (nb::python_error&) {
    current.attr("__exit__")(nb::none(), nb::none(), nb::none());
    throw;
  }
}

template <class Managed>
dlpack::Tensor const& take(nb::object const& capsule, char const* name, char const* used, Array& array) {
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), name));
  PyCapsule_SetName(capsule.ptr(), used);
  array.hold = std::shared_ptr<void>(managed, [managed](void*) {
    nb::gil_scoped_acquire const gil;
    if (managed->deleter != nullptr) managed->deleter(managed);
  });
  if constexpr (requires { managed->flags; }) array.read_only = (managed->flags & dlpack::read_only) != 0;
  return managed->tensor;
}

}  // namespace

std::optional<Array> by_dlpack(nb::handle object, std::string const& name) {
  if (!nb::hasattr(object, "__dlpack__") || !nb::hasattr(object, "__dlpack_device__")) return {};
  nb::object const where = object.attr("__dlpack_device__")();
  auto const device = nb::cast<int>(where[0]);
  bool const on_host = device == dlpack::cpu || device == dlpack::cuda_host || device == dlpack::rocm_host;
  bool const on_gpu = device == dlpack::cuda || device == dlpack::rocm || device == dlpack::cuda_managed;
  if (!on_host && !on_gpu)
    value_error(name + " is on a device of DLPack's type " + std::to_string(device) +
                ", which nearfar cannot read; move it to the host, or to a CUDA or ROCm GPU");
  bool const rocm = device == dlpack::rocm;
  auto const capsule = on_gpu ? capsule_of_gpu(object, where, rocm) : capsule_of(object, false, rocm);
  Array array;
  auto const& tensor =
      PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned")
          ? take<dlpack::VersionedManaged>(capsule, "dltensor_versioned", "used_dltensor_versioned", array)
          : take<dlpack::Managed>(capsule, "dltensor", "used_dltensor", array);
  array.data = static_cast<char*>(tensor.data) + tensor.byte_offset;
  array.shape.assign(tensor.shape, tensor.shape + tensor.dimensions);
  array.type = type_of(tensor);
  std::int64_t const itemsize = tensor.type_bits / 8 * tensor.type_lanes;
  if (tensor.strides == nullptr) set_packed_strides(array, itemsize);
  else
    for (int d = 0; d < tensor.dimensions; ++d) array.strides.push_back(tensor.strides[d] * itemsize);
  array.on_gpu = on_gpu;
  if (on_gpu) array.stream = 0;
  return array;
}

}  // namespace nearfar::python::detail
