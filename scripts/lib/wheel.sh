# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What scripts/wheel does with a wheel that is compiled: so that it needs nothing of this machine, and says what is in it.
# shellcheck disable=SC2154  # root: common.sh; python, starpu_prefix: the script that sources this file

# repair_wheel WHEEL FOLDER: into FOLDER with all its libraries inside, except for glibc, those of the compiler that every
# system has, and CUDA's, which are in the vendor's wheels. StarPU is in the wheel already; auditwheel has to find it there.
repair_wheel() {
  PATH=$(dirname "$python"):$PATH LD_LIBRARY_PATH=$starpu_prefix/lib:${LD_LIBRARY_PATH:-} \
    "$python" -m auditwheel repair --exclude 'libcudart.so.*' --exclude 'libcufft.so.*' --wheel-dir "$2" "$1"
}

add_licences() { "$python" "$root/scripts/lib/add_licences.py" "$1"; }
