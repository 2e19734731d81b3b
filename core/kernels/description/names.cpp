// SPDX-License-Identifier: BSD-3-Clause
#include <nearfar/error.hpp>
#include <nearfar/implementation.hpp>
#include <nearfar/kernel.hpp>
#include <nearfar/poisson.hpp>

#include <array>
#include <string>
#include <utility>

namespace nearfar {

namespace {

template <class Enum>
struct Names;  // what the values are called, and the names in order of the values

template <>
struct Names<Kernel> {
  static constexpr std::string_view what = "kernel";
  static constexpr std::array<std::string_view, 9> all{"stokeslet", "stresslet",     "stokes", "laplace", "rotlet",
                                                       "dipole",    "charge-dipole", "yukawa", "doublet"};
};
template <>
struct Names<Output> {
  static constexpr std::string_view what = "output";
  /// In the order of their columns.
  static constexpr std::array<std::pair<Output, std::string_view>, 5> all{{{Output::potential, "potential"},
                                                                           {Output::velocity, "velocity"},
                                                                           {Output::pressure, "pressure"},
                                                                           {Output::gradient, "gradient"},
                                                                           {Output::hessian, "hessian"}}};
};
template <>
struct Names<Periodicity> {
  static constexpr std::string_view what = "periodicity";
  static constexpr std::array<std::string_view, 8> all{"none", "x", "xy", "xyz", "y", "z", "xz", "yz"};
};
template <>
struct Names<Split> {
  static constexpr std::string_view what = "split";
  static constexpr std::array<std::string_view, 2> all{"pswf", "gaussian"};
};
template <>
struct Names<Window> {
  static constexpr std::string_view what = "window";
  static constexpr std::array<std::string_view, 3> all{"kaiser-bessel", "pswf", "gaussian"};
};
template <>
struct Names<Part> {
  static constexpr std::string_view what = "part";
  static constexpr std::array<std::string_view, 3> all{"whole", "near", "far"};
};
template <>
struct Names<ZeroMode> {
  static constexpr std::string_view what = "zero mode";
  static constexpr std::array<std::string_view, 2> all{"zero-face-flux", "zero-mean-flow"};
};
template <>
struct Names<Boundary> {
  static constexpr std::string_view what = "boundary";
  static constexpr std::array<std::string_view, 2> all{"tin-foil", "vacuum"};
};

template <>
struct Names<Implementation> {
  static constexpr std::string_view what = "implementation";
  static constexpr std::array<std::string_view, 11> all{
      "tuned",          "portable",  "any",       "source-ordered", "hybrid",   "grid-ordered",
      "target-ordered", "global-1d", "shared-1d", "global-2d",      "shared-2d"};
};

template <>
struct Names<PoissonMethod> {
  static constexpr std::string_view what = "method";
  static constexpr std::array<std::string_view, 3> all{"hockney", "vico", "vico-dct"};
};
template <>
struct Names<HockneyGreen> {
  static constexpr std::string_view what = "Green's function";
  static constexpr std::array<std::string_view, 3> all{"cell-average", "constant", "integrated"};
};
template <>
struct Names<BoxFace> {
  static constexpr std::string_view what = "face";
  static constexpr std::array<std::string_view, 6> all{"x-low", "x-high", "y-low", "y-high", "z-low", "z-high"};
};

template <class Enum>
std::string_view lookup(Enum value) noexcept {
  auto const index = static_cast<std::size_t>(value);
  return index < Names<Enum>::all.size() ? Names<Enum>::all[index] : std::string_view("unknown");
}

}  // namespace

std::string_view name(Kernel value) noexcept { return lookup(value); }
std::string_view name(Output value) noexcept {
  for (auto const& [output, text] : Names<Output>::all)
    if (output == value) return text;
  return "unknown";
}

std::vector<Output> list_of(Outputs outputs) {
  std::vector<Output> list;
  for (auto const& [output, text] : Names<Output>::all)
    if (outputs.has(output)) list.push_back(output);
  return list;
}

std::string name(Outputs value) {
  std::string names;
  for (Output const output : list_of(value)) names.append(names.empty() ? "" : ", ").append(name(output));
  return names;
}
std::string_view name(Periodicity value) noexcept { return lookup(value); }
std::string_view name(Split value) noexcept { return lookup(value); }
std::string_view name(Window value) noexcept { return lookup(value); }
std::string_view name(Part value) noexcept { return lookup(value); }
std::string_view name(ZeroMode value) noexcept { return lookup(value); }
std::string_view name(Boundary value) noexcept { return lookup(value); }
std::string_view name(Implementation value) noexcept { return lookup(value); }
std::string_view name(PoissonMethod value) noexcept { return lookup(value); }
std::string_view name(HockneyGreen value) noexcept { return lookup(value); }
std::string_view name(BoxFace value) noexcept { return lookup(value); }

template <class Enum>
Enum from_name(std::string_view text) {
  auto const& all = Names<Enum>::all;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == text) return static_cast<Enum>(i);
  std::string known;
  for (std::string_view candidate : all) known.append(known.empty() ? "" : ", ").append(candidate);
  std::string const what(Names<Enum>::what);
  throw Error(Fault::bad_input,
              what + " is \"" + std::string(text) + "\" (no " + what + " has this name). Use one of: " + known);
}

template <>
Output from_name<Output>(std::string_view text) {
  Outputs all_outputs;
  for (auto const& [output, known] : Names<Output>::all) {
    if (known == text) return output;
    all_outputs = all_outputs | output;
  }
  throw Error(Fault::bad_input, std::string(Names<Output>::what) + " is \"" + std::string(text) +
                                    "\" (no output has this name). Use some of: " + name(all_outputs));
}

template Kernel from_name<Kernel>(std::string_view);
template Periodicity from_name<Periodicity>(std::string_view);
template Split from_name<Split>(std::string_view);
template Window from_name<Window>(std::string_view);
template Part from_name<Part>(std::string_view);
template ZeroMode from_name<ZeroMode>(std::string_view);
template Boundary from_name<Boundary>(std::string_view);
template Implementation from_name<Implementation>(std::string_view);
template PoissonMethod from_name<PoissonMethod>(std::string_view);
template HockneyGreen from_name<HockneyGreen>(std::string_view);
template BoxFace from_name<BoxFace>(std::string_view);

std::vector<Implementation> implementations() {
  std::vector<Implementation> all;
  for (std::size_t i = 0; i < Names<Implementation>::all.size(); ++i) all.push_back(Implementation(int(i)));
  return all;
}

}  // namespace nearfar
