// SPDX-License-Identifier: MIT
#pragma once
#include "cursor.h"

namespace anycl {

/**
 * For drivers that crash on a sub-buffer (see quirks.h): its parent, with `offset` adjusted; for others the buffer itself. `end`:
 * the end of the access, which is checked here, as the driver no longer knows the sub-buffer's size.
 */
cl_mem whole_buffer(cl_mem buffer, size_t& offset, size_t end, const Platform& platform, const char* function);

/** The end of a rectangle of bytes; a pitch of 0 means the least possible one. */
size_t end_of(const Size3& origin, const Size3& region, size_t row_pitch, size_t slice_pitch);

inline size_t count_of(const Size3& region) { return region.v[0] * region.v[1] * region.v[2]; }

}  // namespace anycl
