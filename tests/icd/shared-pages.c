// SPDX-License-Identifier: MIT
//
// Buffers whose pages the device's process maps too: what maps, transfers and commands in order see of them.
#include <pthread.h>

#include "check.h"

enum { BYTES = 4 << 20, N = BYTES / sizeof(int) };

static const char* source = "kernel void add(global int* a, int n) { a[get_global_id(0)] += n; }";
static struct Setup s;
static cl_kernel kernel;

static void add(cl_command_queue queue, cl_mem buffer, int n, cl_uint waits, const cl_event* list) {
  const size_t all = N;
  CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  CHECK(clSetKernelArg(kernel, 1, sizeof n, &n));
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &all, NULL, waits, list, NULL));
}

static int wrong(const int* data, int more, size_t from, size_t to) {
  int count = 0;
  for (size_t i = from; i < to; i++) count += data[i - from] != (int)i + more;
  return count;
}

static void* open_gate(void* gate) {
  clSetUserEventStatus(gate, CL_COMPLETE);
  return NULL;
}

int main(void) {
  cl_int status;
  s = set_up(source);
  kernel = clCreateKernel(s.program, "add", &status);
  CHECK(status);
  int* data = malloc(BYTES);
  for (int i = 0; i < N; i++) data[i] = i;
  cl_mem buffer = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, BYTES, data, &status);
  CHECK(status);
  add(s.queue, buffer, 1, 0, NULL);
  int* mapped = clEnqueueMapBuffer(s.queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &status);
  CHECK(status);
  printf("mapped %d wrong\n", wrong(mapped, 1, 0, N));
  for (int i = 0; i < N; i++) mapped[i]++;
  const cl_buffer_region half = {BYTES / 2, BYTES / 2};
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &status);
  CHECK(status);
  int* upper = clEnqueueMapBuffer(s.queue, part, CL_TRUE, CL_MAP_READ, 4096, 4096, 0, NULL, NULL, &status);
  CHECK(status);
  printf("one memory %d\n", upper == mapped + N / 2 + 1024);
  CHECK(clEnqueueUnmapMemObject(s.queue, part, upper, 0, NULL, NULL));
  CHECK(clEnqueueUnmapMemObject(s.queue, buffer, mapped, 0, NULL, NULL));
  add(s.queue, buffer, 1, 0, NULL);

  // A blocking read comes after the commands before it, which wait for a gate that another thread opens.
  cl_event gate = clCreateUserEvent(s.context, &status);
  CHECK(status);
  add(s.queue, buffer, 4, 1, &gate);
  pthread_t other;
  pthread_create(&other, NULL, open_gate, gate);
  CHECK(clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
  pthread_join(other, NULL);
  printf("read %d wrong\n", wrong(data, 7, 0, N));

  // A blocking write, of a part and with an event, on a queue that measures time.
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue timed = clCreateCommandQueueWithProperties(s.context, s.device, properties, &status);
  CHECK(status);
  cl_event written;
  for (int i = 0; i < N; i++) data[i] = i;
  CHECK(clEnqueueWriteBuffer(timed, part, CL_TRUE, 0, BYTES / 2, data + N / 2, 0, NULL, &written));
  cl_ulong times[4];
  for (int i = 0; i < 4; i++) CHECK(clGetEventProfilingInfo(written, CL_PROFILING_COMMAND_QUEUED + i, sizeof times[i], &times[i], NULL));
  cl_int state;
  CHECK(clGetEventInfo(written, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
  printf("complete %d, times in order %d, takes time %d\n", state == CL_COMPLETE,
         times[0] <= times[1] && times[1] <= times[2], times[2] < times[3]);
  memset(data, 0, BYTES);
  CHECK(clEnqueueReadBuffer(timed, buffer, CL_TRUE, BYTES / 4, BYTES / 2, data, 0, NULL, NULL));
  printf("written %d wrong, before it %d\n", wrong(data + N / 4, 0, N / 2, 3 * N / 4), wrong(data, 7, N / 4, N / 2));

  // Transfers that do not block: writes, kernels and reads in order, several at a time, some of a buffer that is released.
  int* copies = malloc(4 * (size_t)BYTES);
  int unequal = 0;
  for (int i = 0; i < N; i++) data[i] = i;
  for (int i = 0; i < 4; i++) {
    cl_mem own = clCreateBuffer(s.context, 0, BYTES, NULL, &status);
    CHECK(status);
    CHECK(clEnqueueWriteBuffer(s.queue, own, CL_FALSE, 0, BYTES, data, 0, NULL, NULL));
    add(s.queue, own, i, 0, NULL);
    CHECK(clEnqueueReadBuffer(s.queue, own, CL_FALSE, 0, BYTES, copies + i * (size_t)N, 0, NULL, NULL));
    CHECK(clReleaseMemObject(own));
  }
  CHECK(clFinish(s.queue));
  for (int i = 0; i < 4; i++) unequal += wrong(copies + i * (size_t)N, i, 0, N);
  cl_event failing = clCreateUserEvent(s.context, &status);
  cl_event never;
  CHECK(clEnqueueWriteBuffer(s.queue, buffer, CL_FALSE, 0, BYTES, copies, 1, &failing, &never));
  CHECK(clSetUserEventStatus(failing, -7));
  status = clWaitForEvents(1, &never);
  printf("without blocking %d wrong, after a failure %d\n", unequal, status);
  free(copies);

  cl_event broken = clCreateUserEvent(s.context, &status);
  CHECK(status);
  CHECK(clSetUserEventStatus(broken, -5));
  printf("after a failure %d\n", clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, 0, BYTES, data, 1, &broken, NULL));
  CHECK(clFinish(s.queue));

  // Released while a command uses it: its pages are another buffer's only afterwards.
  int lost = 0;
  for (int i = 0; i < 60; i++) {
    cl_mem passing = clCreateBuffer(s.context, 0, BYTES, NULL, &status);
    CHECK(status);
    add(s.queue, passing, i, 0, NULL);
    CHECK(clReleaseMemObject(passing));
    for (int k = 0; k < N; k++) data[k] = k;
    cl_mem next = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, BYTES, data, &status);
    CHECK(status);
    if (i % 20 == 0) {
      CHECK(clEnqueueReadBuffer(s.queue, next, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
      lost += wrong(data, 0, 0, N);
    }
    CHECK(clReleaseMemObject(next));
  }
  printf("pages of others %d wrong\n", lost);
  return 0;
}
