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

/** The processors that the main thread might use when this thread last placed another one. */
thread_local cpu_set_t allowed;

bool place(pid_t thread, cl_uint part, cl_uint parts) {
  // Those of the main thread: the thread may have been placed before.
  if (!is_ours(thread) || sched_getaffinity(getpid(), sizeof allowed, &allowed) != 0) return false;
  if (parts == 0 || static_cast<cl_uint>(CPU_COUNT(&allowed)) < parts) return false;
  cpu_set_t own;
  CPU_ZERO(&own);
  cl_uint count = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &allowed) && count++ % parts == part) CPU_SET(cpu, &own);
  return sched_setaffinity(thread, sizeof own, &own) == 0;
}

int part_of_this_processor(cl_uint parts) {
  const int current = sched_getcpu();
  if (current < 0 || current >= CPU_SETSIZE || !CPU_ISSET(current, &allowed)) return -1;
  const cl_uint count = static_cast<cl_uint>(CPU_COUNT(&allowed));
  cl_uint part = 0;
  for (int cpu = 0; cpu < current; cpu++) part += CPU_ISSET(cpu, &allowed) ? 1 : 0;
  // With several processors in a part, others of them are free.
  return part < parts && part + parts >= count ? static_cast<int>(part) : -1;
}

#else

bool place(int, cl_uint, cl_uint) { return false; }

int part_of_this_processor(cl_uint) { return -1; }

#endif

}  // namespace

napi_value place_thread(Arguments& a) {
  return a.of(place(a.int32(0), a.uint(1), a.uint(2)) ? 1.0 : 0.0);
}

napi_value current_part(Arguments& a) { return a.of(part_of_this_processor(a.uint(0))); }

}  // namespace anycl
