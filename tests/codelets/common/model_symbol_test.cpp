// SPDX-License-Identifier: BSD-3-Clause
// Keys of cost models: they stay what they were, since users have measured times under them.
#include "codelets/common/names.hpp"
#include "codelets/common/stages.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p.hpp"
#include "codelets/fmm/p2m/p2m.hpp"
#include "codelets/fmm/translate/translate.hpp"
#include "codelets/near/images/images.hpp"
#include "codelets/near/p2p/p2p.hpp"
#include "codelets/near/reduce/reduce.hpp"
#include "codelets/points/merge/for_other.hpp"
#include "codelets/points/merge/merge.hpp"
#include "codelets/points/units/units.hpp"
#include "codelets/spectral/fft/fft.hpp"
#include "codelets/spectral/influence/influence.hpp"
#include "core/kernels/kernels.hpp"

#include <doctest/doctest.h>

using namespace nearfar;

TEST_CASE("cost models: a key is name, narrower precision, kernel and precision of a stage, or one of its own") {
  auto const key = [](char const* symbol) { return std::string(symbol); };
  CHECK(key(symbol_of<Units>()) == "nearfar_units");
  CHECK(key(symbol_of<InfluencePlanes>()) == "nearfar_influence");
  CHECK(key(symbol_of<Reduce<double>>()) == "nearfar_reduce_f64");
  CHECK(key(symbol_of<Fft<float>>()) == "nearfar_fft_f32");
  CHECK(key(symbol_of<M2L<double>>()) == "nearfar_m2l_f64");
  CHECK(key(symbol_of<P2P<double, Stokeslet>>()) == "nearfar_p2p_stokeslet_f64");
  CHECK(key(symbol_of<P2P<float, Laplace>>()) == "nearfar_p2p_laplace_f32");
  CHECK(key(symbol_of<P2P<double, Laplace, float>>()) == "nearfar_p2p_in_single_laplace_f64");
  CHECK(key(symbol_of<MergeAll<double>>()) == "nearfar_merge_f64");
  CHECK(key(symbol_of<MergeForOther<double>>()) == "nearfar_merge_for_other_f64");
  CHECK(key(symbol_of<FmmP2P<double, Laplace>>()) == "nearfar_fmm_p2p_laplace_f64");
}

TEST_CASE("stages: which ones GPUs take beside CPUs stands in their table, unless a stage says otherwise") {
  CHECK(gpus_of<P2P<double, Laplace>>() == Gpus::beside);
  CHECK(gpus_of<M2L<double>>() == Gpus::beside);
  CHECK(gpus_of<MergeForOther<float>>() == Gpus::beside);
  CHECK(gpus_of<Reduce<double>>() == Gpus::with_all);
  CHECK(gpus_of<Images<double, LaplaceGradient>>() == Gpus::with_all);
}
