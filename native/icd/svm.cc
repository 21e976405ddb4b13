// SPDX-License-Identifier: MIT
//
// Shared virtual memory: the platform does not claim it, as the device's memory is another process's and its pointers have 32 bits.
#include "objects.h"

namespace icd {

void* CL_API_CALL clSVMAlloc(cl_context, cl_svm_mem_flags, size_t, cl_uint) { return nullptr; }
void CL_API_CALL clSVMFree(cl_context, void*) {}

namespace {

cl_int unsupported(cl_command_queue queue) { return is(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE; }

}  // namespace

cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue queue, cl_uint, void*[],
                                    void(CL_CALLBACK*)(cl_command_queue, cl_uint, void*[], void*), void*, cl_uint,
                                    const cl_event*, cl_event*) {
  return unsupported(queue);
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool, void*, const void*, size_t, cl_uint,
                                      const cl_event*, cl_event*) {
  return unsupported(queue);
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void*, const void*, size_t, size_t, cl_uint,
                                       const cl_event*, cl_event*) {
  return unsupported(queue);
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool, cl_map_flags, void*, size_t, cl_uint,
                                   const cl_event*, cl_event*) {
  return unsupported(queue);
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void*, cl_uint, const cl_event*, cl_event*) {
  return unsupported(queue);
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint, const void**, const size_t*,
                                          cl_mem_migration_flags, cl_uint, const cl_event*, cl_event*) {
  return unsupported(queue);
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint, const void*) {
  return is(kernel) ? CL_INVALID_OPERATION : CL_INVALID_KERNEL;
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info, size_t, const void*) {
  return is(kernel) ? CL_INVALID_OPERATION : CL_INVALID_KERNEL;
}

}  // namespace icd
