// SPDX-License-Identifier: MIT
//
// Eight threads, each with a context and a queue of its own, and all with one that they share.
#include <pthread.h>

#include "check.h"

enum { THREADS = 8, ROUNDS = 40, N = 256 };

static const char* source = "kernel void add(global int* a, int n) { a[get_global_id(0)] += n; }";
static struct Setup shared;

static int run(struct Setup s, int thread) {
  cl_int status;
  int data[N];
  for (int i = 0; i < N; i++) data[i] = i;
  cl_mem buffer = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &status);
  CHECK(status);
  cl_kernel kernel = clCreateKernel(s.program, "add", &status);
  CHECK(status);
  const size_t all = N;
  for (int i = 0; i < ROUNDS; i++) {
    CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    CHECK(clSetKernelArg(kernel, 1, sizeof thread, &thread));
    cl_event ran;
    CHECK(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &all, NULL, 0, NULL, &ran));
    if (i % 3 == 0) CHECK(clWaitForEvents(1, &ran));
    if (i % 3 == 1) CHECK(clFinish(s.queue));
    CHECK(clReleaseEvent(ran));
  }
  CHECK(clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += data[i] != i + ROUNDS * thread;
  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseMemObject(buffer));
  return wrong;
}

static void* work(void* number) {
  const int thread = (int)(size_t)number;
  struct Setup own = set_up(source);
  int wrong = 0;
  wrong += run(own, thread);
  wrong += run(shared, thread);
  CHECK(clReleaseProgram(own.program));
  CHECK(clReleaseCommandQueue(own.queue));
  CHECK(clReleaseContext(own.context));
  return (void*)(size_t)wrong;
}

int main(void) {
  shared = set_up(source);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void*)(size_t)i);
  size_t wrong = 0;
  for (int i = 0; i < THREADS; i++) {
    void* result;
    pthread_join(threads[i], &result);
    wrong += (size_t)result;
  }
  printf("wrong %zu\n", wrong);
  return 0;
}
