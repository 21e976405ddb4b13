// SPDX-License-Identifier: MIT
//
// Pages of the staging memory that the server maps, too, for buffers. A mapping costs the server more than all else that it does for a
// small buffer, and Linux gives a process 65,530 of them. So small buffers share slabs, which are mapped as a whole.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>

#include "ranges.h"
#include "staging.h"

namespace icd {

class Slabs {
 public:
  explicit Slabs(Staging& staging) : staging_(staging) {}

  /** A buffer's pages, and the slab they are in. Without pages all are 0. */
  struct Place {
    uint64_t offset = 0;
    uint64_t slab = 0;
    uint64_t slab_size = 0;
  };

  /** Pages for a buffer of a context. None if there is no room, or too much is mapped already. */
  Place allocate(uint32_t context, size_t size);
  void free(const Place& place);

 private:
  struct Slab {
    uint32_t context = 0;
    uint64_t size = 0;
    uint64_t used = 0;
    Ranges pages;
  };

  Place place_in(uint64_t start, Slab& slab, uint64_t size);

  Staging& staging_;
  std::mutex mutex_;
  std::map<uint64_t, Slab> slabs_;
  /** The slabs with room, by context: contexts have different memories. */
  std::map<uint32_t, std::set<uint64_t>> open_;
};

}  // namespace icd
