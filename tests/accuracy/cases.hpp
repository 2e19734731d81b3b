// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/measure.hpp"

#include <nearfar/runtime.hpp>

#include <array>
#include <map>
#include <string_view>
#include <vector>

/// Cases in which error is measured against tolerance: for the tests, and for the tables of docs/accuracy.md.
namespace nearfar::accuracy {

/// Where the points are, in a box of edges 1, 1.2, 0.9.
enum class Distribution {
  uniform,  ///< anywhere
  normal,   ///< around the centre, sigma = shortest edge / 8
  sphere,   ///< on a sphere around the centre, radius = 0.4 shortest edge
  corner    ///< uniform in the corner that is a tenth of each edge
};

/// Strengths uniform in [-1, 1) or in (0, 1], the normals of double layers too.
enum class Signs { mixed, positive };

inline constexpr Distribution every_distribution[] = {Distribution::uniform, Distribution::normal, Distribution::sphere,
                                                      Distribution::corner};

/// Rows of points of a distribution, and of strengths.
std::vector<double> place_all(Distribution distribution, std::size_t count, unsigned seed);
std::vector<double> strengths(Kernel kernel, Signs signs, std::size_t count, unsigned seed);

std::string_view name(Distribution value) noexcept;
std::string_view name(Signs value) noexcept;

/// What is asked of one plan. `kernel`, `periodicity` and the box of `options` are set from the rest.
struct Case {
  Kernel kernel = Kernel::stokeslet;
  Periodicity periodicity = Periodicity::xyz;
  Distribution distribution = Distribution::uniform;
  Signs signs = Signs::mixed;
  bool single = false;
  double tolerance = 1e-6;
  Split split = Split::pswf;
  FarPrecision far_precision = FarPrecision::automatic;
};

/// Relative l2 errors over the judged targets; of Laplace the worse of potential and gradient.
struct Errors {
  EwaldPlanning parameters;
  double whole = 0;
  double far = 0;
  /// Of the far part too, but relative to the field of the other points and images: without what the split has a source
  /// do to itself. This is what the estimate is an estimate of.
  double far_of_others = 0;
};

/// Solves cases for `count` points that are their own targets, and judges the first `judged` of them by the oracle.
/// All numbers are multiples of 2^-20, so that single precision has the very same sums. Exact sums are kept for the
/// next case with the same points.
class Judge {
 public:
  Judge(std::size_t count, std::size_t judged, unsigned seed) : count_(count), judged_(judged), seed_(seed) {}

  Errors errors(Runtime const& runtime, Case const& c);

 private:
  struct Place {
    Periodicity periodicity;
    Distribution distribution;
    Signs signs;
    bool operator==(Place const&) const = default;
  };

  void go_to(Place const& place);
  std::vector<double> const& exact(Kernel kernel);
  System system(Kernel kernel) const;

  std::size_t count_, judged_;
  unsigned seed_;
  Place place_{};
  std::vector<double> points_, force_, dipole_, charge_;
  std::map<Kernel, std::vector<double>> exact_;
};

/// "stokes, periodic xy, single, corner, positive, gaussian, tolerance 1e-05"
std::string describe(Case const& c);

/// Every kernel, periodicity and precision for points of one distribution, at these tolerances (single: at those it
/// has). In an order in which equal points come together.
std::vector<Case> sweep(Distribution distribution, std::vector<double> const& tolerances, Signs signs = Signs::mixed,
                        Split split = Split::pswf);

/// All that docs/accuracy.md has tables of: tolerances 1e-3 to 1e-12, all distributions; some of them with the Gaussian
/// split, and with positive strengths.
std::vector<Case> every_case();

}  // namespace nearfar::accuracy
