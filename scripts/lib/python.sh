# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# A virtual environment with what the Python package needs. Without it all else is built.
# shellcheck disable=SC2154  # root: common.sh, starpu_home: starpu.sh

# The interpreter for it: with the headers that the package is compiled with.
find_python() {
  local candidate
  for candidate in python3 /usr/bin/python3; do
    if have "$candidate" && "$candidate" -c 'import ensurepip, os, sys, sysconfig
sys.exit(sys.version_info < (3, 10) or not os.path.exists(sysconfig.get_paths()["include"] + "/Python.h"))' 2>/dev/null
    then echo "$candidate" && return; fi
  done
}

make_environment() {  # make_environment PYTHON FOLDER
  rm -rf "$2" && "$1" -m venv "$2" &&
    "$2/bin/python" -m pip install --disable-pip-version-check -r "$root/scripts/lib/python.txt" &&
    { "$1" --version && cat "$root/scripts/lib/python.txt"; } >"$2/nearfar-stamp"
}

# Sets python_environment to its interpreter, or to nothing if it cannot be had.
install_python_environment() {
  local python folder=$starpu_home/python
  python_environment=
  python=$(find_python)
  if [[ -z $python ]]; then
    ensure_packages "for the Python package" python3-dev python3-venv || true
    python=$(find_python)
  fi
  if [[ -z $python ]]; then
    warn "there is no Python 3.10 with its headers and venv: the Python package is not built; all else goes on"
    return
  fi
  if ! cmp -s "$folder/nearfar-stamp" <("$python" --version && cat "$root/scripts/lib/python.txt") &&
    ! attempt "install nanobind, NumPy, pytest, JAX for Python" make_environment "$python" "$folder"; then
    warn "the Python registry could not be reached, or has not what scripts/lib/python.txt names: the Python package" \
      "is not built; all else goes on"
    return
  fi
  # shellcheck disable=SC2034  # for scripts/setup
  python_environment=$folder/bin/python
}
