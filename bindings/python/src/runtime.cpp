// SPDX-License-Identifier: BSD-3-Clause
#include "bindings/python/src/handles.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace nearfar::python {

namespace {

Runtime* make_runtime(std::optional<std::string> const& scheduler, int cpus, int gpus,
                      std::optional<std::string> const& trace, std::optional<std::uintptr_t> communicator) {
  nearfar_runtime_options options;
  nearfar_runtime_options_init(&options, sizeof options);
  options.scheduler = scheduler ? scheduler->c_str() : nullptr;
  options.cpus = cpus;
  options.gpus = gpus;
  options.trace = trace ? trace->c_str() : nullptr;
  options.communicator = reinterpret_cast<void const*>(communicator.value_or(0));
  nearfar_runtime* made = nullptr;
  call_unlocked([&] { return nearfar_runtime_create(&options, &made); });
  return new Runtime(made);
}

nb::list workers(Runtime const& runtime) {
  nb::list all;
  for (std::size_t i = 0; i < nearfar_runtime_workers(runtime.get()); ++i)
    all.append(
        nb::make_tuple(nearfar_runtime_worker_name(runtime.get(), i), nearfar_runtime_worker_kind(runtime.get(), i)));
  return all;
}

nb::dict schedulers() {
  nb::dict all;
  for (std::size_t i = 0; nearfar_scheduler_name(i) != nullptr; ++i)
    all[nearfar_scheduler_name(i)] = nearfar_scheduler_purpose(i);
  return all;
}

nb::dict throughputs(Runtime const& runtime, int precision) {
  nb::dict all;
  nearfar_throughput row{};
  for (std::size_t i = 0; nearfar_get_throughput(runtime.get(), precision, i, &row, sizeof row) == NEARFAR_OK; ++i)
    all[row.work] = nb::make_tuple(row.cpu, row.gpu);
  return all;
}

nb::tuple launch() {
  int rank = 0, ranks = 1;
  check(nearfar_launch(&rank, &ranks));
  return nb::make_tuple(rank, ranks);
}

nb::tuple components(int kernel, unsigned outputs) {
  int strengths = 0, results = 0;
  check(nearfar_components(kernel, outputs, &strengths, &results));
  return nb::make_tuple(strengths, results);
}

/// (name, numbers per source, and the members of nearfar_kernel_info) of every kernel.
nb::list kernels() {
  nb::list all;
  nearfar_kernel_info info{};
  for (int kernel = 0; nearfar_get_kernel_info(kernel, &info, sizeof info) == NEARFAR_OK; ++kernel)
    all.append(nb::make_tuple(info.name, components(kernel, 0)[0], info.outputs, info.fmm_outputs, info.periodicities,
                              info.fmm_periodicities, info.energy_outputs, info.virial_outputs, info.screening != 0,
                              info.zero_mode != 0, info.gauge_length != 0));
  return all;
}

}  // namespace

void bind_runtime(nb::module_& module) {
  nb::class_<Owner>(module, "Owner");
  nb::class_<Runtime, Owner>(module, "Runtime")
      .def_prop_ro("scheduler", [](Runtime const& r) { return nearfar_runtime_scheduler(r.get()); })
      .def_prop_ro("version", [](Runtime const& r) { return nearfar_runtime_version(r.get()); })
      .def_prop_ro("workers", workers)
      .def_prop_ro("rank", [](Runtime const& r) { return nearfar_runtime_rank(r.get()); })
      .def_prop_ro("ranks", [](Runtime const& r) { return nearfar_runtime_ranks(r.get()); })
      .def("throughputs", throughputs)
      .def("mark", [](Runtime const& r, char const* text) { check(nearfar_runtime_mark(r.get(), text)); })
      .def("tune",
           [](Runtime const& r, int precision) { call_unlocked([&] { return nearfar_tune(r.get(), precision); }); });
  module.def("make_runtime", make_runtime, nb::arg("scheduler").none(), nb::arg("cpus"), nb::arg("gpus"),
             nb::arg("trace").none(), nb::arg("communicator").none());
  module.def("schedulers", schedulers);
  module.def("kernels", kernels);
  module.def("version", nearfar_version);
  module.def("simd_level", nearfar_simd_level);
  module.def("launch", launch);
  module.def("components", components);
}

}  // namespace nearfar::python
