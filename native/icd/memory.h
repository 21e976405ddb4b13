// SPDX-License-Identifier: MIT
//
// What is checked of memory objects' flags and sizes.
#pragma once
#include <vector>

#include "objects.h"

namespace icd {

bool are_consistent(cl_mem_flags flags);
/** Whether a host pointer is there if, and only if, the flags want one. */
bool fits_host_pointer(cl_mem_flags flags, const void* host);
/** The server knows nothing of the program's memory. */
cl_mem_flags server_flags(cl_mem_flags flags);
/** The flags of an object over another's memory. */
cl_mem_flags inherit(cl_mem_flags flags, cl_mem_flags parent);
/** Whether an object over another's memory would permit what that one rules out. */
bool widens_access(cl_mem_flags flags, cl_mem_flags parent);
/** No property is known. */
cl_int read_mem_properties(const cl_mem_properties* properties, std::vector<cl_mem_properties>& list);

inline bool is_within(size_t offset, size_t size, size_t whole) { return offset <= whole && size <= whole - offset; }

}  // namespace icd
