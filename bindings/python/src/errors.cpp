// SPDX-License-Identifier: BSD-3-Clause
#include "bindings/python/src/errors.hpp"

#include <nanobind/nanobind.h>
#include <nearfar/nearfar.h>

namespace nb = nanobind;

namespace nearfar::python {

namespace {

[[noreturn]] void raise(PyObject* type, char const* text) {
  PyErr_SetString(type, text);
  throw nb::python_error();
}

}  // namespace

void check(int code) {
  switch (code) {
    case NEARFAR_OK: return;
    case NEARFAR_BAD_INPUT: raise(PyExc_ValueError, nearfar_last_error());
    case NEARFAR_NO_RESOURCE: raise(PyExc_MemoryError, nearfar_last_error());
    default: raise(PyExc_RuntimeError, nearfar_last_error());
  }
}

void value_error(std::string const& text) { raise(PyExc_ValueError, text.c_str()); }
void type_error(std::string const& text) { raise(PyExc_TypeError, text.c_str()); }

}  // namespace nearfar::python
