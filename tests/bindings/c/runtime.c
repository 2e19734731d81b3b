/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

void test_runtime(nearfar_runtime *runtime) {
  CHECK(nearfar_runtime_workers(runtime) == 2);
  CHECK(strcmp(nearfar_runtime_worker_kind(runtime, 0), "cpu") == 0);
  CHECK(strlen(nearfar_runtime_worker_name(runtime, 1)) > 0);
  CHECK(nearfar_runtime_worker_name(runtime, 2) == NULL);
  CHECK(strcmp(nearfar_runtime_scheduler(runtime), "overlap") == 0);
  CHECK(strstr(nearfar_runtime_version(runtime), "StarPU") != NULL);
  CHECK(nearfar_runtime_rank(runtime) == 0 && nearfar_runtime_ranks(runtime) == 1);
  CHECK(strchr(nearfar_version(), '.') != NULL);
  CHECK(strlen(nearfar_simd_level()) > 0);

  int rank = -1, ranks = -1;
  CHECK(nearfar_launch(&rank, &ranks) == NEARFAR_OK);
  CHECK(rank == 0 && ranks == 1);

  int found = 0, profiles = 0;
  for (; nearfar_scheduler_name((size_t)profiles) != NULL; ++profiles) {
    found += strcmp(nearfar_scheduler_name((size_t)profiles), "overlap") == 0;
    CHECK(strlen(nearfar_scheduler_purpose((size_t)profiles)) > 0);
  }
  CHECK(found == 1 && profiles > 3);

  nearfar_throughput row = {0};
  OK(nearfar_get_throughput(runtime, NEARFAR_DOUBLE, 0, &row, sizeof row));
  CHECK(row.work != NULL && strlen(row.work) > 0 && row.cpu > 0);
  FAILS(NEARFAR_BAD_INPUT, "rows; ask for one",
        nearfar_get_throughput(runtime, NEARFAR_SINGLE, 1000, &row, sizeof row));
  OK(nearfar_tune_once(runtime, NEARFAR_DOUBLE, 10)); /* so few points that there is nothing to measure */

  OK(nearfar_runtime_agree(runtime, NEARFAR_OK, NULL));
  FAILS(NEARFAR_NO_RESOURCE, "no such disk", nearfar_runtime_agree(runtime, NEARFAR_NO_RESOURCE, "no such disk"));
  OK(nearfar_runtime_mark(runtime, "here"));

  nearfar_runtime *same = NULL; /* it is shared */
  OK(nearfar_runtime_create(NULL, &same));
  nearfar_runtime_destroy(same);
  nearfar_runtime_destroy(NULL);
  nearfar_runtime_options options;
  nearfar_runtime_options_init(&options, sizeof options);
  options.scheduler = "fastest";
  FAILS(NEARFAR_BAD_INPUT, "runtime with other options", nearfar_runtime_create(&options, &same));
}
