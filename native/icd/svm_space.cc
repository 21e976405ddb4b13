// SPDX-License-Identifier: MIT
#include "svm_space.h"

#include <sys/mman.h>

#include "staging.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace icd {

namespace {

void* pointer_to(uint64_t address) { return reinterpret_cast<void*>(static_cast<uintptr_t>(address)); }

/** Reserves addresses, without memory for them. */
bool reserve_at(uint64_t address, uint64_t size) {
  void* wanted = pointer_to(address);
  void* at = mmap(wanted, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (at == MAP_FAILED) return false;
  if (at != wanted) {
    // Old versions of Linux ignore the flag and take the address as a hint.
    munmap(at, size);
    return false;
  }
  // A forked child has its own server and its own shared memory.
  madvise(at, size, MADV_DONTFORK);
  return true;
}

}  // namespace

/** The upper half, because contexts allocate buffers from the bottom; parts of it if some addresses are in use. */
void SvmSpace::reserve(uint64_t top) {
  reserved_ = true;
  const uint64_t end = top / Ranges::kPage * Ranges::kPage - Ranges::kPage;
  uint64_t start = Ranges::whole_pages(end / 2);
  for (; end - start >= (uint64_t{16} << 20); start += Ranges::whole_pages((end - start) / 2)) {
    if (!reserve_at(start, end - start)) continue;
    addresses_.add(start, end - start);
    return;
  }
}

bool SvmSpace::allocate(uint64_t top, size_t size, Block& block) {
  std::lock_guard lock(mutex_);
  if (!reserved_) reserve(top);
  block.size = size;
  block.address = addresses_.allocate(size);
  if (block.address == 0) return false;
  block.staged = staging_.allocate(size);
  if (block.staged != 0) {
    void* at = mmap(pointer_to(block.address), block.pages(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, staging_.file(),
                    static_cast<off_t>(block.staged));
    if (at != MAP_FAILED) {
      madvise(at, block.pages(), MADV_DONTFORK);
      return true;
    }
    staging_.free(block.staged);
  }
  addresses_.free(block.address);
  return false;
}

void SvmSpace::add(const Block& block) {
  std::lock_guard lock(mutex_);
  blocks_.emplace(block.address, block);
}

bool SvmSpace::take(const void* pointer, Block& block) {
  std::lock_guard lock(mutex_);
  const auto it = blocks_.find(reinterpret_cast<uintptr_t>(pointer));
  if (it == blocks_.end()) return false;
  block = it->second;
  blocks_.erase(it);
  return true;
}

void SvmSpace::free(const Block& block) {
  std::lock_guard lock(mutex_);
  // Where the system maps no more, the old pages stay: nobody uses them.
  static_cast<void>(mmap(pointer_to(block.address), block.pages(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
  madvise(pointer_to(block.address), block.pages(), MADV_DONTFORK);
  staging_.free(block.staged);
  addresses_.free(block.address);
}

bool SvmSpace::find(const void* pointer, size_t size, Block& block) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard lock(mutex_);
  auto it = blocks_.upper_bound(address);
  if (it == blocks_.begin()) return false;
  block = (--it)->second;
  const uint64_t offset = address - block.address;
  return offset < block.size && size <= block.size - offset;
}

}  // namespace icd
