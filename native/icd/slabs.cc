// SPDX-License-Identifier: MIT
#include "slabs.h"

namespace icd {

namespace {

constexpr uint64_t kSlab = uint64_t{1} << 20;
/** Larger buffers have slabs of their own: the rest of a common one would often be too small for another. */
constexpr uint64_t kMostInCommon = uint64_t{128} << 10;
/** Each slab splits a mapping of the server. */
constexpr size_t kMostSlabs = 8192;

}  // namespace

Slabs::Place Slabs::place_in(uint64_t start, Slab& slab, uint64_t size) {
  const uint64_t offset = slab.pages.allocate(size);
  if (offset == 0) return {};
  slab.used += size;
  if (slab.used == slab.size) {
    const auto open = open_.find(slab.context);
    if (open != open_.end()) open->second.erase(start);
  }
  return {offset, start, slab.size};
}

Slabs::Place Slabs::allocate(uint32_t context, size_t size) {
  const uint64_t need = Ranges::whole_pages(size);
  const bool in_common = need <= kMostInCommon;
  std::lock_guard lock(mutex_);
  if (in_common) {
    for (const uint64_t start : open_[context])
      if (const Place place = place_in(start, slabs_.at(start), need); place.offset != 0) return place;
  }
  if (slabs_.size() >= kMostSlabs) return {};
  const uint64_t whole = in_common ? kSlab : need;
  const uint64_t start = staging_.allocate(whole);
  if (start == 0) return {};
  Slab& slab = slabs_[start];
  slab.context = context;
  slab.size = whole;
  slab.pages.add(start, whole);
  if (in_common) open_[context].insert(start);
  return place_in(start, slab, need);
}

void Slabs::free(const Place& place) {
  if (place.offset == 0) return;
  std::lock_guard lock(mutex_);
  Slab& slab = slabs_.at(place.slab);
  slab.used -= slab.pages.size_of(place.offset);
  slab.pages.free(place.offset);
  const uint32_t context = slab.context;
  if (slab.used != 0) {
    open_[context].insert(place.slab);
    return;
  }
  slabs_.erase(place.slab);
  const auto open = open_.find(context);
  if (open != open_.end()) {
    open->second.erase(place.slab);
    if (open->second.empty()) open_.erase(open);
  }
  staging_.free(place.slab);
}

}  // namespace icd
