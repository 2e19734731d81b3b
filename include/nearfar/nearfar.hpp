// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/arrays.hpp>
#include <nearfar/direct.hpp>
#include <nearfar/error.hpp>
#include <nearfar/ewald.hpp>
#include <nearfar/flow.hpp>
#include <nearfar/fmm.hpp>
#include <nearfar/implementation.hpp>
#include <nearfar/kernel.hpp>
#include <nearfar/kernels.hpp>
#include <nearfar/pair_function.hpp>
#include <nearfar/pic.hpp>
#include <nearfar/poisson.hpp>
#include <nearfar/processor.hpp>
#include <nearfar/rows.hpp>
#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>
#include <nearfar/stream.hpp>
#include <nearfar/tune.hpp>
