// SPDX-License-Identifier: BSD-3-Clause
// What the fragments of C++ that pages show take for granted: names of the reader's own program.
#pragma once

#include <nearfar/nearfar.hpp>

#include <cstddef>
#include <vector>

inline int argc = 0, level = 0, communicator = 0;
inline char** argv = nullptr;
inline int const steps = 3;
inline std::size_t const n = 8;
inline double const hx = 1, hy = 1, hz = 1;

extern nearfar::Runtime runtime;
extern nearfar::EwaldOptions options;
extern nearfar::Ewald plan;
extern std::vector<double> x, f, velocity, positions, velocities, charges, stars, moved_stars, masses, field, density,
    potential;

// Of MPI and CUDA, which need not be installed to check these lines.
constexpr int MPI_THREAD_MULTIPLE = 3;
int MPI_Init_thread(int*, char***, int, int*);
void my_kernel(double*);
void next_kernel(double*);
extern void* stream;
