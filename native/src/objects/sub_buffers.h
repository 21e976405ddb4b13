// SPDX-License-Identifier: MIT
#pragma once
#include "cursor.h"

namespace anycl {

/**
 * For drivers that crash on a sub-buffer (see quirks.h): its parent, with `offset` moved to the same place in there; for
 * others the buffer as it is. `end`: where the access ends, as the driver cannot see any more what is beyond the sub-buffer.
 */
cl_mem whole_buffer(cl_mem buffer, size_t& offset, size_t end, const Platform& platform, const char* function);

/** Where a rectangle of bytes ends; a pitch of 0 is as little as holds it. */
size_t end_of(const Size3& origin, const Size3& region, size_t row_pitch, size_t slice_pitch);

inline size_t count_of(const Size3& region) { return region.v[0] * region.v[1] * region.v[2]; }

}  // namespace anycl
