// SPDX-License-Identifier: MIT
// What Debian's libstdc++ takes from glibc and musl does not have. On a machine that is not built on musl this lets Bun for
// musl start, which needs a libstdc++ (scripts/native/check-prebuilds.mjs). Enough for that and no more.
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

char __libc_single_threaded = 0;
unsigned __cpu_model[4];

uint32_t arc4random(void) {
  uint32_t value = 0;
  getrandom(&value, sizeof value, 0);
  return value;
}

size_t __strftime_l(char *into, size_t size, const char *format, const struct tm *time, locale_t locale) {
  return strftime_l(into, size, format, time, locale);
}

/** Destructors of a thread's objects do not run. */
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library) {
  (void)destroy, (void)object, (void)library;
  return 0;
}

/** libgcc finds no frames: Bun throws no exceptions, and the addon has its own unwinder. */
int _dl_find_object(void *address, void *result) {
  (void)address, (void)result;
  return -1;
}

int __cpu_indicator_init(void) { return 0; }
