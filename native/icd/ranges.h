// SPDX-License-Identifier: MIT
//
// Which parts of a range of numbers are free: offsets in the staging memory, addresses of shared virtual memory.
#pragma once
#include <cstdint>
#include <map>

namespace icd {

/** First fit. Everything begins and ends with a whole page. Offset 0 is never given out. */
class Ranges {
 public:
  static constexpr uint64_t kPage = 4096;
  static uint64_t whole_pages(uint64_t size) { return (size + kPage - 1) / kPage * kPage; }

  /** Adds a new free range. */
  void add(uint64_t start, uint64_t size) { free_.emplace(start, size); }
  /** Allocates a block of this many bytes; returns its start, or 0 if there is no room. */
  uint64_t allocate(uint64_t size);
  /** The size of a block; 0 if there is none at this start. */
  uint64_t size_of(uint64_t start) const;
  void free(uint64_t start);

 private:
  /** By their starts; neighbours are merged. */
  std::map<uint64_t, uint64_t> free_;
  std::map<uint64_t, uint64_t> used_;
};

}  // namespace icd
