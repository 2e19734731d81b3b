// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/generate.hpp"

#include "cli/free_memory.hpp"
#include "cli/io/particles/columns.hpp"
#include "cli/io/random.hpp"

#include <nearfar/error.hpp>
#include <nearfar/kernels.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace nearfar::cli {

namespace {

using Vector = std::array<double, 3>;

constexpr std::array<std::pair<char const*, Distribution>, 6> distributions{{{"uniform", Distribution::uniform},
                                                                             {"normal", Distribution::normal},
                                                                             {"sphere", Distribution::sphere},
                                                                             {"corner", Distribution::corner},
                                                                             {"nacl", Distribution::nacl},
                                                                             {"cscl", Distribution::cscl}}};

double shortest_edge(GenerateOptions const& options) { return *std::ranges::min_element(options.box); }

/// How many particles a lattice of `cells` cells per edge has.
std::size_t lattice_count(Distribution distribution, std::size_t cells) {
  return (distribution == Distribution::nacl ? 8 : 2) * cells * cells * cells;
}

bool is_of_charges(Kernel kernel) { return strength_columns(kernel) == std::vector<std::string>{"q"}; }

/// "laplace or yukawa": whose sources may be ions.
std::string kernels_of_charges() {
  std::string known;
  for (KernelInfo const& info : kernel_list())
    if (is_of_charges(info.kernel)) known.append(known.empty() ? "" : " or ").append(name(info.kernel));
  return known;
}

/// Cells per edge; throws when there is no such lattice.
std::size_t lattice_cells(GenerateOptions const& options) {
  auto const [name, lattice] = distributions[static_cast<std::size_t>(options.distribution)];
  auto const wrong = [&, name = name](std::string const& text) {
    return Error{Fault::bad_input, "--distribution " + std::string(name) + text};
  };
  if (!is_of_charges(options.kernel))
    throw wrong(" is a lattice of charges, and sources of --kernel " + std::string(nearfar::name(options.kernel)) +
                " have other strengths; use --kernel " + kernels_of_charges());
  if (options.box[0] != options.box[1] || options.box[0] != options.box[2])
    throw wrong(" is a cubic lattice, and the edges of the box differ; give three equal ones");
  std::size_t cells = 1;
  while (lattice_count(lattice, cells + 1) <= options.count) ++cells;
  auto const below = lattice_count(lattice, cells);
  if (below == options.count) return cells;
  auto const above = lattice_count(lattice, cells + 1);
  auto const nearest =
      options.count < below ? std::to_string(below) : std::to_string(below) + " or " + std::to_string(above);
  throw wrong(" with --count " + std::to_string(options.count) + " does not fill the box: the count must be " +
              (lattice == Distribution::nacl ? "an even number cubed" : "twice a number cubed") + "; take " + nearest);
}

void append(std::vector<double>& values, Vector const& v) { values.insert(values.end(), v.begin(), v.end()); }

// Half a spacing away from the faces, so that no ion is on one.
Table rock_salt(GenerateOptions const& options) {
  auto const edge = 2 * lattice_cells(options);
  auto const coordinate = [&](std::size_t i) {
    return (static_cast<double>(i) + 0.5) * options.box[0] / static_cast<double>(edge);
  };
  Table table{{"x", "y", "z", "q"}, {}};
  table.values.reserve(4 * options.count);
  for (std::size_t i = 0; i < edge; ++i)
    for (std::size_t j = 0; j < edge; ++j)
      for (std::size_t k = 0; k < edge; ++k) {
        append(table.values, {coordinate(i), coordinate(j), coordinate(k)});
        table.values.push_back((i + j + k) % 2 == 0 ? 1 : -1);
      }
  return table;
}

Table caesium_chloride(GenerateOptions const& options) {
  auto const cells = lattice_cells(options);
  auto const coordinate = [&](std::size_t i, double within) {
    return (static_cast<double>(i) + within) * options.box[0] / static_cast<double>(cells);
  };
  Table table{{"x", "y", "z", "q"}, {}};
  table.values.reserve(4 * options.count);
  for (std::size_t i = 0; i < cells; ++i)
    for (std::size_t j = 0; j < cells; ++j)
      for (std::size_t k = 0; k < cells; ++k)
        for (double const charge : {1.0, -1.0}) {
          double const within = charge > 0 ? 0.25 : 0.75;
          append(table.values, {coordinate(i, within), coordinate(j, within), coordinate(k, within)});
          table.values.push_back(charge);
        }
  return table;
}

bool inside(Vector const& x, Vector const& box) {
  for (std::size_t d = 0; d < 3; ++d)
    if (!(x[d] >= 0 && x[d] < box[d])) return false;
  return true;
}

struct Place {
  Vector position;
  Vector outward;  ///< a unit vector: the normal where the distribution has one
};

Place random_place(GenerateOptions const& options, Random& random) {
  auto const& box = options.box;
  Place place{};
  auto const around_centre = [&](auto&& offset) {
    for (std::size_t d = 0; d < 3; ++d) place.position[d] = 0.5 * box[d] + offset(d);
  };
  place.outward = random.direction();
  switch (options.distribution) {
    case Distribution::normal:
      do around_centre([&](std::size_t) { return shortest_edge(options) / 8 * random.normal(); });
      while (!inside(place.position, box));
      break;
    case Distribution::sphere:
      around_centre([&](std::size_t d) { return 0.4 * shortest_edge(options) * place.outward[d]; });
      break;
    case Distribution::corner:
      for (double& x : place.position) x = 0.1 * shortest_edge(options) * random.unit();
      break;
    case Distribution::uniform:
      for (std::size_t d = 0; d < 3; ++d) place.position[d] = random.unit() * box[d];
      break;
    case Distribution::nacl:
    case Distribution::cscl: throw std::logic_error("places of a lattice are not random");
  }
  return place;
}

/// Normals are those of the surface; all else is random.
void append_strengths(std::vector<double>& values, std::span<std::string const> columns, Vector const& normal,
                      Random& random) {
  for (std::string const& column : columns)
    values.push_back(column.front() == 'n' ? normal[std::size_t(column.back() - 'x')] : random.symmetric());
}

// A periodic system of charges has a well-defined energy only if it is neutral. A single charge stays as it is.
void make_neutral(Table& table, std::size_t column) {
  if (table.rows() < 2) return;
  auto const columns = table.names.size();
  double sum = 0;
  for (std::size_t i = column; i < table.values.size(); i += columns) sum += table.values[i];
  for (std::size_t i = column; i < table.values.size(); i += columns)
    table.values[i] -= sum / static_cast<double>(table.rows());
}

}  // namespace

Distribution distribution_from_name(std::string const& text) {
  std::string known;
  for (auto const& [name, value] : distributions) {
    if (text == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw Error{Fault::bad_input, "--distribution is '" + text + "', which is not known; take one of " + known};
}

char const* name_of(Distribution distribution) noexcept {
  return distributions[static_cast<std::size_t>(distribution)].first;
}

bool is_lattice(Distribution distribution) noexcept {
  return distribution == Distribution::nacl || distribution == Distribution::cscl;
}

Table generate(GenerateOptions const& options) {
  std::size_t const numbers = 3 + strength_columns(options.kernel).size();
  expect_memory_for(options.count, numbers * sizeof(double), std::to_string(options.count) + " particles",
                    "take fewer");
  if (options.distribution == Distribution::nacl) return rock_salt(options);
  if (options.distribution == Distribution::cscl) return caesium_chloride(options);
  Table table{position_columns(), {}};
  auto const columns = strength_columns(options.kernel);
  table.names.insert(table.names.end(), columns.begin(), columns.end());
  table.values.reserve(table.names.size() * options.count);
  Random random{options.seed};
  for (std::size_t i = 0; i < options.count; ++i) {
    auto const place = random_place(options, random);
    append(table.values, place.position);
    append_strengths(table.values, columns, place.outward, random);
  }
  if (auto const charge = std::find(table.names.begin(), table.names.end(), "q"); charge != table.names.end())
    make_neutral(table, std::size_t(charge - table.names.begin()));
  return table;
}

double nearest_neighbour_distance(GenerateOptions const& options) {
  double const cell = options.box[0] / static_cast<double>(lattice_cells(options));
  return options.distribution == Distribution::nacl ? cell / 2 : cell * std::sqrt(3.0) / 2;
}

}  // namespace nearfar::cli
