// SPDX-License-Identifier: MIT
//
// clEnqueueNativeKernel: a command that is a JavaScript function. The driver's thread waits while the environment's
// thread runs it.
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/**
 * enqueueNativeKernel(queue, memories, waits): event and ticket; the ticket is delivered when the function must
 * run.
 */
napi_value enqueue_native_kernel(Arguments& a);
/** nativeKernelMemory(ticket): an array over each memory object, or its size if that is forbidden */
napi_value native_kernel_memory(Arguments& a);
/** nativeKernelCopy(ticket, index, view, to the memory): for memory without an array over it */
napi_value native_kernel_copy(Arguments& a);
/** nativeKernelDone(ticket): the command is complete. */
napi_value native_kernel_done(Arguments& a);

}  // namespace anycl
