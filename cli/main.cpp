// SPDX-License-Identifier: BSD-3-Clause
// The program `nearfar`: what is all of it but this file, the commands, is a library that is loaded here. A question
// for the version is answered without: loading StarPU, HDF5 and what they stand on takes longer than the answer may.
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <sys/resource.h>

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("nearfar " NEARFAR_VERSION);
    return std::fflush(stdout) == 0 ? 0 : 2;
  }
  // For all to see, as if it were linked: libraries of scheduling policies look for StarPU in the program.
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
