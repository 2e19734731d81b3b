// SPDX-License-Identifier: BSD-3-Clause
// Ranks where nearfar was built without MPI: one.
#include "tasks/nodes/launch/launch.hpp"
#include "tasks/nodes/ranks.hpp"

#include <nearfar/error.hpp>
#include <nearfar/gather.hpp>

#include <cstdlib>

namespace nearfar {

Launch launch() {
  if (!detail::mpi_is_off()) detail::expect_agreement({}, detail::announcements(), "");
  return {};
}

std::vector<std::string> allgather(std::string const& mine) { return {mine}; }

namespace detail {

struct Ranks::Mpi {};

Ranks::Ranks(RuntimeOptions const& options) {
  if (options.communicator != nullptr)
    throw Error(Fault::bad_input,
                "a communicator was given (this nearfar was built without MPI, see NEARFAR_MPI in "
                "its build); give none, or build it with MPI");
  launch();  // refuses several
}
Ranks::Ranks() = default;
Ranks::Ranks(int rank, int count) : rank_(rank), count_(count) {}
Ranks::~Ranks() = default;

Ranks const& Ranks::one() noexcept {
  static Ranks const one;
  return one;
}

void Ranks::start_messages() {}
void Ranks::stop_messages() {}
void Ranks::agree(std::exception_ptr mine) const {
  if (mine) std::rethrow_exception(mine);
}
void Ranks::abort(std::exception_ptr) const noexcept { std::abort(); }
void Ranks::broadcast(void*, std::size_t, int) const {}
Parts Ranks::parts(std::size_t mine) const { return {{0, mine}}; }
std::uint64_t Ranks::sum(std::uint64_t mine) const { return mine; }
std::uint64_t Ranks::largest(std::uint64_t mine) const { return mine; }
void Ranks::largest(std::span<double>) const {}
void Ranks::sum(std::span<long double>) const {}
void Ranks::sum(std::span<std::int32_t>) const {}
void Ranks::gather_parts(void*, Parts const&, std::size_t) const {}
struct Ranks::Arriving::Exchange {};
Ranks::Arriving::Arriving(std::unique_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}
Ranks::Arriving::~Arriving() = default;
void Ranks::exchange(void const*, std::vector<int> const&, void*, std::vector<int> const&, std::size_t) const {}
Ranks::Arriving Ranks::begin_exchange(void const*, std::vector<int>, void*, std::vector<int>, std::size_t) const {
  return Arriving(nullptr);
}
std::vector<unsigned char> Ranks::gather_local(void const* bytes, std::size_t size) const {
  auto const* first = static_cast<unsigned char const*>(bytes);
  return {first, first + size};
}
std::vector<std::string> Ranks::gather(std::string const& mine) const noexcept { return {mine}; }
NetworkSpeed Ranks::network() const { return {}; }
bool Ranks::messages_between_gpus() const { return false; }
double Ranks::clock_ahead(double (*)()) const { return 0; }

}  // namespace detail

}  // namespace nearfar
