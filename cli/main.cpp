// SPDX-License-Identifier: BSD-3-Clause
// The program `nearfar`. Everything except this file, that is the commands, is in a library loaded below. --version is
// answered without it, because loading StarPU, HDF5 and their dependencies takes longer than the answer should.
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <sys/resource.h>

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("nearfar " NEARFAR_VERSION);
    return std::fflush(stdout) == 0 ? 0 : 2;
  }
  // Global, as if it were linked: libraries of scheduling policies look up StarPU's symbols in the program.
  void* const commands = dlopen(NEARFAR_COMMANDS, RTLD_NOW | RTLD_GLOBAL);
  void* const run = commands != nullptr ? dlsym(commands, "nearfar_run_program") : nullptr;
  if (run == nullptr) {
    rlimit space{};
    bool const limited = getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
    std::fprintf(stderr, "nearfar: error: the program cannot be loaded (%s); %s\n", dlerror(),
                 limited ? "raise the limit on what it may map (ulimit -v)" : "install it again");
    return limited ? 3 : 1;
  }
  return reinterpret_cast<int (*)(int, char**)>(run)(argc, argv);
}
