/* SPDX-License-Identifier: BSD-3-Clause */
/* The C API in a program of C11: everything in nearfar.h, against constants of lattices and direct sums. */
#include "check.h"

int failures = 0;

void rock_salt(double ions[24], double charges[8]) {
  for (int i = 0; i < 8; ++i) {
    int const x = i / 4, y = i / 2 % 2, z = i % 2;
    ions[3 * i] = x, ions[3 * i + 1] = y, ions[3 * i + 2] = z;
    charges[i] = (x + y + z) % 2 == 0 ? 1 : -1;
  }
}

int main(void) {
  nearfar_runtime *runtime = NULL;
  nearfar_runtime_options options;
  nearfar_runtime_options_init(&options, sizeof options);
  options.cpus = 2;
  OK(nearfar_runtime_create(&options, &runtime));
  if (runtime == NULL) return 1;
  test_runtime(runtime);
  test_ewald(runtime);
  test_vectors(runtime);
  test_fmm(runtime);
  test_direct(runtime);
  test_poisson(runtime);
  test_errors(runtime);
  test_refused(runtime);
  nearfar_runtime_destroy(runtime);
  printf("%d failures\n", failures);
  return failures != 0;
}
