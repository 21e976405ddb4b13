// SPDX-License-Identifier: MIT
#include "commands.h"

#include "cursor.h"
#include "event.h"
#include "lifetime.h"
#include "sub_buffers.h"

namespace anycl {
namespace {

using Events = SmallList<cl_event>;

void CL_CALLBACK leave_svm(cl_command_queue, cl_uint, void**, void*) {}

/** One call of `execute` or `submit`. */
class Executor {
 public:
  /** `a`: the call's arguments, of which the third and fourth are host memory; none for a quick call. */
  Executor(Environment& environment, Arguments* a, const Slot& queue, size_t words)
      : a_(a),
        environment_(environment),
        platform_(*queue.platform),
        cl_(queue.platform->cl),
        ext_(queue.platform->ext),
        queue_(queue.as<cl_command_queue>()),
        cursor_(environment_, platform_, words) {}

  double run() {
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

 private:
  Gates::After after(Opcode opcode) {
    if (opcode == Opcode::barrier) return Gates::After::barrier;
    return opcode == Opcode::marker && waits_.count() == 0 ? Gates::After::all_before : Gates::After::as_the_queue_does;
  }
  /** The function, and its name for the errors of the operands that follow. */
  template <typename F>
  F use(const Function<F>& function) {
    name_ = function.name;
    cursor_.function(function.name);
    return function.of(platform_);
  }
  void done(cl_int code) { check(code, name_); }
  /**
   * `done` for commands on shared memory. PoCL (7.1) writes into the event of such a command even where the command failed and
   * there is none: until there is one, it has this room to write to.
   */
  template <typename Call>
  void done_with_room(Call call) {
    alignas(void*) unsigned char room[1024];
    const auto no_event = reinterpret_cast<cl_event>(room);
    if (out_) made_ = no_event;
    const cl_int code = call();
    const bool failed = made_ == no_event;
    if (failed) made_ = nullptr;
    done(code);
    if (failed) fail(CL_INVALID_VALUE, name_, "the driver refused the command and did not say why");
  }

  /** The host memory that comes beside the words: the command's event tells when it may go. */
  Bytes host() {
    const size_t index = 2 + host_count_;
    if (!a_ || !a_->has(index)) fail(CL_INVALID_HOST_PTR, name_, "no host memory");
    Bytes bytes = a_->bytes(index);
    hosts_[host_count_++] = bytes.value;
    out_ = &made_;
    return bytes;
  }

  void keep_host_memory_alive() {
    const double id = environment_.expect(false);
    if (host_count_ == 1) {
      environment_.pin(id, hosts_[0], made_, &platform_);
    } else {
      napi_value both;
      napi_create_array_with_length(environment_.env, 2, &both);
      napi_set_element(environment_.env, both, 0, hosts_[0]);
      napi_set_element(environment_.env, both, 1, hosts_[1]);
      environment_.pin(id, both, made_, &platform_);
    }
    if (cl_.clSetEventCallback.in(platform_)) {
      environment_.watch(id);
    } else {
      // OpenCL 1.0 has no callbacks: there a transfer is over before the call returns.
      cl_.clWaitForEvents.pointer(1, &made_);
      environment_.forget(id);
    }
  }

  void require(bool condition, cl_int code, const char* detail) {
    if (!condition) refuse(code, name_, detail);
  }

  void command(Opcode opcode);
  void kernel();
  void transfer(bool read);
  void transfer_rect(bool read);
  void transfer_image(bool read);
  void svm_memcpy();
  void semaphores(bool wait);
  void marker();
  void barrier();

  template <typename F>
  void share(const Function<F>& function) {
    const auto call = use(function);
    SmallList<cl_mem> memories;
    cursor_.handles(memories, Kind::memory);
    done(call(queue_, memories.count(), memories.list(), waits_.count(), waits_.list(), out_));
  }

  Arguments* a_;
  Environment& environment_;
  Platform& platform_;
  const Library& cl_;
  const Extensions& ext_;
  cl_command_queue queue_;
  Cursor cursor_;
  Events waits_;
  cl_event made_ = nullptr;
  cl_event* out_ = nullptr;
  const char* name_ = "execute";
  napi_value hosts_[2] = {};
  size_t host_count_ = 0;
};

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

void Executor::transfer(bool read) {
  name_ = read ? cl_.clEnqueueReadBuffer.name : cl_.clEnqueueWriteBuffer.name;
  cursor_.function(name_);
  const cl_mem memory = cursor_.memory();
  const size_t offset = cursor_.size();
  const Bytes bytes = host();
  done(read ? cl_.clEnqueueReadBuffer.pointer(queue_, memory, 0, offset, bytes.size, bytes.data, waits_.count(),
                                              waits_.list(), out_)
            : cl_.clEnqueueWriteBuffer.pointer(queue_, memory, 0, offset, bytes.size, bytes.data, waits_.count(),
                                               waits_.list(), out_));
}

void Executor::transfer_rect(bool read) {
  const auto read_rect = read ? use(cl_.clEnqueueReadBufferRect) : nullptr;
  const auto write_rect = read ? nullptr : use(cl_.clEnqueueWriteBufferRect);
  const cl_mem memory = cursor_.memory();
  const Size3 buffer_origin = cursor_.triple(), host_origin = cursor_.triple(), region = cursor_.triple();
  const size_t buffer_row = cursor_.size(), buffer_slice = cursor_.size();
  const size_t host_row = cursor_.size(), host_slice = cursor_.size();
  const Bytes bytes = host();
  const double row = host_row ? static_cast<double>(host_row) : static_cast<double>(region.v[0]);
  const double slice = host_slice ? static_cast<double>(host_slice) : row * static_cast<double>(region.v[1]);
  const double end = (static_cast<double>(host_origin.v[2]) + static_cast<double>(region.v[2]) - 1) * slice +
                     (static_cast<double>(host_origin.v[1]) + static_cast<double>(region.v[1]) - 1) * row +
                     static_cast<double>(host_origin.v[0]) + static_cast<double>(region.v[0]);
  require(end <= static_cast<double>(bytes.size), CL_INVALID_VALUE, "the host memory is smaller than the region");
  done(read ? read_rect(queue_, memory, 0, buffer_origin, host_origin, region, buffer_row, buffer_slice, host_row,
                        host_slice, bytes.data, waits_.count(), waits_.list(), out_)
            : write_rect(queue_, memory, 0, buffer_origin, host_origin, region, buffer_row, buffer_slice, host_row,
                         host_slice, bytes.data, waits_.count(), waits_.list(), out_));
}

void Executor::transfer_image(bool read) {
  name_ = read ? cl_.clEnqueueReadImage.name : cl_.clEnqueueWriteImage.name;
  cursor_.function(name_);
  const Slot& image = cursor_.handle(Kind::memory);
  const auto memory = image.as<cl_mem>();
  const auto element = static_cast<double>(image.size);
  const Size3 origin = cursor_.triple(), region = cursor_.triple();
  const size_t row_pitch = cursor_.size(), slice_pitch = cursor_.size();
  const Bytes bytes = host();
  const double width = static_cast<double>(region.v[0]) * element;
  const double row = row_pitch ? static_cast<double>(row_pitch) : width;
  const double slice = slice_pitch ? static_cast<double>(slice_pitch) : row * static_cast<double>(region.v[1]);
  // In a one-dimensional array the second coordinate counts slices.
  const double step = slice_pitch && region.v[2] <= 1 ? (slice > row ? slice : row) : row;
  const double end =
      (static_cast<double>(region.v[2]) - 1) * slice + (static_cast<double>(region.v[1]) - 1) * step + width;
  require(end <= static_cast<double>(bytes.size), CL_INVALID_VALUE, "the host memory is smaller than the region");
  done(read ? cl_.clEnqueueReadImage.pointer(queue_, memory, 0, origin, region, row_pitch, slice_pitch, bytes.data,
                                             waits_.count(), waits_.list(), out_)
            : cl_.clEnqueueWriteImage.pointer(queue_, memory, 0, origin, region, row_pitch, slice_pitch, bytes.data,
                                              waits_.count(), waits_.list(), out_));
}

void Executor::svm_memcpy() {
  const auto copy = use(cl_.clEnqueueSVMMemcpy);
  struct Side {
    uint8_t* data;
    size_t size;
  };
  const auto side = [&]() -> Side {
    const double handle = cursor_.number();
    const size_t offset = cursor_.size();
    uint8_t* data;
    size_t size;
    if (handle == 0) {
      const Bytes bytes = host();
      data = bytes.data, size = bytes.size;
    } else {
      const Slot& svm = environment_.handles.get(handle, Kind::svm, name_, platform_);
      data = svm.as<uint8_t*>(), size = svm.size;
    }
    require(offset <= size, CL_INVALID_VALUE, "the offset is beyond the end");
    return {data + offset, size - offset};
  };
  const Side to = side(), from = side();
  const size_t size = cursor_.size();
  require(size <= to.size && size <= from.size, CL_INVALID_VALUE, "the size is beyond the end");
  done_with_room([&] { return copy(queue_, 0, to.data, from.data, size, waits_.count(), waits_.list(), out_); });
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
      const Size3 from_origin = cursor_.triple(), to_origin = cursor_.triple(), region = cursor_.triple();
      return done(copy(queue_, from, to, from_origin, to_origin, region, waits_.count(), waits_.list(), out_));
    }
    case Opcode::fill_image: {
      const auto fill = use(cl_.clEnqueueFillImage);
      const cl_mem memory = cursor_.memory();
      const Size3 origin = cursor_.triple(), region = cursor_.triple();
      size_t size;
      const uint8_t* color = cursor_.bytes(size);
      require(size >= 16, CL_INVALID_VALUE, "a colour has four channels of four bytes");
      return done(fill(queue_, memory, color, origin, region, waits_.count(), waits_.list(), out_));
    }
    case Opcode::copy_image_to_buffer: {
      const auto copy = use(cl_.clEnqueueCopyImageToBuffer);
      const Slot& from = cursor_.handle(Kind::memory);
      cl_mem to = cursor_.memory();
      const Size3 origin = cursor_.triple(), region = cursor_.triple();
      size_t offset = cursor_.size();
      to = whole_buffer(to, offset, offset + from.size * count_of(region), platform_, name_);
      return done(copy(queue_, from.as<cl_mem>(), to, origin, region, offset, waits_.count(), waits_.list(), out_));
    }
    case Opcode::copy_buffer_to_image: {
      const auto copy = use(cl_.clEnqueueCopyBufferToImage);
      cl_mem from = cursor_.memory();
      const Slot& to = cursor_.handle(Kind::memory);
      size_t offset = cursor_.size();
      const Size3 origin = cursor_.triple(), region = cursor_.triple();
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
    case Opcode::svm_fill: {
      const auto fill = use(cl_.clEnqueueSVMMemFill);
      const Slot& svm = cursor_.handle(Kind::svm);
      const size_t offset = cursor_.size(), size = cursor_.size();
      require(offset <= svm.size && size <= svm.size - offset, CL_INVALID_VALUE, "beyond the end of the memory");
      size_t pattern_size;
      const uint8_t* pattern = cursor_.bytes(pattern_size);
      return done_with_room([&] {
        return fill(queue_, svm.as<uint8_t*>() + offset, pattern, pattern_size, size, waits_.count(), waits_.list(), out_);
      });
    }
    case Opcode::svm_map: {
      const auto map = use(cl_.clEnqueueSVMMap);
      const Slot& svm = cursor_.handle(Kind::svm);
      const size_t flags = cursor_.size(), offset = cursor_.size(), size = cursor_.size();
      require(offset <= svm.size && size <= svm.size - offset, CL_INVALID_VALUE, "beyond the end of the memory");
      uint8_t* const data = svm.as<uint8_t*>() + offset;
      done_with_room([&] { return map(queue_, 0, flags, data, size, waits_.count(), waits_.list(), out_); });
      return block_of(svm).mapped(queue_, data);
    }
    case Opcode::svm_unmap: {
      const auto unmap = use(cl_.clEnqueueSVMUnmap);
      SvmBlock& block = block_of(cursor_.handle(Kind::svm));
      done_with_room([&] { return unmap(queue_, block.mapped_at(), waits_.count(), waits_.list(), out_); });
      return block.unmapped();
    }
    case Opcode::svm_free: {
      const auto free_svm = use(cl_.clEnqueueSVMFree);
      cl_context context = nullptr;
      cl_.clGetCommandQueueInfo.of(platform_)(queue_, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, nullptr);
      const size_t count = cursor_.size();
      std::vector<double> handles;
      std::vector<void*> pointers;
      for (size_t i = 0; i < count; i++) {
        const Slot& svm = cursor_.handle(Kind::svm);
        handles.push_back(environment_.handles.handle_of(svm));
        require(block_of(svm).memory->context == context, CL_INVALID_CONTEXT,
                "memory of another context than the queue's");
        for (void* earlier : pointers) require(earlier != svm.object, CL_INVALID_VALUE, "the same memory twice");
        pointers.push_back(svm.object);
      }
      // Not by the driver: commands of other queues may use the memory still, and so it goes as released blocks do.
      done(free_svm(queue_, static_cast<cl_uint>(pointers.size()), pointers.data(), leave_svm, nullptr, waits_.count(),
                    waits_.list(), out_));
      for (double handle : handles) {
        Slot slot = environment_.handles.take(handle, name_);
        slot.attachment.reset();
      }
      return;
    }
    case Opcode::svm_migrate: {
      const auto migrate = use(cl_.clEnqueueSVMMigrateMem);
      const size_t flags = cursor_.size();
      const size_t count = cursor_.size();
      std::vector<const void*> pointers;
      std::vector<size_t> sizes;
      for (size_t i = 0; i < count; i++) {
        const Slot& svm = cursor_.handle(Kind::svm);
        pointers.push_back(svm.object);
        sizes.push_back(svm.size);
      }
      return done(migrate(queue_, static_cast<cl_uint>(count), pointers.data(), sizes.data(), flags, waits_.count(),
                          waits_.list(), out_));
    }
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

}  // namespace

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
