// SPDX-License-Identifier: MIT
#include "commands.h"

#include "executor.h"
#include "sub_buffers.h"

namespace anycl {

double Executor::run() {
  size_t events = 0;
  double last = 0;
  while (cursor_.more()) {
    const double* head = cursor_.take(2);
    const Opcode opcode = Cursor::opcode(head[0]);
    const bool wanted = head[1] != 0;
    cursor_.handles(waits_, Kind::event);
    host_count_ = 0;
    made_ = nullptr;
    {
      WaitList waited_for(environment_, platform_, queue_);
      waited_for.prepare(waits_.list(), waits_.count(), after(opcode));
      out_ = wanted || waited_for.must_hold() ? &made_ : nullptr;
      command(opcode);
      waited_for.made(made_);
    }
    last = 0;
    if (host_count_ > 0) keep_host_memory_alive();
    if (wanted && made_) {
      last = environment_.handles.add(Kind::event, made_, &platform_);
      // The words before this one have been read.
      environment_.scratch.word[events++] = last;
    } else if (made_) {
      cl_.clReleaseEvent.pointer(made_);
    }
  }
  return last;
}

void Executor::kernel() {
  const auto enqueue = use(cl_.clEnqueueNDRangeKernel);
  const auto object = cursor_.handle(Kind::kernel).as<cl_kernel>();
  const double* head = cursor_.take(3);
  const size_t dimensions = whole(head[0], name_);
  const bool has_offset = head[1] != 0;
  const bool has_local = head[2] != 0;
  if (dimensions == 0) {
    done(use(cl_.clEnqueueTask)(queue_, object, waits_.count(), waits_.list(), out_));
    return;
  }
  require(dimensions <= 3, CL_INVALID_WORK_DIMENSION, "more than three dimensions");
  const double* word = cursor_.take(dimensions * (1 + has_offset + has_local));
  size_t global[3], offset[3], local[3];
  for (size_t i = 0; i < dimensions; i++) global[i] = whole(*word++, name_);
  if (has_offset)
    for (size_t i = 0; i < dimensions; i++) offset[i] = whole(*word++, name_);
  if (has_local)
    for (size_t i = 0; i < dimensions; i++) local[i] = whole(*word++, name_);
  done(enqueue(queue_, object, static_cast<cl_uint>(dimensions), has_offset ? offset : nullptr, global,
               has_local ? local : nullptr, waits_.count(), waits_.list(), out_));
}

void Executor::semaphores(bool wait) {
  const auto enqueue = wait ? use(ext_.clEnqueueWaitSemaphoresKHR) : use(ext_.clEnqueueSignalSemaphoresKHR);
  SmallList<cl_semaphore_khr> semaphores;
  cursor_.handles(semaphores, Kind::semaphore);
  const size_t count = cursor_.size();
  require(count == 0 || count == semaphores.count(), CL_INVALID_VALUE, "one payload for each semaphore");
  std::vector<cl_ulong> payloads;
  for (size_t i = 0; i < count; i++) payloads.push_back(cursor_.size());
  done(enqueue(queue_, semaphores.count(), semaphores.list(), payloads.empty() ? nullptr : payloads.data(),
               waits_.count(), waits_.list(), out_));
}

void Executor::marker() {
  if (cl_.clEnqueueMarkerWithWaitList.in(platform_)) {
    done(use(cl_.clEnqueueMarkerWithWaitList)(queue_, waits_.count(), waits_.list(), out_));
    return;
  }
  if (waits_.count() > 0) done(use(cl_.clEnqueueWaitForEvents)(queue_, waits_.count(), waits_.list()));
  done(use(cl_.clEnqueueMarker)(queue_, &made_));
}

void Executor::barrier() {
  if (cl_.clEnqueueBarrierWithWaitList.in(platform_)) {
    done(use(cl_.clEnqueueBarrierWithWaitList)(queue_, waits_.count(), waits_.list(), out_));
    return;
  }
  if (waits_.count() > 0)
    done(use(cl_.clEnqueueWaitForEvents)(queue_, waits_.count(), waits_.list()));
  else
    done(use(cl_.clEnqueueBarrier)(queue_));
  if (out_) done(use(cl_.clEnqueueMarker)(queue_, out_));
}

void Executor::command(Opcode opcode) {
  switch (opcode) {
    case Opcode::kernel: return kernel();
    case Opcode::read_buffer: return transfer(true);
    case Opcode::write_buffer: return transfer(false);
    case Opcode::read_buffer_rect: return transfer_rect(true);
    case Opcode::write_buffer_rect: return transfer_rect(false);
    case Opcode::read_image: return transfer_image(true);
    case Opcode::write_image: return transfer_image(false);
    case Opcode::copy_buffer: {
      const auto copy = use(cl_.clEnqueueCopyBuffer);
      const cl_mem from = cursor_.memory(), to = cursor_.memory();
      const size_t from_offset = cursor_.size(), to_offset = cursor_.size(), size = cursor_.size();
      return done(copy(queue_, from, to, from_offset, to_offset, size, waits_.count(), waits_.list(), out_));
    }
    case Opcode::copy_buffer_rect: {
      const auto copy = use(cl_.clEnqueueCopyBufferRect);
      cl_mem from = cursor_.memory(), to = cursor_.memory();
      Size3 from_origin = cursor_.triple(), to_origin = cursor_.triple();
      const Size3 region = cursor_.triple();
      const size_t from_row = cursor_.size(), from_slice = cursor_.size();
      const size_t to_row = cursor_.size(), to_slice = cursor_.size();
      from = whole_buffer(from, from_origin.v[0], end_of(from_origin, region, from_row, from_slice), platform_, name_);
      to = whole_buffer(to, to_origin.v[0], end_of(to_origin, region, to_row, to_slice), platform_, name_);
      return done(copy(queue_, from, to, from_origin, to_origin, region, from_row, from_slice, to_row, to_slice,
                       waits_.count(), waits_.list(), out_));
    }
    case Opcode::fill_buffer: {
      const auto fill = use(cl_.clEnqueueFillBuffer);
      const cl_mem memory = cursor_.memory();
      const size_t offset = cursor_.size(), size = cursor_.size();
      size_t pattern_size;
      const uint8_t* pattern = cursor_.bytes(pattern_size);
      return done(fill(queue_, memory, pattern, pattern_size, offset, size, waits_.count(), waits_.list(), out_));
    }
    case Opcode::copy_image: {
      const auto copy = use(cl_.clEnqueueCopyImage);
      const cl_mem from = cursor_.memory(), to = cursor_.memory();
      const Origin from_origin = cursor_.origin(), to_origin = cursor_.origin();
      const Size3 region = cursor_.triple();
      return done(copy(queue_, from, to, from_origin, to_origin, region, waits_.count(), waits_.list(), out_));
    }
    case Opcode::fill_image: {
      const auto fill = use(cl_.clEnqueueFillImage);
      const cl_mem memory = cursor_.memory();
      const Origin origin = cursor_.origin();
      const Size3 region = cursor_.triple();
      size_t size;
      const uint8_t* color = cursor_.bytes(size);
      require(size >= 16, CL_INVALID_VALUE, "a colour has four channels of four bytes");
      return done(fill(queue_, memory, color, origin, region, waits_.count(), waits_.list(), out_));
    }
    case Opcode::copy_image_to_buffer: {
      const auto copy = use(cl_.clEnqueueCopyImageToBuffer);
      const Slot& from = cursor_.handle(Kind::memory);
      cl_mem to = cursor_.memory();
      const Origin origin = cursor_.origin();
      const Size3 region = cursor_.triple();
      size_t offset = cursor_.size();
      to = whole_buffer(to, offset, offset + from.size * count_of(region), platform_, name_);
      return done(copy(queue_, from.as<cl_mem>(), to, origin, region, offset, waits_.count(), waits_.list(), out_));
    }
    case Opcode::copy_buffer_to_image: {
      const auto copy = use(cl_.clEnqueueCopyBufferToImage);
      cl_mem from = cursor_.memory();
      const Slot& to = cursor_.handle(Kind::memory);
      size_t offset = cursor_.size();
      const Origin origin = cursor_.origin();
      const Size3 region = cursor_.triple();
      from = whole_buffer(from, offset, offset + to.size * count_of(region), platform_, name_);
      return done(copy(queue_, from, to.as<cl_mem>(), offset, origin, region, waits_.count(), waits_.list(), out_));
    }
    case Opcode::unmap: {
      const auto unmap = use(cl_.clEnqueueUnmapMemObject);
      const cl_mem memory = cursor_.memory();
      const double handle = cursor_.number();
      const Slot& mapping = environment_.handles.get(handle, Kind::mapping, name_);
      require(static_cast<MappingAttachment&>(*mapping.attachment).memory == memory, CL_INVALID_VALUE,
              "the mapping belongs to another memory object");
      done(unmap(queue_, memory, mapping.object, waits_.count(), waits_.list(), out_));
      environment_.handles.take(handle, name_);
      return;
    }
    case Opcode::migrate: {
      const bool core = cl_.clEnqueueMigrateMemObjects.in(platform_) || !ext_.clEnqueueMigrateMemObjectEXT.pointer;
      const auto migrate = core ? use(cl_.clEnqueueMigrateMemObjects) : nullptr;
      const auto migrate_ext = core ? nullptr : use(ext_.clEnqueueMigrateMemObjectEXT);
      const size_t flags = cursor_.size();
      SmallList<cl_mem> memories;
      cursor_.handles(memories, Kind::memory);
      return done(core ? migrate(queue_, memories.count(), memories.list(), flags, waits_.count(), waits_.list(), out_)
                       : migrate_ext(queue_, memories.count(), memories.list(), flags, waits_.count(), waits_.list(), out_));
    }
    case Opcode::svm_memcpy: return svm_memcpy();
    case Opcode::svm_fill: return svm_fill();
    case Opcode::svm_map: return svm_map();
    case Opcode::svm_unmap: return svm_unmap();
    case Opcode::svm_free: return svm_free();
    case Opcode::svm_migrate: return svm_migrate();
    case Opcode::marker: return marker();
    case Opcode::barrier: return barrier();
    case Opcode::acquire_external: return share(ext_.clEnqueueAcquireExternalMemObjectsKHR);
    case Opcode::release_external: return share(ext_.clEnqueueReleaseExternalMemObjectsKHR);
    case Opcode::acquire_gl: return share(ext_.clEnqueueAcquireGLObjects);
    case Opcode::release_gl: return share(ext_.clEnqueueReleaseGLObjects);
    case Opcode::acquire_egl: return share(ext_.clEnqueueAcquireEGLObjectsKHR);
    case Opcode::release_egl: return share(ext_.clEnqueueReleaseEGLObjectsKHR);
    case Opcode::wait_semaphores: return semaphores(true);
    case Opcode::signal_semaphores: return semaphores(false);
    case Opcode::command_buffer: {
      const auto enqueue = use(ext_.clEnqueueCommandBufferKHR);
      const auto buffer = cursor_.handle(Kind::command_buffer).as<cl_command_buffer_khr>();
      SmallList<cl_command_queue> queues;
      cursor_.handles(queues, Kind::queue);
      return done(enqueue(queues.count(), queues.list(), buffer, waits_.count(), waits_.list(), out_));
    }
  }
  fail(CL_INVALID_VALUE, "execute", "no such command");
}

napi_value execute(Arguments& a) {
  const Slot& queue = a.handle(0, Kind::queue);
  const size_t words = a.size(1);
  if (words > Scratch::words) fail(CL_INVALID_VALUE, a.name(), "more words than there is scratch memory");
  return a.of(Executor(a.environment(), &a, queue, words).run());
}

void submit(Environment& environment) {
  double* operand = environment.scratch.operand;
  const Slot& queue = environment.handles.get(operand[0], Kind::queue, "submit");
  const size_t words = whole(operand[1], "submit");
  if (words > Scratch::words) fail(CL_INVALID_VALUE, "submit", "more words than there is scratch memory");
  operand[0] = Executor(environment, nullptr, queue, words).run();
}

}  // namespace anycl
