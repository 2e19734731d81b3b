// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernels/description/description.hpp"

#include "core/kernels/description/kernels_with.hpp"
#include "core/math/reject.hpp"

#include <nearfar/error.hpp>
#include <nearfar/kernels.hpp>

#include <cmath>

namespace nearfar {

namespace {

constexpr char axis_names[] = "xyz";

/// The columns of a field: an axis for each *, the last one changing first.
void append_columns(Field const& field, std::vector<std::string>& columns) {
  for (int i = 0; i < field.size(); ++i) {
    std::string column;
    auto const axes = field.axes(i);
    std::size_t index = 0;
    for (char const c : field.columns) {
      if (c == '*') column += axis_names[axes[index++]];
      else column += c;
    }
    columns.push_back(std::move(column));
  }
}

std::vector<std::string> columns_of(std::span<Field const> fields) {
  std::vector<std::string> columns;
  for (Field const& field : fields) append_columns(field, columns);
  return columns;
}

}  // namespace

KernelDescription const& describe(Kernel kernel, Outputs outputs) {
  return visit_kernel(kernel, outputs, []<class K>(K) -> KernelDescription const& {
    static constexpr KernelDescription description = describe<K>();
    return description;
  });
}

AskedResults asked_results(KernelDescription const& kernel, Outputs asked) {
  AskedResults results;
  for (Field const& field : kernel.result_fields) {
    if (asked.empty() || asked.has(field.output)) {
      results.fields.push_back({field, results.computed, results.numbers});
      results.numbers += field.size();
    }
    results.computed += field.size();
  }
  return results;
}

Outputs outputs_of(Kernel kernel) noexcept {
  Outputs all;
  for (KernelInfo const& info : kernel_list())
    if (info.kernel == kernel) all = info.outputs;
  return all;
}

Output first_output(Kernel kernel) noexcept { return describe(kernel).result_fields.front().output; }

int output_components(Kernel kernel, Output output) noexcept {
  if (!outputs_of(kernel).has(output)) return 0;
  for (Field const& field : describe(kernel, output).result_fields)
    if (field.output == output) return field.size();
  return 0;
}

void check_outputs(Kernel kernel, Outputs outputs) {
  Outputs const all = outputs_of(kernel);
  if (!all.has_all(outputs))
    throw Error(Fault::bad_input, "outputs are " + name(outputs) + " with kernel " + std::string(name(kernel)) +
                                      " (it has " + name(all) + "). Ask for some of these");
  if (!outputs.empty() && !outputs.has(first_output(kernel)))
    throw Error(Fault::bad_input, "outputs are " + name(outputs) + " without " +
                                      std::string(name(first_output(kernel))) + " (which kernel " +
                                      std::string(name(kernel)) + " always computes). Add it");
}

void check_virial_of(Kernel kernel, Outputs outputs) {
  if (describe(kernel, outputs).has_virial) return;
  auto const has_virial = [](KernelInfo const& info) { return !info.virial_outputs.empty(); };
  Outputs const with = kernel_info(kernel).virial_outputs;
  std::string const asked = name(outputs.empty() ? Outputs(first_output(kernel)) : outputs),
                    why = with.empty() ? "it is there for charges and dipoles" : "which do not tell the forces",
                    right = with.empty() ? "use kernel " + kernels_with(has_virial) : "ask for outputs ";
  std::string named;  // as the program takes them
  for (Output const output : list_of(with)) named.append(named.empty() ? "" : ",").append(name(output));
  throw Error(Fault::bad_input, "virial is wanted with kernel " + std::string(name(kernel)) + " and outputs " + asked +
                                    " (" + why + "). Leave it out, or " + right + named);
}

void check_screening(Kernel kernel, std::optional<double> screening) {
  if (!describe(kernel).screened) {
    if (!screening) return;
    reject("screening is ", *screening, " with kernel ", name(kernel),
           " (which has none). Leave it out, or use kernel yukawa");
  }
  char const* const cure =
      " (the potential is e^(-screening r) q / r). Give a number above 0, in one over the unit of length, or use "
      "kernel "
      "laplace";
  if (!screening) reject("kernel ", name(kernel), " is asked for without a screening", cure);
  if (!(*screening > 0) || !std::isfinite(*screening)) reject("screening is ", *screening, cure);
}

int strength_components(Kernel kernel) noexcept { return describe(kernel).strengths; }

std::vector<std::string> strength_columns(Kernel kernel) { return columns_of(describe(kernel).strength_fields); }

int result_components(Kernel kernel, Outputs outputs) {
  check_outputs(kernel, outputs);
  return asked_results(describe(kernel, outputs), outputs).numbers;
}

std::vector<std::string> result_columns(Kernel kernel, Outputs outputs) {
  check_outputs(kernel, outputs);
  std::vector<std::string> columns;
  for (auto const& asked : asked_results(describe(kernel, outputs), outputs).fields)
    append_columns(asked.field, columns);
  return columns;
}

}  // namespace nearfar
