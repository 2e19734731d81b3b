# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# From a set-up machine to a built preset, for scripts/demo and scripts/test.
# shellcheck disable=SC2154  # root, environment_file: common.sh

# The value of a name in .nearfar-env, empty if it is not there.
environment_value() { sed -n "s/^$1=//p" "$environment_file"; }

# Lets later commands find what scripts/setup found.
use_environment() {
  local nvcc
  nvcc=$(environment_value NVCC)
  if [[ -n $nvcc ]]; then export CUDACXX=${CUDACXX:-$nvcc}; fi
  PKG_CONFIG_PATH=$(environment_value STARPU_PREFIX)/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
  export PKG_CONFIG_PATH
}

# The preset that fits the StarPU of this machine.
main_preset() {
  case $(environment_value STARPU_VARIANT) in
    cuda) echo cuda ;;
    hip) echo hip ;;
    *) echo default ;;
  esac
}

# The preset of scripts/test: where no NVIDIA GPU will run them, kernels are compiled for one kind only.
test_preset() {
  local preset
  preset=$(main_preset)
  if [[ $preset == cuda && ! -e /dev/nvidiactl ]]; then preset=cuda-test; fi
  echo "$preset"
}

# The preset of scripts/demo, all of whose bodies this machine runs: kernels for GPUs take longer to compile than all else.
demo_preset() {
  local preset device
  preset=$(main_preset)
  for device in /dev/nvidiactl /dev/kfd; do
    if [[ -e $device ]]; then echo "$preset" && return; fi
  done
  echo demo
}

# CMake remembers where it found StarPU; when scripts/setup has since named another place, it has to look again.
# configure_preset PRESET [OPTION...]
configure_preset() {
  local preset=$1 again=()
  shift
  if [[ $environment_file -nt $root/build/$preset/CMakeCache.txt ]]; then again=(--fresh); fi
  cd "$root" && cmake --preset "$preset" "${again[@]}" "$@"
}
# build_preset PRESET [TARGET...]: all targets if none is named. What presets have in common is compiled once: ccache
# takes paths as seen from the build folder, and does not mind which folder that is.
build_preset() {
  local preset=$1
  shift
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
  cmake --build "$root/build/$preset" --parallel "$(processors)" ${1:+--target "$@"}
}

# make_preset PRESET [TARGET...]: configures and builds into build/<preset>; the status tells whether it worked.
make_preset() {
  attempt "configure preset $1" configure_preset "$1" && attempt "build preset $1" build_preset "$@"
}
