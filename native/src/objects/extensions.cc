// SPDX-License-Identifier: MIT
#include "extensions.h"

#include <cstring>

#include "cursor.h"
#include "info.h"
#include "lifetime.h"
#include "sub_buffers.h"

namespace anycl {
namespace {

/** Objects that recorded commands use, kept until the command buffer is released. */
struct CommandBufferAttachment : Attachment {
  KernelAttachment kept;
  std::vector<std::unique_ptr<KernelAttachment>> kernels;
  explicit CommandBufferAttachment(const Platform* platform) : kept(platform) {}
  void keep(Kind kind, void* object) { kept.keep(kept.arguments.size(), {kind, object, nullptr}); }
};

/** One call of `record`. */
class Recorder {
 public:
  Recorder(Arguments& a, const Slot& buffer, cl_command_queue queue, size_t words,
           const cl_command_properties_khr* properties)
      : environment_(a.environment()),
        platform_(*buffer.platform),
        ext_(buffer.platform->ext),
        buffer_(buffer.as<cl_command_buffer_khr>()),
        kept_(static_cast<CommandBufferAttachment&>(*buffer.attachment)),
        queue_(queue),
        properties_(properties),
        cursor_(environment_, platform_, words) {}

  /** The last command's mutable handle, if it has one. */
  cl_mutable_command_khr run() {
    size_t recorded = 0;
    cl_mutable_command_khr last = nullptr;
    while (cursor_.more()) {
      const Opcode opcode = Cursor::opcode(cursor_.number());
      cursor_.number();
      waits_.clear();
      for (size_t count = cursor_.size(); count > 0; count--)
        waits_.push_back(static_cast<cl_sync_point_khr>(cursor_.size()));
      point_ = 0;
      mutable_ = nullptr;
      command(opcode);
      last = mutable_;
      environment_.scratch.word[recorded++] = point_;
    }
    return last;
  }

 private:
  template <typename F>
  F use(const Function<F>& function) {
    name_ = function.name;
    cursor_.function(function.name);
    return function.of(platform_);
  }
  cl_mem memory() {
    const cl_mem memory = cursor_.memory();
    kept_.keep(Kind::memory, memory);
    return memory;
  }
  /** The image, whose slot has its element size. */
  const Slot& image() {
    const Slot& image = cursor_.handle(Kind::memory);
    kept_.keep(Kind::memory, image.object);
    return image;
  }
  const cl_sync_point_khr* waits() const { return waits_.empty() ? nullptr : waits_.data(); }
  cl_uint count() const { return static_cast<cl_uint>(waits_.size()); }
  void done(cl_int code) { check(code, name_); }
  /** A command that cannot be updated needs no handle; drivers reject one. */
  cl_mutable_command_khr* handle() { return properties_ ? &mutable_ : nullptr; }

  void command(Opcode opcode);

  Environment& environment_;
  const Platform& platform_;
  const Extensions& ext_;
  cl_command_buffer_khr buffer_;
  CommandBufferAttachment& kept_;
  cl_command_queue queue_;
  const cl_command_properties_khr* properties_;
  Cursor cursor_;
  std::vector<cl_sync_point_khr> waits_;
  cl_sync_point_khr point_ = 0;
  cl_mutable_command_khr mutable_ = nullptr;
  const char* name_ = "record";
};

void Recorder::command(Opcode opcode) {
  switch (opcode) {
    case Opcode::kernel: {
      const auto record = use(ext_.clCommandNDRangeKernelKHR);
      const Slot& kernel = cursor_.handle(Kind::kernel);
      const size_t dimensions = cursor_.size();
      const bool has_offset = cursor_.number() != 0, has_local = cursor_.number() != 0;
      if (dimensions < 1 || dimensions > 3) fail(CL_INVALID_WORK_DIMENSION, name_);
      size_t global[3], offset[3], local[3];
      for (size_t i = 0; i < dimensions; i++) global[i] = cursor_.size();
      if (has_offset)
        for (size_t i = 0; i < dimensions; i++) offset[i] = cursor_.size();
      if (has_local)
        for (size_t i = 0; i < dimensions; i++) local[i] = cursor_.size();
      done(record(buffer_, queue_, properties_, kernel.as<cl_kernel>(), static_cast<cl_uint>(dimensions),
                  has_offset ? offset : nullptr, global, has_local ? local : nullptr, count(), waits(), &point_,
                  handle()));
      kept_.kernels.push_back(static_cast<KernelAttachment&>(*kernel.attachment).copy());
      kept_.keep(Kind::kernel, kernel.object);
      return;
    }
    case Opcode::copy_buffer: {
      const auto record = use(ext_.clCommandCopyBufferKHR);
      const cl_mem from = memory(), to = memory();
      const size_t from_offset = cursor_.size(), to_offset = cursor_.size(), size = cursor_.size();
      return done(record(buffer_, queue_, nullptr, from, to, from_offset, to_offset, size, count(), waits(), &point_,
                         nullptr));
    }
    case Opcode::copy_buffer_rect: {
      const auto record = use(ext_.clCommandCopyBufferRectKHR);
      cl_mem from = memory(), to = memory();
      Size3 from_origin = cursor_.triple(), to_origin = cursor_.triple();
      const Size3 region = cursor_.triple();
      const size_t from_row = cursor_.size(), from_slice = cursor_.size();
      const size_t to_row = cursor_.size(), to_slice = cursor_.size();
      from = whole_buffer(from, from_origin.v[0], end_of(from_origin, region, from_row, from_slice), platform_, name_);
      to = whole_buffer(to, to_origin.v[0], end_of(to_origin, region, to_row, to_slice), platform_, name_);
      return done(record(buffer_, queue_, nullptr, from, to, from_origin, to_origin, region, from_row, from_slice, to_row,
                         to_slice, count(), waits(), &point_, nullptr));
    }
    case Opcode::fill_buffer: {
      const auto record = use(ext_.clCommandFillBufferKHR);
      const cl_mem target = memory();
      const size_t offset = cursor_.size(), size = cursor_.size();
      size_t pattern_size;
      const uint8_t* pattern = cursor_.bytes(pattern_size);
      return done(record(buffer_, queue_, nullptr, target, pattern, pattern_size, offset, size, count(), waits(), &point_,
                         nullptr));
    }
    case Opcode::copy_image: {
      const auto record = use(ext_.clCommandCopyImageKHR);
      const cl_mem from = memory(), to = memory();
      const Origin from_origin = cursor_.origin(), to_origin = cursor_.origin();
      const Size3 region = cursor_.triple();
      return done(record(buffer_, queue_, nullptr, from, to, from_origin, to_origin, region, count(), waits(), &point_,
                         nullptr));
    }
    case Opcode::fill_image: {
      const auto record = use(ext_.clCommandFillImageKHR);
      const cl_mem image = memory();
      const Origin origin = cursor_.origin();
      const Size3 region = cursor_.triple();
      size_t size;
      const uint8_t* color = cursor_.bytes(size);
      if (size < 16) fail(CL_INVALID_VALUE, name_, "a colour has four channels of four bytes");
      return done(record(buffer_, queue_, nullptr, image, color, origin, region, count(), waits(), &point_, nullptr));
    }
    case Opcode::copy_image_to_buffer: {
      const auto record = use(ext_.clCommandCopyImageToBufferKHR);
      const Slot& from = image();
      cl_mem to = memory();
      const Origin origin = cursor_.origin();
      const Size3 region = cursor_.triple();
      size_t offset = cursor_.size();
      to = whole_buffer(to, offset, offset + from.size * count_of(region), platform_, name_);
      return done(record(buffer_, queue_, nullptr, from.as<cl_mem>(), to, origin, region, offset, count(), waits(),
                         &point_, nullptr));
    }
    case Opcode::copy_buffer_to_image: {
      const auto record = use(ext_.clCommandCopyBufferToImageKHR);
      cl_mem from = memory();
      const Slot& to = image();
      size_t offset = cursor_.size();
      const Origin origin = cursor_.origin();
      const Size3 region = cursor_.triple();
      from = whole_buffer(from, offset, offset + to.size * count_of(region), platform_, name_);
      return done(record(buffer_, queue_, nullptr, from, to.as<cl_mem>(), offset, origin, region, count(), waits(),
                         &point_, nullptr));
    }
    case Opcode::svm_memcpy: {
      const auto record = use(ext_.clCommandSVMMemcpyKHR);
      const Slot& to = cursor_.handle(Kind::svm);
      const size_t to_offset = cursor_.size();
      const Slot& from = cursor_.handle(Kind::svm);
      const size_t from_offset = cursor_.size(), size = cursor_.size();
      if (to_offset > to.size || size > to.size - to_offset || from_offset > from.size || size > from.size - from_offset)
        fail(CL_INVALID_VALUE, name_, "beyond the end of the memory");
      kept_.kept.indirect.push_back(static_cast<SvmAttachment&>(*to.attachment).block);
      kept_.kept.indirect.push_back(static_cast<SvmAttachment&>(*from.attachment).block);
      return done(record(buffer_, queue_, nullptr, to.as<char*>() + to_offset, from.as<char*>() + from_offset, size,
                         count(), waits(), &point_, nullptr));
    }
    case Opcode::svm_fill: {
      const auto record = use(ext_.clCommandSVMMemFillKHR);
      const Slot& svm = cursor_.handle(Kind::svm);
      const size_t offset = cursor_.size(), size = cursor_.size();
      if (offset > svm.size || size > svm.size - offset) fail(CL_INVALID_VALUE, name_, "beyond the end of the memory");
      kept_.kept.indirect.push_back(static_cast<SvmAttachment&>(*svm.attachment).block);
      size_t pattern_size;
      const uint8_t* pattern = cursor_.bytes(pattern_size);
      return done(record(buffer_, queue_, nullptr, svm.as<char*>() + offset, pattern, pattern_size, size, count(), waits(),
                         &point_, nullptr));
    }
    case Opcode::barrier: {
      const auto record = use(ext_.clCommandBarrierWithWaitListKHR);
      return done(record(buffer_, queue_, nullptr, count(), waits(), &point_, nullptr));
    }
    default: fail(CL_INVALID_OPERATION, "record", "this command cannot be recorded");
  }
}

}  // namespace

napi_value create_semaphore(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  Platform* platform = context.platform;
  std::vector<cl_ulong> properties = a.properties(1);
  const auto devices = a.handles<cl_device_id>(2, Kind::device, *platform);
  if (!devices.empty()) {
    properties.pop_back();
    properties.push_back(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR);
    for (cl_device_id device : devices) properties.push_back(reinterpret_cast<uintptr_t>(device));
    properties.push_back(CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR);
    properties.push_back(0);
  }
  cl_int code = CL_SUCCESS;
  const cl_semaphore_khr semaphore = platform->ext.clCreateSemaphoreWithPropertiesKHR.of(*platform)(
      context.as<cl_context>(), properties.data(), &code);
  check(code, "clCreateSemaphoreWithPropertiesKHR");
  return a.of(a.environment().handles.add(Kind::semaphore, semaphore, platform));
}

napi_value semaphore_handle(Arguments& a) {
  const Slot& semaphore = a.handle(0, Kind::semaphore);
  const auto device = a.handle(1, Kind::device, *semaphore.platform).as<cl_device_id>();
  const cl_uint type = a.uint(2);
  const Platform& platform = *semaphore.platform;
  const auto bytes = query("clGetSemaphoreHandleForTypeKHR", [&](size_t size, void* value, size_t* needed) {
    return platform.ext.clGetSemaphoreHandleForTypeKHR.of(platform)(semaphore.as<cl_semaphore_khr>(), device, type, size,
                                                                    value, needed);
  });
  return a.of_bytes(bytes.data(), bytes.size());
}

napi_value reimport_semaphore_sync_fd(Arguments& a) {
  const Slot& semaphore = a.handle(0, Kind::semaphore);
  std::vector<cl_ulong> properties = a.properties(1);
  check(semaphore.platform->ext.clReImportSemaphoreSyncFdKHR.of(*semaphore.platform)(
            semaphore.as<cl_semaphore_khr>(), properties.data(), a.int32(2)),
        "clReImportSemaphoreSyncFdKHR");
  return a.nothing();
}

napi_value create_command_buffer(Arguments& a) {
  Platform* platform = &a.platform_of(0, Kind::queue);
  const auto queues = a.handles<cl_command_queue>(0, Kind::queue, *platform);
  const std::vector<cl_ulong> properties = a.properties(1);
  cl_int code = CL_SUCCESS;
  const cl_command_buffer_khr buffer = platform->ext.clCreateCommandBufferKHR.of(*platform)(
      static_cast<cl_uint>(queues.size()), queues.data(), properties.size() > 1 ? properties.data() : nullptr, &code);
  check(code, "clCreateCommandBufferKHR");
  return a.of(a.environment().handles.add(Kind::command_buffer, buffer, platform, 0,
                                          std::make_unique<CommandBufferAttachment>(platform)));
}

napi_value finalize_command_buffer(Arguments& a) {
  const Slot& buffer = a.handle(0, Kind::command_buffer);
  check(buffer.platform->ext.clFinalizeCommandBufferKHR.of(*buffer.platform)(buffer.as<cl_command_buffer_khr>()),
        "clFinalizeCommandBufferKHR");
  return a.nothing();
}

napi_value record(Arguments& a) {
  const Slot& buffer = a.handle(0, Kind::command_buffer);
  Platform* platform = buffer.platform;
  const cl_command_queue queue = a.has(1) ? a.handle(1, Kind::queue, *platform).as<cl_command_queue>() : nullptr;
  const size_t words = a.size(2);
  if (words > Scratch::words) fail(CL_INVALID_VALUE, a.name(), "more words than there is scratch memory");
  const std::vector<cl_ulong> properties = a.properties(3);
  const cl_mutable_command_khr command =
      Recorder(a, buffer, queue, words, properties.size() > 1 ? properties.data() : nullptr).run();
  return a.of(command ? a.environment().handles.add(Kind::mutable_command, command, platform) : 0.0);
}

napi_value update_command(Arguments& a) {
  const Slot& buffer = a.handle(0, Kind::command_buffer);
  const Platform& platform = *buffer.platform;
  const char* function = "clUpdateMutableCommandsKHR";
  const auto update = platform.ext.clUpdateMutableCommandsKHR.of(platform);
  Cursor cursor(a.environment(), platform, a.size(2) > Scratch::words ? 0 : a.size(2));
  cursor.function(function);
  cl_mutable_dispatch_config_khr config = {};
  config.command = a.handle(1, Kind::mutable_command, platform).as<cl_mutable_command_khr>();
  config.work_dim = static_cast<cl_uint>(cursor.size());
  if (config.work_dim > 3) fail(CL_INVALID_WORK_DIMENSION, function);
  size_t sizes[3][3];
  const size_t** lists[3] = {&config.global_work_size, &config.global_work_offset, &config.local_work_size};
  for (int list = 0; list < 3; list++) {
    if (cursor.number() == 0) continue;
    for (size_t i = 0; i < config.work_dim; i++) sizes[list][i] = cursor.size();
    *lists[list] = sizes[list];
  }
  auto& kept = static_cast<CommandBufferAttachment&>(*buffer.attachment);
  std::vector<cl_mutable_dispatch_arg_khr> arguments, svm_arguments;
  std::vector<void*> objects;
  const size_t count = cursor.size();
  objects.reserve(count < Scratch::words ? count : 0);
  for (size_t i = 0; i < count; i++) {
    const auto index = static_cast<cl_uint>(cursor.size());
    const size_t kind = cursor.size();
    if (kind == 0) {
      size_t size;
      const uint8_t* bytes = cursor.bytes(size);
      arguments.push_back({index, size, bytes});
    } else if (kind == 1) {
      const Slot& object = a.environment().handles.any(cursor.number(), function);
      if (object.platform != &platform) fail(CL_INVALID_ARG_VALUE, function, "an object of another platform");
      if (object.kind != Kind::memory && object.kind != Kind::sampler && object.kind != Kind::queue)
        fail(CL_INVALID_ARG_VALUE, function, "neither a memory object nor a sampler nor a queue");
      kept.keep(object.kind, object.object);
      objects.push_back(object.object);
      arguments.push_back({index, sizeof(void*), &objects.back()});
    } else if (kind == 2) {
      arguments.push_back({index, cursor.size(), nullptr});
    } else {
      const Slot& svm = cursor.handle(Kind::svm);
      kept.kept.indirect.push_back(static_cast<SvmAttachment&>(*svm.attachment).block);
      svm_arguments.push_back({index, sizeof(void*), svm.object});
    }
  }
  config.num_args = static_cast<cl_uint>(arguments.size());
  config.arg_list = arguments.empty() ? nullptr : arguments.data();
  config.num_svm_args = static_cast<cl_uint>(svm_arguments.size());
  config.arg_svm_list = svm_arguments.empty() ? nullptr : svm_arguments.data();
  const cl_command_buffer_update_type_khr type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
  const void* configs[] = {&config};
  check(update(buffer.as<cl_command_buffer_khr>(), 1, &type, configs), function);
  return a.nothing();
}

napi_value remap_command_buffer(Arguments& a) {
  const Slot& buffer = a.handle(0, Kind::command_buffer);
  Platform* platform = buffer.platform;
  const auto queues = a.handles<cl_command_queue>(2, Kind::queue, *platform);
  cl_int code = CL_SUCCESS;
  const cl_command_buffer_khr remapped = platform->ext.clRemapCommandBufferKHR.of(*platform)(
      buffer.as<cl_command_buffer_khr>(), a.flag(1), static_cast<cl_uint>(queues.size()),
      queues.empty() ? nullptr : queues.data(), 0, nullptr, nullptr, &code);
  check(code, "clRemapCommandBufferKHR");
  return a.of(a.environment().handles.add(Kind::command_buffer, remapped, platform, 0,
                                          std::make_unique<CommandBufferAttachment>(platform)));
}

}  // namespace anycl
