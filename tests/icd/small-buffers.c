// SPDX-License-Identifier: MIT
//
// Small buffers, whose pages the device's process maps many at a time: thousands share them, and each has its own contents.
#include "check.h"

enum { BYTES = 8 << 10, N = BYTES / sizeof(int), MANY = 9000, FEW = 300, ROUNDS = 20 };

static const char* source = "kernel void add(global int* a, int n) { a[get_global_id(0)] += n; }";
static struct Setup s;
static cl_mem buffers[MANY];

/** Whether two maps have one address: they have, if both processes map the buffer's pages. */
static int is_shared(cl_mem buffer) {
  cl_int status;
  void* maps[2];
  for (int i = 0; i < 2; i++) {
    maps[i] = clEnqueueMapBuffer(s.queue, buffer, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &status);
    CHECK(status);
  }
  for (int i = 0; i < 2; i++) CHECK(clEnqueueUnmapMemObject(s.queue, buffer, maps[i], 0, NULL, NULL));
  return maps[0] == maps[1];
}

static cl_mem make(cl_context context, size_t size) {
  cl_int status;
  cl_mem buffer = clCreateBuffer(context, 0, size, NULL, &status);
  CHECK(status);
  return buffer;
}

static void fill(cl_command_queue queue, cl_mem buffer, int value) {
  int data[N];
  for (int i = 0; i < N; i++) data[i] = value;
  CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
}

static int wrong(cl_command_queue queue, cl_mem buffer, int value) {
  int data[N];
  CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
  int count = 0;
  for (int i = 0; i < N; i++) count += data[i] != value;
  return count;
}

static void add(cl_kernel kernel, cl_mem buffer, int n) {
  const size_t all = N;
  CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  CHECK(clSetKernelArg(kernel, 1, sizeof n, &n));
  CHECK(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &all, NULL, 0, NULL, NULL));
}

int main(void) {
  cl_int status;
  s = set_up(source);
  cl_kernel kernel = clCreateKernel(s.program, "add", &status);
  CHECK(status);
  for (int i = 0; i < MANY; i++) fill(s.queue, buffers[i] = make(s.context, BYTES), i);
  int shared = 0;
  int bad = 0;
  for (int i = 0; i < MANY; i++) shared += is_shared(buffers[i]);
  for (int i = 0; i < MANY; i += 7) bad += wrong(s.queue, buffers[i], i);
  printf("%d of %d buffers share pages, %d wrong\n", shared, MANY, bad);
  for (int i = 0; i < MANY; i++) CHECK(clReleaseMemObject(buffers[i]));
  CHECK(clFinish(s.queue));

  // Released and made again in another order, with other sizes between them, in two contexts, some while a kernel uses them.
  cl_context other = clCreateContext(NULL, 1, &s.device, NULL, NULL, &status);
  CHECK(status);
  cl_command_queue beside = clCreateCommandQueue(other, s.device, 0, &status);
  CHECK(status);
  static cl_mem strangers[FEW];
  static int values[FEW];
  bad = 0;
  for (int i = 0; i < FEW; i++) fill(s.queue, buffers[i] = make(s.context, BYTES), values[i] = i);
  for (int i = 0; i < FEW; i++) fill(beside, strangers[i] = make(other, BYTES), -i);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = round % 5; i < FEW; i += 3 + round % 4) {
      add(kernel, buffers[i], 1);
      if (i % 2 == 0) bad += wrong(s.queue, buffers[i], values[i] + 1);
      CHECK(clReleaseMemObject(buffers[i]));
      cl_mem passing = make(s.context, (size_t)4096 * (1 + (i + round) % 40));
      fill(s.queue, buffers[i] = make(s.context, BYTES), values[i] = 1000 * round + i);
      CHECK(clReleaseMemObject(passing));
    }
    for (int i = 0; i < FEW; i += 11) bad += wrong(s.queue, buffers[i], values[i]);
  }
  for (int i = 0; i < FEW; i++) bad += wrong(s.queue, buffers[i], values[i]) + wrong(beside, strangers[i], -i);
  printf("two contexts: %d wrong\n", bad);
  for (int i = 0; i < FEW; i++) {
    CHECK(clReleaseMemObject(buffers[i]));
    CHECK(clReleaseMemObject(strangers[i]));
  }
  CHECK(clReleaseCommandQueue(beside));
  CHECK(clReleaseContext(other));
  return 0;
}
