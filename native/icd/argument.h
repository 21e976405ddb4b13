// SPDX-License-Identifier: MIT
//
// A kernel argument as a program gives it: for clSetKernelArg, and for the commands of command buffers.
#pragma once
#include "objects.h"

namespace icd {

struct Argument {
  ArgumentKind kind = ArgumentKind::kValue;
  /** The id of an object. */
  uint32_t object = 0;
  /** Bytes of local memory, or an address. */
  uint64_t size = 0;
  /** The bytes of a value, in the program's memory. */
  Slice<uint8_t> value;

  /** The error code for a parameter of this kind, or CL_SUCCESS. */
  cl_int read(ParameterKind parameter, size_t arg_size, const void* arg_value);
  /** The same for a pointer to shared virtual memory. */
  cl_int read_pointer(cl_context context, ParameterKind parameter, const void* pointer);

 private:
  template <typename T>
  cl_int read_handle(size_t arg_size, const void* arg_value, bool may_be_null, cl_int invalid);
};

cl_int set_argument(cl_kernel kernel, cl_uint index, const Argument& argument);

/** The error code for a parameter of clSetKernelExecInfo, or CL_SUCCESS. The parameters have no effect: kernels can access all memory of
 * the context. */
cl_int check_exec_info(cl_kernel_exec_info param_name, size_t size, const void* value);

}  // namespace icd
