// SPDX-License-Identifier: BSD-3-Clause
// usage: mpirun ranks_bits FOLDER
// The sums of tests/bindings/python/ranks.py from C++: each rank gives the points that it gave in Python, and must get
// the same bits.
#include <nearfar/nearfar.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

std::vector<double> read(std::string const& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) {
    std::fprintf(stderr, "%s cannot be read\n", path.c_str());
    std::exit(1);
  }
  std::vector<double> numbers(std::size_t(file.tellg()) / sizeof(double));
  file.seekg(0).read(reinterpret_cast<char*>(numbers.data()), std::streamsize(numbers.size() * sizeof(double)));
  return numbers;
}

template <class Plan>
bool same_bits(Plan plan, std::string const& folder, char const* name, std::string const& rank) {
  auto const x = read(folder + "/positions-" + rank), q = read(folder + "/charges-" + rank);
  std::vector<double> phi(q.size());
  auto const points = plan.set_points(x);
  plan.submit(points, q, phi).wait();
  bool const same = phi == read(folder + "/" + name + "-" + rank);
  std::printf("%s, rank %s, %zu points: %s bits\n", name, rank.c_str(), q.size(), same ? "the same" : "other");
  return same;
}

}  // namespace

int main(int, char** arguments) {
  nearfar::Runtime runtime;
  auto const rank = std::to_string(runtime.rank());
  std::array<double, 3> const around_the_points{};  // as without a cell in Python
  nearfar::Fmm const fmm(runtime, {.kernel = nearfar::Kernel::laplace, .box = around_the_points, .tolerance = 1e-6});
  nearfar::Ewald const ewald(runtime, {.kernel = nearfar::Kernel::laplace,
                                       .periodicity = nearfar::Periodicity::none,
                                       .box = around_the_points,
                                       .tolerance = 1e-6});
  bool const same_fmm = same_bits(fmm, arguments[1], "Fmm", rank);
  bool const same_ewald = same_bits(ewald, arguments[1], "Ewald", rank);  // of which all ranks have to be part
  return same_fmm && same_ewald ? 0 : 1;
}
