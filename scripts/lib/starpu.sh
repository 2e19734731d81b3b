# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2034  # some names are for the script that sources this file
# StarPU from Debian's own source package: fetch, patch, configure, build, install per user.
# One StarPU serves CPUs and at most one GPU maker: StarPU's configure refuses CUDA and HIP together,
# because their headers clash. So there are the variants cpu, cuda and hip, each with a prefix of its own. The variant
# wheel, for scripts/wheel, is for CPUs, without MPI, FxT and glpk, which are libraries that a wheel would have to bring;
# wheel-cuda, for scripts/wheel --cuda, is the same with CUDA.

starpu_version=1.4.10
starpu_sha256=6b3bb9ec0d79f937882148b2da09ae6cb0ad4d1e83a104be45723dd70eba99c3
starpu_series=1.4
starpu_home=${NEARFAR_PREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/nearfar}

common_flags=(
  --with-fxt --enable-maxcpus=128 --enable-maxbuffers=32 --with-mpicc=mpicc
  --enable-blas-lib=none --disable-opencl --disable-fortran --disable-static
  --disable-build-doc --disable-build-examples --disable-build-tests
  --disable-starpupy --disable-starpufft --disable-socl --disable-starpurm --disable-openmp-llvm
)

# configure's flags of a variant, one per line
starpu_flags() {
  if [[ $1 == wheel* ]]; then
    printf '%s\n' "${common_flags[@]}" | grep -vx -e --with-fxt -e --with-mpicc=mpicc
    printf '%s\n' --disable-fxt --disable-mpi --disable-glpk --disable-papi
  else printf '%s\n' "${common_flags[@]}"
  fi
  case $1 in
    wheel | cpu) printf '%s\n' --disable-cuda --disable-hip ;;
    wheel-cuda | cuda) printf '%s\n' --disable-hip --enable-cuda "--with-cuda-dir=$(cuda_folder "$(find_nvcc)")" --enable-maxcudadev=8 ;;
    hip) printf '%s\n' --disable-cuda --enable-hip ;;
  esac
}

# What a finished prefix was built from. A stamp that says something else means: build again.
starpu_recipe() {
  echo "nearfar StarPU recipe 2"
  starpu_flags "$1"
  if [[ $1 == *cuda ]]; then echo "without cuBLAS" && "$(find_nvcc)" --version | tail -n 1; fi
}

# The newest finished prefix of a variant whose recipe is today's; empty if none.
finished_starpu() {
  local stamp recipe
  recipe=$(starpu_recipe "$1")
  while read -r stamp; do
    if [[ $(<"$stamp") == "$recipe" ]]; then
      dirname "$stamp"
      return
    fi
  done < <(compgen -G "$starpu_home/starpu-*-$1/nearfar-stamp" | sort -Vr)
}

# --- the source ---

# A file that is already here: $NEARFAR_DOWNLOADS/starpu_*+dfsg.orig.tar.gz
starpu_from_downloads() {
  local file
  [[ -n ${NEARFAR_DOWNLOADS:-} ]] || return 1
  file=$(compgen -G "$NEARFAR_DOWNLOADS/starpu_$starpu_series.*+dfsg.orig.tar.gz" | sort -V | tail -n 1)
  [[ -n $file ]] || return 1
  is_genuine "$file" && cp "$file" "$1"
}

# Of the version named above the checksum is known; of others apt has checked the signature.
is_genuine() {
  [[ $1 != */starpu_"$starpu_version"+* ]] || sha256sum --status -c <<<"$starpu_sha256  $1" ||
    { warn "$1 is not the StarPU $starpu_version that Debian published; it is left aside" && return 1; }
}

# Debian's archives among the configured sources, each as "URI Signed-By" (the latter may be missing).
# apt itself reads both of its source formats, and tells who signed which and in which file and line it stands.
debian_archives() {
  local origin label component uri entry
  # shellcheck disable=SC2016  # these are apt's names, not the shell's
  apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)|$(SOURCESENTRY)' 'Created-By: Packages' |
    while IFS='|' read -r origin label component uri entry; do
      [[ $component == main && $origin/$label =~ ^(Debian/Debian|/)$ ]] && echo "$uri $(signed_by "${entry%:*}" "${entry##*:}")"
    done | sort -u
}

# The Signed-By of the source entry that starts at a line of a file.
signed_by() {
  case $1 in
    *.sources) tail -n +"$2" "$1" | sed -n '/^[[:space:]]*$/q; s/^[Ss]igned-[Bb]y:[[:space:]]*\(\/[^[:space:]]*\).*/\1/p' ;;
    *) sed -n "$2"'s/.*[[ ]signed-by=\([^] ]*\).*/\1/p' "$1" ;;
  esac
}

# apt with lists, cache and sources of its own: the user's apt stays as it was.
# A mirror may be a frozen copy, whose sid then counts as expired. Its age does not matter here: the signature is
# checked all the same, and the version we know has to have the checksum we know.
private_apt() {
  local program=$1 folder=$2
  shift 2
  "$program" -q -o "Dir::Etc::sourcelist=$folder/source.sources" -o "Dir::Etc::sourceparts=$folder/parts" \
    -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o Acquire::Check-Valid-Until=false "$@"
}

private_apt_update() {
  local folder=$1 suite=$2 uri=$3 keyring=$4
  mkdir -p "$folder"/{parts,lists/partial,cache/archives/partial}
  {
    printf 'Types: deb-src\nURIs: %s\nSuites: %s\nComponents: main\n' "$uri" "$suite"
    if [[ -n $keyring ]]; then printf 'Signed-By: %s\n' "$keyring"; fi
  } >"$folder/source.sources"
  private_apt apt-get "$folder" -o APT::Update::Error-Mode=any update
}

# The version to take from a suite: the one named above, or else the newest of its series.
starpu_in_suite() {
  private_apt apt-cache "$1" showsrc --only-source starpu |
    sed -n "s/^Version: \($starpu_series\.[^ ]*\)$/\1/p" | sort -V |
    awk -v wanted="$starpu_version+" 'index($0, wanted) == 1 { exact = $0 } { newest = $0 } END { print exact ? exact : newest }'
}

starpu_from_archive() {
  local work=$1 file=$2 uri keyring suite version got
  while read -r uri keyring; do
    for suite in sid testing stable; do
      private_apt_update "$work/apt" "$suite" "$uri" "$keyring" || continue
      version=$(starpu_in_suite "$work/apt")
      [[ -n $version ]] || continue
      (cd "$work" && private_apt apt-get "$work/apt" --only-source --tar-only --download-only source "starpu=$version") || continue
      got=$(compgen -G "$work/starpu_*.orig.tar.*") && is_genuine "$got" && mv "$got" "$file" && return
    done
  done < <(debian_archives)
  echo "no Debian archive among the sources of apt gave StarPU $starpu_series"
  return 1
}

fetch_starpu() {
  local work=$1
  starpu_from_downloads "$work/source.tar" || starpu_from_archive "$work" "$work/source.tar" || return
  mkdir -p "$work/source" "$work/build" && tar -xf "$work/source.tar" -C "$work/source" --strip-components=1 &&
    patch_starpu "$work/source"
}

# CUDA 13 took computeMode out of cudaDeviceProp. The attribute has said the same since CUDA 5.
# CUDA's libraries of linear algebra, which StarPU offers to set up and nothing here asks for, take 90 ms to load: longer
# than all else before a first task. So it does without (configure_starpu tells it that the other three are not there).
# And where StarPU was moved, or belongs to another user, it says at every start that a folder is missing which it does
# without: not with STARPU_SILENT=1.
patch_starpu() {
  sed -i 's/props\[devid\]\.computeMode == cudaComputeModeExclusive/({ int mode = 0; cudaDeviceGetAttribute(\&mode, cudaDevAttrComputeMode, devid); mode == cudaComputeModeExclusive; })/' \
    "$1"/src/drivers/cuda/driver_cuda{,1}.c
  sed -i 's/-lcudart -lcublas"/-lcudart"/' "$1/configure"
  sed -i 's/^#include <core\/workers.h>/&\n#undef STARPU_USE_CUDA/' "$1"/src/drivers/cuda/starpu_cublas{,_v2}.c
  sed -i 's/_STARPU_MSG("Warning: directory <%s> as set %s does not exist/_STARPU_DISP("Warning: directory <%s> as set %s does not exist/' \
    "$1/src/core/perfmodel/perfmodel.c"
}

# --- the build ---

configure_starpu() {
  local variant=$1 work=$2 prefix=$3 flags cuda='' rpath=''
  mapfile -t flags < <(starpu_flags "$variant")
  if [[ $variant == *cuda ]]; then cuda=$(cuda_folder "$(find_nvcc)")/lib64; fi
  if [[ $variant == cuda ]]; then rpath=$cuda; fi
  cd "$work/build" &&
    TMPDIR=$work LD_LIBRARY_PATH=${cuda:+$cuda:}${LD_LIBRARY_PATH:-} NVCC=$(find_nvcc) \
      CFLAGS=-O2 CXXFLAGS=-O2 LDFLAGS=${rpath:+-Wl,-rpath,$rpath} \
      ac_cv_lib_cublasLt_cublasLtCreate=no ac_cv_lib_cusparse_cusparseCreate=no ac_cv_lib_cusolver_cusolverDnCreate=no \
      ../source/configure --quiet --prefix="$prefix" --disable-full-gdb-information "${flags[@]}"
}

make_starpu() { make -s -C "$1/build" -j"$(processors)"; }

# The stamp comes last: a prefix without it is an interrupted build.
install_starpu() {
  local variant=$1 work=$2 prefix=$3
  rm -rf "$prefix" && make -s -C "$work/build" install && starpu_recipe "$variant" >"$prefix/nearfar-stamp"
}

starpu_source_missing=false

# build_starpu VARIANT: sets starpu_prefix to a finished StarPU, building it if there is none.
build_starpu() {
  local variant=$1 work status=0
  mkdir -p "$starpu_home"
  exec 9>"$starpu_home/lock" && flock 9
  starpu_prefix=$(finished_starpu "$variant")
  if [[ -z $starpu_prefix ]]; then
    work=$(mktemp -d "${TMPDIR:-/tmp}/nearfar-starpu.XXXXXX")
    # shellcheck disable=SC2064  # the folder of now
    trap "rm -rf '$work'" EXIT
    chmod 755 "$work"
    build_starpu_in "$variant" "$work" || status=$?
    rm -rf "$work"
  fi
  exec 9>&-
  return "$status"
}

build_starpu_in() {
  local variant=$1 work=$2 version
  attempt "StarPU $starpu_series: fetch the source" fetch_starpu "$work" || { starpu_source_missing=true && return 1; }
  version=$(sed -n "s/^PACKAGE_VERSION='\(.*\)'/\1/p" "$work/source/configure")
  starpu_prefix=$starpu_home/starpu-$version-$variant
  attempt "StarPU ($variant): configure" configure_starpu "$variant" "$work" "$starpu_prefix" &&
    attempt "StarPU ($variant): build" make_starpu "$work" &&
    attempt "StarPU ($variant): install" install_starpu "$variant" "$work" "$starpu_prefix"
}
