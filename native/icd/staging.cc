// SPDX-License-Identifier: MIT
#include "staging.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace icd {

namespace {

/** The size of the reserved addresses; memory is used only for pages that were written. */
constexpr uint64_t kMost = uint64_t{64} << 30;
constexpr uint64_t kLeast = uint64_t{64} << 20;
/** Free blocks keep this many bytes of pages, because new pages cost more than the copy itself. */
constexpr uint64_t kKeep = uint64_t{256} << 20;

}  // namespace

Staging::Staging() {
  file_ = memfd_create("anycl-staging", MFD_CLOEXEC);
  if (file_ < 0) return;
  for (uint64_t size = kMost; size >= kLeast; size /= 2) {
    if (ftruncate(file_, static_cast<off_t>(size)) != 0) continue;
    void* base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
    if (base == MAP_FAILED) continue;
    // A forked child has its own server.
    madvise(base, size, MADV_DONTFORK);
    base_ = static_cast<char*>(base);
    // Offset 0 means that nothing is staged.
    ranges_.add(Ranges::kPage, size - Ranges::kPage);
    return;
  }
}

uint64_t Staging::allocate(size_t size) {
  std::lock_guard lock(mutex_);
  // Low blocks have been used before, so their pages exist.
  const uint64_t offset = ranges_.allocate(size);
  const uint64_t need = ranges_.size_of(offset);
  kept_ -= kept_ < need ? kept_ : need;
  return offset;
}

void Staging::free(uint64_t offset) {
  std::lock_guard lock(mutex_);
  const uint64_t size = ranges_.size_of(offset);
  if (size == 0) return;
  if (kept_ + size > kKeep) {
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset), static_cast<off_t>(size));
  } else {
    kept_ += size;
  }
  ranges_.free(offset);
}

}  // namespace icd
