// SPDX-License-Identifier: MIT
//
// A program that uses libanycl-icd as a loader would, linked to the library of its own target: the software device computes sines. It
// needs no OpenCL headers.
#include "../../native/icd/dispatch.gen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern "C" void* clGetExtensionFunctionAddress(const char* name);

namespace {

template <typename T>
const icd::Dispatch& of(T* object) {
  return **reinterpret_cast<const icd::Dispatch* const*>(object);
}

void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  printf("%s: %d\n", what, status);
  exit(1);
}

constexpr int kCount = 1000;
constexpr float kStep = 0.01f;
const char* const kSource = "kernel void sines(global float* a) { size_t i = get_global_id(0); a[i] = sin(a[i]); }";

}  // namespace

int main() {
  using GetPlatforms = cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*);
  const auto platforms = reinterpret_cast<GetPlatforms>(clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR"));
  cl_platform_id platform = nullptr;
  check(platforms(1, &platform, nullptr), "clIcdGetPlatformIDsKHR");
  cl_device_id device = nullptr;
  check(of(platform).clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_int status = CL_SUCCESS;
  const cl_context context = of(device).clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  const cl_command_queue queue = of(context).clCreateCommandQueueWithProperties(context, device, nullptr, &status);
  check(status, "clCreateCommandQueueWithProperties");
  const char* source = kSource;
  const cl_program program = of(context).clCreateProgramWithSource(context, 1, &source, nullptr, &status);
  check(status, "clCreateProgramWithSource");
  check(of(program).clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
  const cl_kernel kernel = of(program).clCreateKernel(program, "sines", &status);
  check(status, "clCreateKernel");
  float data[kCount];
  for (int i = 0; i < kCount; i++) data[i] = i * kStep;
  cl_mem buffer = of(context).clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &status);
  check(status, "clCreateBuffer");
  check(of(kernel).clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
  const size_t global = kCount;
  check(of(queue).clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(of(queue).clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  for (int i = 0; i < kCount; i++)
    if (fabsf(data[i] - sinf(i * kStep)) > 1e-5f) {
      printf("wrong at %d: %g\n", i, data[i]);
      return 1;
    }
  printf("passed\n");
  return 0;
}
