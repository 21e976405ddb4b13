// SPDX-License-Identifier: MIT
//
// Shared virtual memory as the program sees it. A pointer has the same value here and in kernels: the offset in a WebAssembly memory.
// So all of it is below 4 GB. Each allocation is a block of the staging memory, mapped at that address; the server maps the same
// pages over its WebAssembly memory.
#pragma once
#include <map>
#include <mutex>

#include "../src/cl/opencl.gen.h"
#include "ranges.h"

namespace icd {

class Staging;

class SvmSpace {
 public:
  struct Block {
    uint32_t id;
    cl_context context;
    uint64_t address;
    uint64_t staged;
    size_t size;
    /** The bytes that are mapped. */
    size_t pages() const { return Ranges::whole_pages(size); }
  };

  explicit SvmSpace(Staging& staging) : staging_(staging) {}

  /** Maps memory at an address below `top`. False if no address is free. */
  bool allocate(uint64_t top, size_t size, Block& block);
  /** Adds the block to those that are known. */
  void add(const Block& block);
  /** Removes the block that begins at the pointer from those that are known. */
  bool take(const void* pointer, Block& block);
  /** Unmaps it. */
  void free(const Block& block);
  /** The block that contains `size` bytes from the pointer, if there is one. */
  bool find(const void* pointer, size_t size, Block& block);

 private:
  void reserve(uint64_t top);

  Staging& staging_;
  std::mutex mutex_;
  bool reserved_ = false;
  Ranges addresses_;
  std::map<uint64_t, Block> blocks_;
};

}  // namespace icd
