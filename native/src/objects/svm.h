// SPDX-License-Identifier: MIT
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/**
 * svmAlloc(context, flags, size, alignment): handle, address, and the memory as an array, or undefined if
 * that is forbidden
 */
napi_value svm_alloc(Arguments& a);
/** unifiedSvmAlloc(context, properties, type index, size) */
napi_value unified_svm_alloc(Arguments& a);
/** svmTypeIndex(context, required capabilities, device or undefined, size) */
napi_value svm_type_index(Arguments& a);
/** svmCopy(svm, offset, view, to the svm): between its memory and a view, by the host */
napi_value svm_copy(Arguments& a);

}  // namespace anycl
