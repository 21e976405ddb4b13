// SPDX-License-Identifier: MIT
//
// What the host writes has contents for checked kernels: buffers filled by a command, by a mapping, and at their creation. While a mapping
// lasts, kernels must not touch what it is of.
#include "check.h"

enum { COUNT = 16 };

static const char* SOURCE =
    "kernel void add(global int* out, global const int* a, global const int* b, global const int* c) {\n"
    "  int i = get_global_id(0);\n"
    "  out[i] = a[i] + b[i] + c[i];\n"
    "}\n";

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  int data[COUNT];
  const size_t bytes = sizeof data, global = COUNT;
  for (int i = 0; i < COUNT; i++) data[i] = i;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  cl_program program = clCreateProgramWithSource(context, 1, &SOURCE, NULL, &status);
  CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "add", &status);
  cl_mem buffers[4];
  for (cl_uint i = 0; i < 3; i++) buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  buffers[3] = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, data, &status);
  for (cl_uint i = 0; i < 4; i++) CHECK(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  CHECK(clEnqueueWriteBuffer(queue, buffers[1], CL_FALSE, 0, bytes, data, 0, NULL, NULL));
  int* mapped = clEnqueueMapBuffer(queue, buffers[2], CL_TRUE, CL_MAP_WRITE, 0, bytes / 2, 0, NULL, NULL, &status);
  for (int i = 0; i < COUNT / 2; i++) mapped[i] = i;
  CHECK(clEnqueueUnmapMemObject(queue, buffers[2], mapped, 0, NULL, NULL));
  const size_t half = COUNT / 2;
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &half, NULL, 0, NULL, NULL));
  CHECK(clFinish(queue));
  fprintf(stderr, "now all\n");
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  CHECK(clFinish(queue));
  fprintf(stderr, "now mapped\n");
  const cl_map_flags flags[4] = {CL_MAP_READ, CL_MAP_READ, CL_MAP_WRITE_INVALIDATE_REGION, CL_MAP_READ | CL_MAP_WRITE};
  void* regions[4];
  for (cl_uint i = 0; i < 4; i++)
    regions[i] = clEnqueueMapBuffer(queue, buffers[i], CL_FALSE, flags[i], 0, bytes, 0, NULL, NULL, &status);
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &half, NULL, 0, NULL, NULL));
  for (cl_uint i = 0; i < 4; i++) CHECK(clEnqueueUnmapMemObject(queue, buffers[i], regions[i], 0, NULL, NULL));
  CHECK(clFinish(queue));
  fprintf(stderr, "now unmapped\n");
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &half, NULL, 0, NULL, NULL));
  CHECK(clFinish(queue));
  return 0;
}
