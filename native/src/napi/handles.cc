// SPDX-License-Identifier: MIT
#include "handles.h"

#include "errors.h"

namespace anycl {
namespace {

struct KindName {
  const char* name;
  cl_int code;
};

KindName describe(Kind kind) {
  switch (kind) {
    case Kind::platform: return {"platform", CL_INVALID_PLATFORM};
    case Kind::device: return {"device", CL_INVALID_DEVICE};
    case Kind::context: return {"context", CL_INVALID_CONTEXT};
    case Kind::queue: return {"command queue", CL_INVALID_COMMAND_QUEUE};
    case Kind::memory: return {"memory object", CL_INVALID_MEM_OBJECT};
    case Kind::sampler: return {"sampler", CL_INVALID_SAMPLER};
    case Kind::program: return {"program", CL_INVALID_PROGRAM};
    case Kind::kernel: return {"kernel", CL_INVALID_KERNEL};
    case Kind::event: return {"event", CL_INVALID_EVENT};
    case Kind::svm: return {"shared virtual memory", CL_INVALID_VALUE};
    case Kind::mapping: return {"mapping", CL_INVALID_VALUE};
    case Kind::semaphore: return {"semaphore", CL_INVALID_SEMAPHORE_KHR};
    case Kind::command_buffer: return {"command buffer", CL_INVALID_COMMAND_BUFFER_KHR};
    case Kind::mutable_command: return {"mutable command", CL_INVALID_MUTABLE_COMMAND_KHR};
    case Kind::none: break;
  }
  return {"object", CL_INVALID_VALUE};
}

}  // namespace

double HandleTable::handle_of(const Slot& slot) const {
  return slot.generation * index_range + static_cast<double>(&slot - slots_.data());
}

double HandleTable::add(Kind kind, void* object, Platform* platform, size_t size,
                        std::unique_ptr<Attachment> attachment) {
  if (!object) fail(CL_OUT_OF_RESOURCES, "anycl", std::string("the driver reported success and made no ") + describe(kind).name);
  uint32_t index = free_;
  if (index != 0) {
    free_ = slots_[index].next_free;
  } else {
    if (slots_.size() >= index_range) fail(CL_OUT_OF_HOST_MEMORY, "anycl", "too many live objects");
    index = static_cast<uint32_t>(slots_.size());
    slots_.emplace_back();
  }
  Slot& slot = slots_[index];
  slot.object = object;
  slot.platform = platform;
  slot.attachment = std::move(attachment);
  slot.size = size;
  slot.kind = kind;
  live_++;
  return handle_of(slot);
}

double HandleTable::of(Kind kind, void* object, Platform* platform) {
  for (const Slot& slot : slots_)
    if (slot.kind == kind && slot.object == object && slot.platform == platform) return handle_of(slot);
  return add(kind, object, platform);
}

void HandleTable::refuse(const Slot* slot, Kind kind, const char* function) {
  const KindName wanted = describe(kind);
  if (!slot) fail(wanted.code, function, std::string("not a live ") + wanted.name);
  fail(wanted.code, function, std::string("a ") + describe(slot->kind).name + " where a " + wanted.name + " is due");
}

void HandleTable::refuse_foreign(Kind kind, const char* function) {
  fail(kind == Kind::device ? CL_INVALID_DEVICE : CL_INVALID_CONTEXT, function,
       std::string("a ") + describe(kind).name + " of another platform");
}

Slot& HandleTable::any(double handle, const char* function) {
  Slot* slot = find(handle);
  if (!slot) fail(CL_INVALID_VALUE, function, "the object has been released");
  return *slot;
}

Slot HandleTable::take(double handle, const char* function) {
  Slot& slot = any(handle, function);
  const auto index = static_cast<uint32_t>(&slot - slots_.data());
  Slot taken = std::move(slot);
  slot = Slot{};
  slot.generation = (taken.generation + 1) & generation_mask;
  slot.next_free = free_;
  free_ = index;
  live_--;
  return taken;
}

}  // namespace anycl
