// SPDX-License-Identifier: MIT
#include "place_thread.h"

#ifdef __linux__
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace anycl {

namespace {

#ifdef __linux__

/** Signal 0 is sent to nobody; it tells whether the thread is one of this process. Linux gives numbers of ended threads to new ones. */
bool is_ours(pid_t thread) { return syscall(SYS_tgkill, getpid(), thread, 0) == 0; }

bool place(pid_t thread, cl_uint part, cl_uint parts) {
  // Those of the main thread: the thread may have been placed before.
  cpu_set_t allowed;
  if (!is_ours(thread) || sched_getaffinity(getpid(), sizeof allowed, &allowed) != 0) return false;
  if (parts == 0 || static_cast<cl_uint>(CPU_COUNT(&allowed)) < parts) return false;
  cpu_set_t own;
  CPU_ZERO(&own);
  cl_uint count = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &allowed) && count++ % parts == part) CPU_SET(cpu, &own);
  return sched_setaffinity(thread, sizeof own, &own) == 0;
}

int part_of_this_thread(cl_uint parts) {
  cpu_set_t allowed;
  const int current = sched_getcpu();
  if (current < 0 || parts == 0 || sched_getaffinity(getpid(), sizeof allowed, &allowed) != 0) return -1;
  cl_uint before = 0;
  for (int cpu = 0; cpu < current; cpu++) before += CPU_ISSET(cpu, &allowed) ? 1 : 0;
  return static_cast<int>(before % parts);
}

#else

bool place(int, cl_uint, cl_uint) { return false; }

int part_of_this_thread(cl_uint) { return -1; }

#endif

}  // namespace

napi_value place_thread(Arguments& a) {
  return a.of(place(a.int32(0), a.uint(1), a.uint(2)) ? 1.0 : 0.0);
}

napi_value current_part(Arguments& a) { return a.of(part_of_this_thread(a.uint(0))); }

}  // namespace anycl
