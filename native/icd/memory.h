// SPDX-License-Identifier: MIT
//
// The checks of memory objects' flags and sizes.
#pragma once
#include <vector>

#include "objects.h"

namespace icd {

bool are_consistent(cl_mem_flags flags);
/** Whether there is a host pointer exactly if the flags require one. */
bool fits_host_pointer(cl_mem_flags flags, const void* host);
/** The flags for the server, which cannot access the program's memory. */
cl_mem_flags server_flags(cl_mem_flags flags);
/** The flags of an object that uses another's memory. */
cl_mem_flags inherit(cl_mem_flags flags, cl_mem_flags parent);
/** Whether an object that uses another's memory would allow accesses that the other forbids. */
bool widens_access(cl_mem_flags flags, cl_mem_flags parent);
/** Memory objects have no properties. */
cl_int read_mem_properties(const cl_mem_properties* properties, std::vector<cl_mem_properties>& list);

inline bool is_within(size_t offset, size_t size, size_t whole) { return offset <= whole && size <= whole - offset; }

}  // namespace icd
