// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

#include "../interface.gen.h"

namespace anycl {

/**
 * Memory that JavaScript and the addon share, so that hot calls pass no arguments: command words, finished tickets, the
 * bytes of a kernel argument, and the operands and results of quick calls. Its sizes are generated for both sides.
 */
struct Scratch {
  static constexpr size_t words = scratch_words;
  static constexpr size_t completions = scratch_completions;
  static constexpr size_t bytes = scratch_bytes;
  static constexpr size_t operands = scratch_operands;
  static constexpr size_t total = words * 8 + completions * 16 + bytes + operands * 8;
  double* word = nullptr;
  double* completion = nullptr;
  uint8_t* byte = nullptr;
  double* operand = nullptr;

  /** Places the parts in `total` bytes. */
  void place(void* data) {
    word = static_cast<double*>(data);
    completion = word + words;
    byte = reinterpret_cast<uint8_t*>(completion + 2 * completions);
    operand = reinterpret_cast<double*>(byte + bytes);
  }
};

}  // namespace anycl
