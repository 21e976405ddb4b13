// SPDX-License-Identifier: MIT
//
// Kernels hold no references to their arguments: launches do.
#include "check.h"
#include <stdatomic.h>
#include <unistd.h>

static void CL_CALLBACK on_destroy(cl_mem memory, void* user_data) {
  (void)memory;
  atomic_store((atomic_int*)user_data, 1);
}

static int is_set(atomic_int* flag) {
  for (int tries = 0; tries < 500 && !atomic_load(flag); tries++) usleep(10000);
  return atomic_load(flag);
}

static cl_mem watched(struct Setup s, atomic_int* gone) {
  cl_int status;
  cl_mem buffer = clCreateBuffer(s.context, CL_MEM_READ_WRITE, 4, NULL, &status);
  CHECK(status);
  CHECK(clSetMemObjectDestructorCallback(buffer, on_destroy, gone));
  return buffer;
}

int main(void) {
  struct Setup s = set_up("kernel void set(global int *p) { *p = 7; }");
  cl_int status;
  cl_kernel kernel = clCreateKernel(s.program, "set", &status);
  CHECK(status);
  const size_t one = 1;

  atomic_int gone = 0;
  cl_mem buffer = watched(s, &gone);
  CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  CHECK(clReleaseMemObject(buffer));
  printf("destroyed although it is an argument %d\n", is_set(&gone));
  printf("launch with it %d\n", clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  cl_kernel copy = clCloneKernel(kernel, &status);
  CHECK(status);
  printf("launch of a copy %d\n", clEnqueueNDRangeKernel(s.queue, copy, 1, NULL, &one, NULL, 0, NULL, NULL));

  atomic_int launched = 0;
  buffer = watched(s, &launched);
  cl_event gate = clCreateUserEvent(s.context, &status);
  CHECK(status);
  CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  CHECK(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &one, NULL, 1, &gate, NULL));
  CHECK(clReleaseMemObject(buffer));
  usleep(100000);
  printf("kept by a launch %d\n", !atomic_load(&launched));
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clFinish(s.queue));
  printf("destroyed after it %d\n", is_set(&launched));
  return 0;
}
