// SPDX-License-Identifier: MIT
#include "ranges.h"

#include <iterator>

namespace icd {

uint64_t Ranges::allocate(uint64_t size) {
  const uint64_t need = whole_pages(size);
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const auto [start, room] = *it;
    if (room < need) continue;
    free_.erase(it);
    if (room > need) free_.emplace(start + need, room - need);
    used_.emplace(start, need);
    return start;
  }
  return 0;
}

uint64_t Ranges::size_of(uint64_t start) const {
  const auto it = used_.find(start);
  return it == used_.end() ? 0 : it->second;
}

void Ranges::free(uint64_t start) {
  const auto it = used_.find(start);
  if (it == used_.end()) return;
  uint64_t size = it->second;
  used_.erase(it);
  auto next = free_.lower_bound(start);
  if (next != free_.end() && start + size == next->first) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == start) {
      before->second += size;
      return;
    }
  }
  free_.emplace(start, size);
}

}  // namespace icd
