// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/nearfar.h>
#include <nearfar/rows.hpp>

namespace nearfar::c {

/// The C++ view of a view in C. Throws Error{bad_input} for a null pointer or another precision than the two.
RowsIn rows_in(nearfar_rows const* rows, char const* argument);
RowsOut rows_out(nearfar_rows const* rows, char const* argument);

}  // namespace nearfar::c
