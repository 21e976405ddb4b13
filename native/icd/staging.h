// SPDX-License-Identifier: MIT
//
// The staging memory: a file in memory that the program maps and the server reads and writes. Bulk data passes through it, and mapped
// regions of buffers are in it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "ranges.h"

namespace icd {

class Staging {
 public:
  Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /** False if the system has no shared memory. */
  bool ready() const { return base_ != nullptr; }
  int file() const { return file_; }
  /** Allocates a block; returns its offset, or 0 if there is no room. */
  uint64_t allocate(size_t size);
  void free(uint64_t offset);
  char* at(uint64_t offset) const { return base_ + offset; }

 private:
  int file_ = -1;
  char* base_ = nullptr;
  std::mutex mutex_;
  Ranges ranges_;
  /** Bytes of free blocks whose pages are kept for the next transfer. */
  uint64_t kept_ = 0;
};

/** A block that is freed when it goes out of scope. */
class StagedBlock {
 public:
  StagedBlock() = default;
  StagedBlock(Staging& staging, size_t size) : staging_(&staging), offset_(size > 0 ? staging.allocate(size) : 0) {}
  StagedBlock(StagedBlock&& other) noexcept : staging_(other.staging_), offset_(other.take()) {}
  StagedBlock& operator=(StagedBlock&&) = delete;
  ~StagedBlock() {
    if (offset_ != 0) staging_->free(offset_);
  }

  explicit operator bool() const { return offset_ != 0; }
  uint64_t offset() const { return offset_; }
  char* data() const { return staging_->at(offset_); }
  /** Passes the block to the caller. */
  uint64_t take() {
    const uint64_t offset = offset_;
    offset_ = 0;
    return offset;
  }

 private:
  Staging* staging_ = nullptr;
  uint64_t offset_ = 0;
};

}  // namespace icd
