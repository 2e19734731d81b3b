// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/spectral/transforms.hpp"

#include <string>

namespace nearfar {

/// Makes the plans of the transforms of a layout in every library that workers of this process may use, so
/// that no task has to: call it when a solver is made. They are kept for the life of the process. Thread-safe.
template <class T>
void prepare_plans(SpectralLayout const& layout);

/// What the library of transforms has learned in this process about precision T, and how to adopt it from another
/// process: plans of the same transforms made afterwards are equal, and so are the bits of their results. Thread-safe.
template <class T>
std::string learned_plans();
template <class T>
void learn_plans(std::string const& learned);

}  // namespace nearfar
