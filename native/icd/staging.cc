// SPDX-License-Identifier: MIT
#include "staging.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <iterator>

namespace icd {

namespace {

/** Addresses are reserved for so much at most, memory is taken only where something lies. */
constexpr uint64_t kMost = uint64_t{64} << 30;
constexpr uint64_t kLeast = uint64_t{64} << 20;
constexpr uint64_t kPage = 4096;
/** Pages of free blocks that stay: making new ones costs more than the copy itself. */
constexpr uint64_t kKeep = uint64_t{256} << 20;

uint64_t whole_pages(uint64_t size) { return (size + kPage - 1) / kPage * kPage; }

}  // namespace

Staging::Staging() {
  file_ = memfd_create("anycl-staging", MFD_CLOEXEC);
  if (file_ < 0) return;
  for (uint64_t size = kMost; size >= kLeast; size /= 2) {
    if (ftruncate(file_, static_cast<off_t>(size)) != 0) continue;
    void* base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
    if (base == MAP_FAILED) continue;
    // A child of fork has a server of its own.
    madvise(base, size, MADV_DONTFORK);
    base_ = static_cast<char*>(base);
    // Offset 0 says that nothing is staged.
    free_.emplace(kPage, size - kPage);
    return;
  }
}

uint64_t Staging::allocate(size_t size) {
  const uint64_t need = whole_pages(size);
  std::lock_guard lock(mutex_);
  // The first that fits: low blocks have been used before, and have their pages.
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const auto [offset, room] = *it;
    if (room < need) continue;
    free_.erase(it);
    if (room > need) free_.emplace(offset + need, room - need);
    used_.emplace(offset, need);
    kept_ -= kept_ < need ? kept_ : need;
    return offset;
  }
  return 0;
}

void Staging::free(uint64_t offset) {
  std::lock_guard lock(mutex_);
  const auto it = used_.find(offset);
  if (it == used_.end()) return;
  const uint64_t size = it->second;
  used_.erase(it);
  if (kept_ + size > kKeep) {
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset), static_cast<off_t>(size));
  } else {
    kept_ += size;
  }
  insert_free(offset, size);
}

void Staging::insert_free(uint64_t offset, uint64_t size) {
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && offset + size == next->first) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      before->second += size;
      return;
    }
  }
  free_.emplace(offset, size);
}

}  // namespace icd
