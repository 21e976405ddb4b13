// SPDX-License-Identifier: MIT
//
// Transfers and maps of pages that the device's process maps too. On an idle queue the program's thread carries them out at once;
// otherwise they take their turn.
#include <pthread.h>
#include <unistd.h>

#include "check.h"

enum { N = 16 << 10, BYTES = N * sizeof(int), MANY = 1 << 20, ROUNDS = 300 };

static const char* source =
    "kernel void add(global int* a, int n) { a[get_global_id(0)] += n; }\n"
    "kernel void differ(global const int* a, global int* count) { if (a[get_global_id(0)] != a[0]) atomic_inc(count); }";
static struct Setup s;
static const size_t all = N;

static cl_kernel make(const char* name) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(s.program, name, &status);
  CHECK(status);
  return kernel;
}

static cl_mem make_buffer(size_t size) {
  cl_int status;
  cl_mem buffer = clCreateBuffer(s.context, 0, size, NULL, &status);
  CHECK(status);
  return buffer;
}

static int wrong(const int* data, int value) {
  int count = 0;
  for (int i = 0; i < N; i++) count += data[i] != value;
  return count;
}

static void set_all(int* data, int value) {
  for (int i = 0; i < N; i++) data[i] = value;
}

static void CL_CALLBACK note(cl_event event, cl_int status, void* seen) {
  (void)event;
  *(volatile int*)seen = status == CL_COMPLETE ? 1 : -1;
}

/** Writes one number to the whole buffer, again and again. */
static void* write_all(void* buffer) {
  int* data = malloc(MANY * sizeof(int));
  for (int i = 1; i <= ROUNDS; i++) {
    for (int j = 0; j < MANY; j++) data[j] = i;
    CHECK(clEnqueueWriteBuffer(s.queue, buffer, CL_TRUE, 0, MANY * sizeof(int), data, 0, NULL, NULL));
  }
  free(data);
  return NULL;
}

int main(void) {
  cl_int status;
  s = set_up(source);
  cl_kernel add = make("add");
  cl_mem buffer = make_buffer(BYTES);
  int* data = malloc(BYTES);
  const int ten = 10;
  CHECK(clSetKernelArg(add, 0, sizeof buffer, &buffer));
  CHECK(clSetKernelArg(add, 1, sizeof ten, &ten));

  // An event of a command that the server did not carry out: complete, with a callback, and known to other queues.
  set_all(data, 1);
  cl_event written;
  CHECK(clEnqueueWriteBuffer(s.queue, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, &written));
  cl_int state;
  cl_command_type type;
  CHECK(clGetEventInfo(written, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
  CHECK(clGetEventInfo(written, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
  volatile int seen = 0;
  CHECK(clSetEventCallback(written, CL_COMPLETE, note, (void*)&seen));
  for (int i = 0; i < 1000 && seen == 0; i++) usleep(1000);
  cl_command_queue other = clCreateCommandQueue(s.context, s.device, CL_QUEUE_PROFILING_ENABLE, &status);
  CHECK(status);
  cl_event added;
  CHECK(clEnqueueNDRangeKernel(other, add, 1, NULL, &all, NULL, 1, &written, &added));
  CHECK(clWaitForEvents(1, &added));
  CHECK(clEnqueueReadBuffer(s.queue, buffer, CL_FALSE, 0, BYTES, data, 1, &added, NULL));
  CHECK(clFinish(s.queue));
  printf("complete %d, type %u, callback %d, read %d wrong\n", state == CL_COMPLETE, type, seen, wrong(data, 11));

  // A command without blocking waits for those before it, whatever its size.
  cl_event gate = clCreateUserEvent(s.context, &status);
  CHECK(status);
  CHECK(clEnqueueNDRangeKernel(s.queue, add, 1, NULL, &all, NULL, 1, &gate, NULL));
  set_all(data, 0);
  CHECK(clEnqueueReadBuffer(s.queue, buffer, CL_FALSE, 0, BYTES, data, 0, NULL, NULL));
  usleep(20000);
  const int early = data[0];
  // So does one that waits for an event on a queue that is idle.
  int* later = calloc(1, BYTES);
  CHECK(clEnqueueReadBuffer(other, buffer, CL_FALSE, 0, BYTES, later, 1, &gate, NULL));
  usleep(20000);
  const int early_too = later[0];
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clFinish(s.queue));
  CHECK(clFinish(other));
  printf("before the gate opens %d %d, after it %d wrong, read %d\n", early, early_too, wrong(data, 21), later[0] != 0);

  // Times are the server's.
  cl_event timed;
  cl_ulong begin = 0;
  cl_ulong end = 0;
  CHECK(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, &timed));
  CHECK(clGetEventProfilingInfo(timed, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
  CHECK(clGetEventProfilingInfo(timed, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
  printf("times %d\n", begin > 0 && end > begin);

  // Maps: the pages themselves, at once.
  int* mapped = clEnqueueMapBuffer(s.queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &status);
  CHECK(status);
  set_all(mapped, 5);
  cl_uint maps = 0;
  CHECK(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL));
  cl_event unmapped;
  CHECK(clEnqueueUnmapMemObject(s.queue, buffer, mapped, 0, NULL, &unmapped));
  CHECK(clEnqueueNDRangeKernel(other, add, 1, NULL, &all, NULL, 1, &unmapped, NULL));
  CHECK(clFinish(other));
  CHECK(clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
  printf("mapped %u, then %d wrong, unmapped twice %d\n", maps, wrong(data, 15), clEnqueueUnmapMemObject(s.queue, buffer, mapped, 0, NULL, NULL));

  // A kernel of another thread on the same queue sees all of a write or nothing of it.
  cl_kernel differ = make("differ");
  cl_mem count = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof(int), (int[]){0}, &status);
  CHECK(status);
  cl_mem large = make_buffer(MANY * sizeof(int));
  const int zero = 0;
  CHECK(clEnqueueFillBuffer(s.queue, large, &zero, sizeof zero, 0, MANY * sizeof(int), 0, NULL, NULL));
  CHECK(clFinish(s.queue));
  CHECK(clSetKernelArg(differ, 0, sizeof large, &large));
  CHECK(clSetKernelArg(differ, 1, sizeof count, &count));
  pthread_t writer;
  pthread_create(&writer, NULL, write_all, large);
  const size_t many = MANY;
  for (int i = 0; i < ROUNDS; i++) {
    CHECK(clEnqueueNDRangeKernel(s.queue, differ, 1, NULL, &many, NULL, 0, NULL, NULL));
    CHECK(clFinish(s.queue));
    // So that the queue is idle when the other thread looks.
    usleep(500 + 37 * (i % 16));
  }
  pthread_join(writer, NULL);
  int mixed = -1;
  CHECK(clEnqueueReadBuffer(s.queue, count, CL_TRUE, 0, sizeof mixed, &mixed, 0, NULL, NULL));
  printf("mixed %d\n", mixed);
  return 0;
}
