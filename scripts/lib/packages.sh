# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Debian packages: what nearfar needs, and how the missing ones are installed.

# shellcheck disable=SC2034  # for the scripts that source this file
required_packages=(
  # to build
  cmake ninja-build make g++ ccache pkg-config patch ca-certificates
  # numerics, files, command line
  libtrilinos-kokkos-dev libxsimd-dev libfftw3-dev libhdf5-dev libcli11-dev nlohmann-json3-dev
  # what StarPU stands on; glpk is for starpu_bound
  libhwloc-dev libfxt-dev libglpk-dev libopenmpi-dev openmpi-bin
  # tests and benchmarks
  doctest-dev libbenchmark-dev
)
# shellcheck disable=SC2034
optional_packages=(valgrind gfortran)  # counts instructions (tests/instructions); calls the C API from Fortran
# shellcheck disable=SC2034
hip_packages=(hipcc libamdhip64-dev rocm-device-libs)
# shellcheck disable=SC2034
check_packages=(clang-format-14 clang-tidy shellcheck doxygen clang)  # tests of the sources (tests/structure)
# shellcheck disable=SC2034
fuzz_packages=(clang libclang-rt-dev)  # libFuzzer (tests/fuzz)

# Prints those of the given packages that are not installed.
missing_packages() {
  local package installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    grep -qx "installed $package" <<<"$installed" || echo "$package"
  done
}

as_root() {
  if ((EUID == 0)); then env DEBIAN_FRONTEND=noninteractive "$@"
  else sudo env DEBIAN_FRONTEND=noninteractive "$@"; fi
}

# An index that was fetched once in this run is not fetched again.
package_index_is_new=false
refresh_package_index() {
  $package_index_is_new && return
  as_root apt-get -q update
}

install_packages() { as_root apt-get -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 install "$@"; }

can_install_packages() { have apt-get && { ((EUID == 0)) || have sudo; }; }

# Installs what is missing of the given packages; the status tells whether all are there in the end.
ensure_packages() {
  local what=$1 missing
  shift
  have dpkg-query || die "this set-up knows Debian's packages only, and there is no dpkg here"
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} == 0)) && return
  if ! can_install_packages; then
    warn "these packages are missing, and neither root's rights nor sudo are at hand: ${missing[*]}"
    return 1
  fi
  say "packages missing ($what): ${missing[*]}"
  attempt "fetch the package index" refresh_package_index && package_index_is_new=true
  $package_index_is_new && attempt "install ${#missing[@]} packages ($what)" install_packages "${missing[@]}"
}
