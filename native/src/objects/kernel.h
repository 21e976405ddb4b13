// SPDX-License-Identifier: MIT
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/** setArgBytes, quick: takes kernel, index and size; the bytes are in the scratch memory. */
void set_arg_bytes(Environment& environment);
/** setArgLarge(kernel, index, view): for arguments that do not fit there. */
napi_value set_arg_large(Arguments& a);
/** setArgLocal(kernel, index, size) */
napi_value set_arg_local(Arguments& a);
/** setArgObject, quick: takes kernel, index, and a memory object, sampler or queue, or 0 for a null buffer. */
void set_arg_object(Environment& environment);
/** setArgSvm(kernel, index, svm) */
napi_value set_arg_svm(Arguments& a);
/** setArgDevicePointer(kernel, index, address) */
napi_value set_arg_device_pointer(Arguments& a);
/** setExecInfo(kernel, key, bytes), setExecSvm(kernel, key, svms) */
napi_value set_exec_info(Arguments& a);
napi_value set_exec_svm(Arguments& a);
/** suggestedLocalSize(queue, kernel, global, offset or undefined) */
napi_value suggested_local_size(Arguments& a);
napi_value clone_kernel(Arguments& a);

}  // namespace anycl
