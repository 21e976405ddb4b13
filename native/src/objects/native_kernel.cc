// SPDX-License-Identifier: MIT
#include "native_kernel.h"

#include <cstring>

#include "../events/wait_list.h"
#include "mapping.h"

namespace anycl {
namespace {

/** The block that the driver copies and fills in: the call, then a pointer for each memory object. */
void CL_CALLBACK run(void* block) {
  std::shared_ptr<NativeCall>* owner;
  std::memcpy(&owner, block, sizeof owner);
  NativeCall& call = **owner;
  std::memcpy(call.memory.data(), static_cast<char*>(block) + sizeof owner, call.memory.size() * sizeof(void*));
  call.wait();
  delete owner;
}

}  // namespace

napi_value enqueue_native_kernel(Arguments& a) {
  Environment& environment = a.environment();
  const Slot& queue = a.handle(0, Kind::queue);
  Platform* platform = queue.platform;
  const auto queue_object = queue.as<cl_command_queue>();
  const auto enqueue = platform->cl.clEnqueueNativeKernel.of(*platform);
  const auto memories = a.handles<cl_mem>(1, Kind::memory, *platform);
  const size_t waits = a.size(2);
  if (waits > Scratch::words) fail(CL_INVALID_EVENT_WAIT_LIST, "clEnqueueNativeKernel");
  std::vector<cl_event> events;
  for (size_t i = 0; i < waits; i++)
    events.push_back(environment.handles.get(environment.scratch.word[i], Kind::event, a.name(), *platform).as<cl_event>());

  auto call = std::make_shared<NativeCall>();
  call->completions = environment.completions;
  call->memory.resize(memories.size());
  for (cl_mem memory : memories) {
    size_t size = 0;
    check(platform->cl.clGetMemObjectInfo.pointer(memory, CL_MEM_SIZE, sizeof size, &size, nullptr), "clGetMemObjectInfo");
    call->sizes.push_back(size);
  }
  call->id = environment.tickets.expect(true);
  auto* owner = new std::shared_ptr<NativeCall>(call);
  std::vector<void*> block(1 + memories.size());
  std::memcpy(block.data(), &owner, sizeof owner);
  std::vector<const void*> places;
  for (size_t i = 0; i < memories.size(); i++) places.push_back(&block[1 + i]);
  WaitList waited_for(environment, *platform, queue_object);
  waited_for.prepare(events.data(), events.size());
  cl_event event = nullptr;
  const cl_int code = enqueue(queue_object, run, block.data(), block.size() * sizeof(void*),
                              static_cast<cl_uint>(memories.size()), memories.empty() ? nullptr : memories.data(),
                              places.empty() ? nullptr : places.data(), static_cast<cl_uint>(events.size()),
                              events.empty() ? nullptr : events.data(), &event);
  if (code != CL_SUCCESS) {
    environment.tickets.forget(call->id);
    delete owner;
    fail(code, "clEnqueueNativeKernel");
  }
  waited_for.made(event);
  const double id = call->id;
  environment.native_calls[static_cast<uint64_t>(id)] = std::move(call);
  return a.of(std::vector<double>{environment.handles.add(Kind::event, event, platform), id});
}

napi_value native_kernel_memory(Arguments& a) {
  const auto found = a.environment().native_calls.find(static_cast<uint64_t>(a.size(0)));
  if (found == a.environment().native_calls.end()) fail(CL_INVALID_VALUE, a.name(), "no such call");
  const NativeCall& call = *found->second;
  std::vector<napi_value> memory;
  for (size_t i = 0; i < call.memory.size(); i++) {
    napi_value view = external_bytes(a.env(), call.memory[i], call.sizes[i]);
    memory.push_back(view ? view : a.of(static_cast<double>(call.sizes[i])));
  }
  return a.list(memory);
}

napi_value native_kernel_copy(Arguments& a) {
  const auto found = a.environment().native_calls.find(static_cast<uint64_t>(a.size(0)));
  const size_t index = a.size(1);
  const Bytes host = a.bytes(2);
  if (found == a.environment().native_calls.end() || index >= found->second->memory.size() ||
      host.size > found->second->sizes[index])
    fail(CL_INVALID_VALUE, a.name(), "no such memory of a native kernel");
  void* memory = found->second->memory[index];
  if (memory && host.size > 0) std::memcpy(a.flag(3) ? memory : host.data, a.flag(3) ? host.data : memory, host.size);
  return a.nothing();
}

napi_value native_kernel_done(Arguments& a) {
  const auto found = a.environment().native_calls.find(static_cast<uint64_t>(a.size(0)));
  if (found == a.environment().native_calls.end()) return a.nothing();
  found->second->finish();
  a.environment().tickets.forget(found->second->id);
  a.environment().native_calls.erase(found);
  return a.nothing();
}

}  // namespace anycl
