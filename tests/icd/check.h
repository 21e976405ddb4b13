// SPDX-License-Identifier: MIT
#ifndef ANYCL_TESTS_ICD_CHECK_H
#define ANYCL_TESTS_ICD_CHECK_H
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                         \
  do {                                                                      \
    cl_int status_ = (call);                                                \
    if (status_ != CL_SUCCESS) {                                            \
      printf("%s:%d: %s is %d\n", __FILE__, __LINE__, #call, (int)status_); \
      exit(1);                                                              \
    }                                                                       \
  } while (0)

/** A context, a queue and a kernel on the only device. */
struct Setup {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
};

static inline struct Setup set_up(const char* source) {
  struct Setup s;
  cl_platform_id platform;
  cl_int status;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &s.device, NULL));
  s.context = clCreateContext(NULL, 1, &s.device, NULL, NULL, &status);
  CHECK(status);
  s.queue = clCreateCommandQueue(s.context, s.device, 0, &status);
  CHECK(status);
  s.program = clCreateProgramWithSource(s.context, 1, &source, NULL, &status);
  CHECK(status);
  CHECK(clBuildProgram(s.program, 0, NULL, NULL, NULL, NULL));
  return s;
}

#endif
