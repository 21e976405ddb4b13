// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

namespace icd {

/** Rows in the program's memory. */
struct HostBox {
  char* data;
  size_t row_pitch;
  size_t slice_pitch;
};

/** Copies `bytes` (of a row, rows, slices) to memory without gaps, and back. */
void pack(char* packed, const HostBox& box, const size_t bytes[3]);
void unpack(const HostBox& box, const char* packed, const size_t bytes[3]);

}  // namespace icd
