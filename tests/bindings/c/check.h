/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the C tests: a failed one says where and goes on; main returns how many failed. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <nearfar/nearfar.h>

extern int failures;

#define CHECK(condition) \
  ((condition) ? (void)0 : (void)(++failures, printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))
/* A call that succeeds; else its text is shown. */
#define OK(call) \
  ((call) == NEARFAR_OK \
       ? (void)0 \
       : (void)(++failures, printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, nearfar_last_error())))
/* A call that fails with that code, and a text with those words. */
#define FAILS(code, words, call) \
  ((call) == (code) && strstr(nearfar_last_error(), words) != NULL \
       ? (void)0 \
       : (void)(++failures, printf("%s:%d: %s: '%s' has no '%s', or the code is another\n", __FILE__, __LINE__, #call, \
                                   nearfar_last_error(), words)))
#define NEAR(value, expected, tolerance) \
  (fabs((double)(value) - (expected)) <= (tolerance) \
       ? (void)0 \
       : (void)(++failures, printf("%s:%d: %s is %.15g, not %.15g within %g\n", __FILE__, __LINE__, #value, \
                                   (double)(value), (double)(expected), (double)(tolerance))))

#define MADELUNG 1.747564594633182 /* of rock salt, per distance of neighbours */

/* Rock salt: 8 ions in a box of 2 that repeats without end. */
void rock_salt(double ions[24], double charges[8]);

void test_ewald(nearfar_runtime *runtime);
void test_vectors(nearfar_runtime *runtime);
void test_fmm(nearfar_runtime *runtime);
void test_direct(nearfar_runtime *runtime);
void test_poisson(nearfar_runtime *runtime);
void test_errors(nearfar_runtime *runtime);
void test_refused(nearfar_runtime *runtime);
void test_runtime(nearfar_runtime *runtime);

#endif
