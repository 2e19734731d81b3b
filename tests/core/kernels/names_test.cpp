// SPDX-License-Identifier: BSD-3-Clause
#include <nearfar/error.hpp>
#include <nearfar/kernel.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace nearfar;

TEST_CASE("names: there and back, as on the command line") {
  for (Kernel value : {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace})
    CHECK(from_name<Kernel>(name(value)) == value);
  for (Periodicity value : {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz})
    CHECK(from_name<Periodicity>(name(value)) == value);
  for (Split value : {Split::pswf, Split::gaussian}) CHECK(from_name<Split>(name(value)) == value);
  for (Window value : {Window::kaiser_bessel, Window::pswf, Window::gaussian})
    CHECK(from_name<Window>(name(value)) == value);
  for (Part value : {Part::whole, Part::near, Part::far}) CHECK(from_name<Part>(name(value)) == value);
  for (ZeroMode value : {ZeroMode::zero_face_flux, ZeroMode::zero_mean_flow})
    CHECK(from_name<ZeroMode>(name(value)) == value);
  CHECK(name(Window::kaiser_bessel) == "kaiser-bessel");
}

TEST_CASE("names: an unknown one is bad input, with the value and the list") {
  try {
    from_name<Kernel>("stokslet");
    FAIL("accepted");
  } catch (Error const& error) {
    CHECK(error.fault() == Fault::bad_input);
    std::string const message = error.what();
    CHECK(message.find("\"stokslet\"") != std::string::npos);
    CHECK(message.find("stokeslet, stresslet, stokes, laplace") != std::string::npos);
  }
}

TEST_CASE("components per point") {
  CHECK(strength_components(Kernel::stokeslet) == 3);
  CHECK(strength_components(Kernel::stresslet) == 6);
  CHECK(strength_components(Kernel::stokes) == 9);
  CHECK(strength_components(Kernel::laplace) == 1);
  CHECK(result_components(Kernel::stokes, {}) == 3);
  CHECK(result_components(Kernel::laplace, {}) == 1);
  CHECK(result_components(Kernel::laplace, Output::potential | Output::gradient) == 4);
}
