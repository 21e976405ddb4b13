// SPDX-License-Identifier: MIT
#include "lifetime.h"

#include "../events/event_info.h"
#include "../events/wait_list.h"

namespace anycl {
namespace {

void retain_raw(Kind kind, void* object, const Platform& platform) {
  const Library& cl = platform.cl;
  const Extensions& ext = platform.ext;
  switch (kind) {
    case Kind::device:
      if (cl.clRetainDevice.in(platform))
        cl.clRetainDevice.pointer(static_cast<cl_device_id>(object));
      else if (ext.clRetainDeviceEXT.pointer)
        ext.clRetainDeviceEXT.pointer(static_cast<cl_device_id>(object));
      return;
    case Kind::context: cl.clRetainContext.pointer(static_cast<cl_context>(object)); return;
    case Kind::queue: cl.clRetainCommandQueue.pointer(static_cast<cl_command_queue>(object)); return;
    case Kind::memory: cl.clRetainMemObject.pointer(static_cast<cl_mem>(object)); return;
    case Kind::sampler: cl.clRetainSampler.pointer(static_cast<cl_sampler>(object)); return;
    case Kind::program: cl.clRetainProgram.pointer(static_cast<cl_program>(object)); return;
    case Kind::kernel: cl.clRetainKernel.pointer(static_cast<cl_kernel>(object)); return;
    case Kind::event: cl.clRetainEvent.pointer(static_cast<cl_event>(object)); return;
    case Kind::semaphore:
      if (ext.clRetainSemaphoreKHR.pointer)
        ext.clRetainSemaphoreKHR.pointer(static_cast<cl_semaphore_khr>(object));
      return;
    case Kind::command_buffer:
      if (ext.clRetainCommandBufferKHR.pointer)
        ext.clRetainCommandBufferKHR.pointer(static_cast<cl_command_buffer_khr>(object));
      return;
    default: return;
  }
}

void release_raw(Kind kind, void* object, const Platform& platform) {
  const Library& cl = platform.cl;
  const Extensions& ext = platform.ext;
  switch (kind) {
    case Kind::device:
      // A root device is not counted, and releasing it does nothing.
      if (cl.clReleaseDevice.in(platform))
        cl.clReleaseDevice.pointer(static_cast<cl_device_id>(object));
      else if (ext.clReleaseDeviceEXT.pointer)
        ext.clReleaseDeviceEXT.pointer(static_cast<cl_device_id>(object));
      return;
    case Kind::context: cl.clReleaseContext.pointer(static_cast<cl_context>(object)); return;
    case Kind::queue: cl.clReleaseCommandQueue.pointer(static_cast<cl_command_queue>(object)); return;
    case Kind::memory: cl.clReleaseMemObject.pointer(static_cast<cl_mem>(object)); return;
    case Kind::sampler: cl.clReleaseSampler.pointer(static_cast<cl_sampler>(object)); return;
    case Kind::program: cl.clReleaseProgram.pointer(static_cast<cl_program>(object)); return;
    case Kind::kernel: cl.clReleaseKernel.pointer(static_cast<cl_kernel>(object)); return;
    case Kind::event: cl.clReleaseEvent.pointer(static_cast<cl_event>(object)); return;
    case Kind::semaphore:
      if (ext.clReleaseSemaphoreKHR.pointer)
        ext.clReleaseSemaphoreKHR.pointer(static_cast<cl_semaphore_khr>(object));
      return;
    case Kind::command_buffer:
      if (ext.clReleaseCommandBufferKHR.pointer)
        ext.clReleaseCommandBufferKHR.pointer(static_cast<cl_command_buffer_khr>(object));
      return;
    default: return;
  }
}

/** Whether this is the last reference to a user event that has no status yet. */
bool is_last_of_open(const OpenUserEvents& open, const Slot& slot) {
  const auto event = slot.as<cl_event>();
  return open.is_open(event) && references_to(event, *slot.platform) == 1;
}

}  // namespace

void release_object(Slot& slot) {
  slot.attachment.reset();
  if (slot.object && slot.platform) release_raw(slot.kind, slot.object, *slot.platform);
  slot.object = nullptr;
}

void retain_object(const Slot& slot) { retain_raw(slot.kind, slot.object, *slot.platform); }

SvmMemory::~SvmMemory() {
  if (unified && platform->ext.clSVMFreeWithPropertiesKHR.pointer)
    platform->ext.clSVMFreeWithPropertiesKHR.pointer(context, nullptr, 0, pointer);
  else
    platform->cl.clSVMFree.pointer(context, pointer);
  platform->cl.clReleaseContext.pointer(context);
}

SvmBlock::SvmBlock(Environment& e, std::shared_ptr<SvmMemory> m) : environment(e), memory(std::move(m)) {
  environment.svm_blocks.insert(this);
}

SvmBlock::~SvmBlock() {
  environment.svm_blocks.erase(this);
  if (environment.closing()) {
    while (!mappings.empty()) unmapped();
    return;
  }
  unmap_all();
  keep_until_ends();
}

void SvmBlock::mapped(cl_command_queue queue, void* start) {
  memory->platform->cl.clRetainCommandQueue.pointer(queue);
  mappings.push_back({queue, start});
}

void SvmBlock::unmapped() {
  if (mappings.empty()) return;
  memory->platform->cl.clReleaseCommandQueue.pointer(mappings.back().queue);
  mappings.pop_back();
}

void SvmBlock::unmap_all() {
  const Library& cl = memory->platform->cl;
  for (; !mappings.empty(); unmapped()) {
    const auto [queue, start] = mappings.back();
    WaitList waits(environment, *memory->platform, queue);
    waits.prepare(nullptr, 0);
    cl_event end = nullptr;
    const bool fails = cl.clEnqueueSVMUnmap.pointer(queue, start, 0, nullptr, waits.must_hold() ? &end : nullptr) != CL_SUCCESS;
    if (fails) continue;
    waits.made(end);
    if (end) cl.clReleaseEvent.pointer(end);
    cl.clFlush.pointer(queue);
  }
}

void SvmBlock::keep_until_ends() {
  environment.handles.each([this](const Slot& slot) {
    if (slot.kind == Kind::queue) keep_until_end_of(slot);
  });
}

void SvmBlock::keep_until_end_of(const Slot& queue) {
  const Platform& platform = *queue.platform;
  const Library& cl = platform.cl;
  const auto object = queue.as<cl_command_queue>();
  cl_context context = nullptr;
  if (&platform != memory->platform ||
      cl.clGetCommandQueueInfo.pointer(object, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr) != CL_SUCCESS ||
      context != memory->context)
    return;
  WaitList waits(environment, platform, object);
  waits.prepare(nullptr, 0, OpenUserEvents::After::all_before);
  cl_event end = nullptr;
  if (cl.clEnqueueMarkerWithWaitList.pointer(object, 0, nullptr, &end) != CL_SUCCESS) return;
  waits.made(end);
  environment.tickets.keep(memory, end, queue.platform);
  cl.clFlush.pointer(object);
}

KernelAttachment::~KernelAttachment() {
  for (const Argument& argument : arguments)
    if (argument.object) release_raw(argument.kind, argument.object, *platform);
}

void KernelAttachment::keep(size_t index, Argument argument) {
  if (arguments.size() <= index) arguments.resize(index + 1);
  if (argument.object) retain_raw(argument.kind, argument.object, *platform);
  std::swap(arguments[index], argument);
  if (argument.object) release_raw(argument.kind, argument.object, *platform);
}

std::unique_ptr<KernelAttachment> KernelAttachment::copy() const {
  auto other = std::make_unique<KernelAttachment>(platform);
  for (size_t i = 0; i < arguments.size(); i++) other->keep(i, arguments[i]);
  other->indirect = indirect;
  return other;
}

MappingAttachment::MappingAttachment(const Platform& p, cl_mem m) : platform(p), memory(m) {
  platform.cl.clRetainMemObject.pointer(memory);
}

MappingAttachment::~MappingAttachment() { platform.cl.clReleaseMemObject.pointer(memory); }

void release(Environment& environment) {
  Slot slot = environment.handles.take(environment.scratch.operand[0], "release");
  if (slot.kind == Kind::event && is_last_of_open(environment.open_user_events, slot)) {
    environment.open_user_events.lose(slot.as<cl_event>());
    environment.pocl_failed_events.close(slot.as<cl_event>());
  }
  if (slot.kind == Kind::queue)
    for (SvmBlock* block : environment.svm_blocks) block->keep_until_end_of(slot);
  release_object(slot);
}

/** A second handle to the same object. */
napi_value retain(Arguments& a) {
  Slot& slot = a.any(0);
  if (slot.kind == Kind::svm || slot.kind == Kind::mapping || slot.kind == Kind::mutable_command)
    fail(CL_INVALID_VALUE, a.name(), "the object is not reference counted");
  retain_object(slot);
  void* object = slot.object;
  Platform* platform = slot.platform;
  const Kind kind = slot.kind;
  const size_t size = slot.size;
  std::unique_ptr<Attachment> attachment;
  if (kind == Kind::kernel) attachment = static_cast<KernelAttachment&>(*slot.attachment).copy();
  return a.of(a.environment().handles.add(kind, object, platform, size, std::move(attachment)));
}

napi_value live_objects(Arguments& a) { return a.of(static_cast<double>(a.environment().handles.live())); }

}  // namespace anycl
