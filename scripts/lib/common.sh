# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What all scripts share: messages, timed steps with quiet logs, and the facts about this machine.
# A step is a function or command in one argument list; its output goes to a log that is shown only when it fails.
# Inside a step bash ignores `set -e`, so step functions chain their commands with `&&`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
logs=$root/build/logs
# shellcheck disable=SC2034  # for the scripts that source this file
environment_file=$root/.nearfar-env

say() { printf '%s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# attempt TEXT COMMAND...: one line with the elapsed time; the status is the command's.
attempt() {
  local text=$1 start=$SECONDS status=0 log
  shift
  mkdir -p "$logs"
  log=$logs/$(tr -cs 'a-zA-Z0-9.' '-' <<<"$text" | sed 's/-*$//').log
  printf '%-58s ' "$text"
  ("$@") >"$log" 2>&1 </dev/null || status=$?  # a folder that a step goes to may be gone when it ends
  if ((status == 0)); then
    printf 'ok      %4d s\n' $((SECONDS - start))
  else
    printf 'FAILED  %4d s\n' $((SECONDS - start))
    { echo "--- the last lines of $log"; tail -n 40 "$log"; echo "---"; } >&2
  fi
  return "$status"
}

# step TEXT COMMAND...: as attempt, but a failure ends the script.
step() { attempt "$@" || die "'$1' failed; the whole log is named above"; }

have() { command -v "$1" >/dev/null 2>&1; }

# The processors this process may use: what `make` and `ninja` get.
processors() { nproc; }

# The CUDA compiler: $NVCC, the one on PATH, or the one in the customary place; empty if none.
find_nvcc() {
  local candidate
  for candidate in "${NVCC:-}" "$(command -v nvcc || true)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc"; do
    if [[ -n $candidate && -x $candidate ]]; then
      echo "$candidate"
      return
    fi
  done
}

# The CUDA folder of an nvcc, as nvcc itself tells it.
cuda_folder() {
  local top
  top=$("$1" --dryrun none.cu 2>&1 | sed -n 's/^#\$ _*TOP_*=//p' | head -n 1)
  readlink -f "${top:-$(dirname "$(readlink -f "$1")")/..}"
}
