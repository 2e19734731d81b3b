# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154  # root, kit, preset: scripts/gpu
# The Python package in the kit of scripts/gpu, with the test of arrays in GPU memory. Which Python there will be on the
# other machine is not known: a module of the stable ABI serves each from 3.12 on, if there is such a one here to compile
# it with; else the module serves the Python of scripts/setup alone.

# An interpreter from 3.12 on with its headers: the one asked for, or the newest that is found; nothing if there is none.
find_stable_python() {
  local candidate
  for candidate in "${1:-}" python3.1{9..2} python3 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3; do
    if [[ -n $candidate ]] && "$candidate" -c 'import os, sys, sysconfig
sys.exit(sys.version_info < (3, 12) or not os.path.exists(sysconfig.get_paths()["include"] + "/Python.h"))' 2>/dev/null
    then echo "$candidate" && return; fi
  done
}

# build_stable_module PYTHON FILE: the module as CMake builds it, but for the stable ABI, which takes CMake 3.26.
build_stable_module() {
  local nanobind include flags
  nanobind=$(dirname "$("$(environment_value NEARFAR_PYTHON)" -m nanobind --cmake_dir)")
  include=$("$1" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
  flags=(-std=c++20 -O2 -DNDEBUG -DPy_LIMITED_API=0x030C0000 -DNB_COMPACT_ASSERTIONS -fPIC -fvisibility=hidden
    -fno-strict-aliasing -isystem "$include" -isystem "$nanobind/include" -isystem "$nanobind/ext/robin_map/include")
  "${CXX:-c++}" "${flags[@]}" -DNB_BUILD -c "$nanobind/src/nb_combined.cpp" -o "$2.nanobind.o" &&
    "${CXX:-c++}" "${flags[@]}" -I"$root" -I"$root/include" -shared "$root"/bindings/python/src/*.cpp \
      "$2.nanobind.o" -L"$root/build/$preset/tasks" -lnearfar -o "$2" && rm "$2.nanobind.o"
}

# copy_python [PYTHON]: into $kit/python. Without a Python package in the build there is none in the kit.
copy_python() {
  local built=$root/build/$preset/python/nearfar package=$kit/python/nearfar stable
  [[ -d $built ]] || { warn "there is no Python package in build/$preset, so none is in the kit" && return; }
  mkdir -p "$package"
  cp "$root"/bindings/python/nearfar/{*.py,py.typed} "$package/"
  cp "$root"/tests/bindings/python/gpu_arrays_test.py "$kit/python/"
  stable=$(find_stable_python "${1:-}")
  if [[ -n $stable ]]; then build_stable_module "$stable" "$package/_native.abi3.so"; fi
  cp "$built"/_native.cpython-*.so "$package/"
  strip --strip-debug "$package"/_native.*.so
  write_python_run >"$kit/run-python" && chmod +x "$kit/run-python"
}

# The folder of libraries that Python gets leaves out those that it may have newer ones of. CUDA's are those of the Python
# packages, if there are any: PyTorch, JAX and CuPy load the same.
write_python_run() {
  cat <<'RUN'
#!/usr/bin/env bash
# run-python [RESULTS]: tests Python's arrays in GPU memory (CuPy, PyTorch, JAX, Numba, as far as they are here). PYTHON names
# the interpreter [python3]. Status 77 if that cannot load the package, or has no pytest.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-python3}
out=${1:-$here/results}
libraries=$out/python-libraries
mkdir -p "$libraries"
for file in "$here"/lib/*; do
  [[ $file =~ lib(stdc\+\+|gcc_s|gomp|z)\.so ]] || ln -sf "$file" "$libraries/"
done
vendor=$("$python" -c 'import nvidia.cu13 as found; print(list(found.__path__)[0])' 2>/dev/null)/lib
[[ -e $vendor/libcudart.so.13 ]] || vendor=${CUDA_HOME:-/usr/local/cuda}/lib64
for name in libcudart.so.13 libcufft.so.12 libnvJitLink.so.13; do
  if [[ -e $vendor/$name ]]; then ln -sf "$vendor/$name" "$libraries/"; fi
done
export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PYTHONPATH=$here/python${PYTHONPATH:+:$PYTHONPATH}
export PATH=$here/bin:$PATH  # where the library finds the program that measures buses beside this process
export STARPU_HOME=$out/starpu NEARFAR_CACHE=$out/cache STARPU_SILENT=1 NEARFAR_RATES=default PYTHONDONTWRITEBYTECODE=1
echo "$("$python" --version 2>&1), CUDA's libraries from $vendor"
if ! "$python" -c 'import nearfar; print("nearfar", nearfar.__version__)'; then
  modules=$(cd "$here/python/nearfar" && echo _native.*.so)
  echo "SKIPPED: $python cannot load the package. The kit has $modules: abi3 is for every CPython from 3.12 on, cpython-3XY for"
  echo "CPython 3.XY alone, both with NumPy. Set PYTHON to one of those, or make the kit with scripts/gpu --python."
  exit 77
fi
"$python" -c 'import pytest' 2>/dev/null || { echo "SKIPPED: $python has no pytest" && exit 77; }
for name in torch cupy jax numba; do
  "$python" -c "import $name; print('$name', $name.__version__)" 2>/dev/null || echo "$name is not here"
done
timeout --kill-after=10 240 "$python" -m pytest -q -rs -p no:cacheprovider "$here/python/gpu_arrays_test.py"
status=$?
((status == 5)) && status=77  # all skipped: there is no GPU
exit "$status"
RUN
}
