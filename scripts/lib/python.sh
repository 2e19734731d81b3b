# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Virtual environments: one with what the Python package needs, one for the site. Without them all else is built.
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

make_environment() {  # make_environment PYTHON FOLDER LIST
  rm -rf "$2" && "$1" -m venv "$2" && "$2/bin/python" -m pip install --disable-pip-version-check -r "$3" &&
    environment_stamp "$1" "$3" >"$2/nearfar-stamp"
}

environment_stamp() { "$1" --version && cat "$2"; }

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
  if ! cmp -s "$folder/nearfar-stamp" <(environment_stamp "$python" "$root/scripts/lib/python.txt") &&
    ! attempt "install nanobind, NumPy, pytest, JAX for Python" make_environment "$python" "$folder" \
      "$root/scripts/lib/python.txt"; then
    warn "the Python registry could not be reached, or has not what scripts/lib/python.txt names: the Python package" \
      "is not built; all else goes on"
    return
  fi
  # shellcheck disable=SC2034  # for scripts/setup
  python_environment=$folder/bin/python
}

# Sets site_environment likewise, to an interpreter with Sphinx and Matplotlib.
install_site_environment() {
  local python folder=$starpu_home/site list=$root/scripts/lib/site.txt
  site_environment=
  python=$(find_python)
  if [[ -z $python ]] || { ! cmp -s "$folder/nearfar-stamp" <(environment_stamp "$python" "$list") &&
    ! attempt "install Sphinx and Matplotlib for the site" make_environment "$python" "$folder" "$list"; }; then
    warn "there is no Python with venv, or the Python registry has not what scripts/lib/site.txt names: no site is" \
      "built; all else goes on"
    return
  fi
  # shellcheck disable=SC2034  # for scripts/setup
  site_environment=$folder/bin/python
}
