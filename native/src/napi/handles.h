// SPDX-License-Identifier: MIT
//
// JavaScript's handle of a native object: a number with a slot of its environment's table and the slot's generation. A look-up
// checks both and the kind, so that an arbitrary number never reaches a driver unless it names a live object of the right kind.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "../cl/library.h"

namespace anycl {

enum class Kind : uint8_t {
  none,
  platform,
  device,
  context,
  queue,
  memory,
  sampler,
  program,
  kernel,
  event,
  svm,
  mapping,
  semaphore,
  command_buffer,
  mutable_command,
};

/** State of an object besides its handle, deleted with its slot. */
struct Attachment {
  virtual ~Attachment() = default;
};

struct Slot {
  void* object = nullptr;
  Platform* platform = nullptr;
  std::unique_ptr<Attachment> attachment;
  /** Bytes of memory; bytes of an image's element. */
  size_t size = 0;
  uint32_t generation = 0;
  uint32_t next_free = 0;
  Kind kind = Kind::none;

  template <typename T>
  T as() const {
    return static_cast<T>(object);
  }
};

class HandleTable {
 public:
  HandleTable() : slots_(1) {}

  double add(Kind kind, void* object, Platform* platform, size_t size = 0,
             std::unique_ptr<Attachment> attachment = nullptr);
  /** The handle of an object without a reference count, created if it has none yet. */
  double of(Kind kind, void* object, Platform* platform);
  /** The live slot, or a Failure with the error code for that kind. */
  Slot& get(double handle, Kind kind, const char* function) {
    Slot* slot = find(handle);
    if (slot && slot->kind == kind) return *slot;
    refuse(slot, kind, function);
  }
  /** The same, and of this platform: a driver would treat another driver's object as its own. */
  Slot& get(double handle, Kind kind, const char* function, const Platform& platform) {
    Slot& slot = get(handle, kind, function);
    if (slot.platform == &platform) return slot;
    refuse_foreign(kind, function);
  }
  Slot& any(double handle, const char* function);
  /** Empties the slot; the caller must release its object. */
  Slot take(double handle, const char* function);
  size_t live() const { return live_; }

  template <typename F>
  void each(F visit) {
    for (Slot& slot : slots_)
      if (slot.kind != Kind::none) visit(slot);
  }
  double handle_of(const Slot& slot) const;

 private:
  static constexpr double index_range = 1 << 26;
  static constexpr uint32_t generation_mask = (1u << 26) - 1;
  Slot* find(double handle) {
    // The comparison rejects NaN too.
    if (!(handle >= 1 && handle < index_range * index_range)) return nullptr;
    const auto bits = static_cast<uint64_t>(handle);
    const auto index = static_cast<uint32_t>(bits & (static_cast<uint64_t>(index_range) - 1));
    if (index >= slots_.size() || static_cast<double>(bits) != handle) return nullptr;
    Slot& slot = slots_[index];
    return slot.kind != Kind::none && slot.generation == bits >> 26 ? &slot : nullptr;
  }
  [[noreturn]] static void refuse(const Slot* slot, Kind kind, const char* function);
  [[noreturn]] static void refuse_foreign(Kind kind, const char* function);
  std::vector<Slot> slots_;
  uint32_t free_ = 0;
  size_t live_ = 0;
};

}  // namespace anycl
