// SPDX-License-Identifier: MIT
#include "sub_buffers.h"

namespace anycl {

cl_mem whole_buffer(cl_mem buffer, size_t& offset, size_t end, const Platform& platform, const char* function) {
  if (!platform.quirks.copies_no_sub_buffers) return buffer;
  cl_mem parent = nullptr;
  size_t size = 0, origin = 0;
  const auto ask = platform.cl.clGetMemObjectInfo.pointer;
  if (ask(buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, nullptr) != CL_SUCCESS || !parent ||
      ask(buffer, CL_MEM_OFFSET, sizeof origin, &origin, nullptr) != CL_SUCCESS ||
      ask(buffer, CL_MEM_SIZE, sizeof size, &size, nullptr) != CL_SUCCESS)
    return buffer;
  if (end > size) fail(CL_INVALID_VALUE, function, "beyond the end of the sub-buffer");
  offset += origin;
  return parent;
}

size_t end_of(const Size3& origin, const Size3& region, size_t row_pitch, size_t slice_pitch) {
  const size_t row = row_pitch == 0 ? region.v[0] : row_pitch;
  const size_t slice = slice_pitch == 0 ? row * region.v[1] : slice_pitch;
  return (origin.v[2] + region.v[2] - 1) * slice + (origin.v[1] + region.v[1] - 1) * row + origin.v[0] + region.v[0];
}

}  // namespace anycl
