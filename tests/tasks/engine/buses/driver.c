// SPDX-License-Identifier: BSD-3-Clause
// A stand-in for NVIDIA's driver: TEST_GPUS of them, of which number TEST_GPU_USED has a context.
#include <stdlib.h>

static int number(char const* variable, int otherwise) {
  char const* const text = getenv(variable);
  return text != NULL ? atoi(text) : otherwise;
}

int cuDeviceGetCount(int* count) {
  *count = number("TEST_GPUS", 0);
  return 0;
}

int cuDeviceGet(int* device, int ordinal) {
  *device = 100 + ordinal;
  return 0;
}

int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  *flags = 0;
  *active = device == 100 + number("TEST_GPU_USED", -1);
  return 0;
}
