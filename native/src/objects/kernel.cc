// SPDX-License-Identifier: MIT
#include "kernel.h"

#include "lifetime.h"

namespace anycl {
namespace {

KernelAttachment& kept(const Slot& kernel) { return static_cast<KernelAttachment&>(*kernel.attachment); }

/** More arguments than any device accepts; limits the memory that a wild index allocates. */
constexpr cl_uint index_limit = 4096;

void set(const Slot& kernel, cl_uint index, size_t size, const void* value) {
  check(kernel.platform->cl.clSetKernelArg.pointer(kernel.as<cl_kernel>(), index, size, value), "clSetKernelArg");
}

void keep(const Slot& kernel, cl_uint index, KernelAttachment::Argument argument) {
  if (index < index_limit) kept(kernel).keep(index, std::move(argument));
}

bool is_image(const Slot& memory) {
  cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  memory.platform->cl.clGetMemObjectInfo.pointer(memory.as<cl_mem>(), CL_MEM_TYPE, sizeof type, &type, nullptr);
  return type != CL_MEM_OBJECT_BUFFER && type != CL_MEM_OBJECT_PIPE;
}

/** The type of a parameter as it is written; empty if the driver does not tell it. */
std::string type_name(const Slot& kernel, cl_uint index) {
  const auto get = kernel.platform->cl.clGetKernelArgInfo.of(*kernel.platform);
  char name[256] = {};
  const cl_int code = get(kernel.as<cl_kernel>(), index, CL_KERNEL_ARG_TYPE_NAME, sizeof name - 1, name, nullptr);
  return code == CL_SUCCESS ? name : "";
}

void refuse_typedefs(const Slot& kernel, cl_uint index, const Slot& value) {
  if (value.kind != Kind::sampler && !(value.kind == Kind::memory && is_image(value))) return;
  const std::string name = type_name(kernel, index);
  if (name.empty() || name.rfind("image", 0) == 0 || name == "sampler_t") return;
  const std::string why = "argument " + std::to_string(index) + " has the type '" + name +
                          "', a typedef, and the driver (PoCL) would pass a wrong address for it: write " +
                          (value.kind == Kind::sampler ? "sampler_t" : "the image's own type") +
                          " in the kernel's parameters";
  fail(CL_INVALID_ARG_VALUE, "clSetKernelArg", why);
}

/** The operands of a quick call: kernel, index, and what it is set to. */
struct Quick {
  const Slot& kernel;
  cl_uint index;
  double third;
  explicit Quick(Environment& environment)
      : kernel(environment.handles.get(environment.scratch.operand[0], Kind::kernel, "clSetKernelArg")),
        third(environment.scratch.operand[2]) {
    const size_t given = whole(environment.scratch.operand[1], "clSetKernelArg");
    if (given > 0xFFFFFFFFu) fail(CL_INVALID_ARG_INDEX, "clSetKernelArg");
    index = static_cast<cl_uint>(given);
  }
};

}  // namespace

void set_arg_bytes(Environment& environment) {
  const Quick call(environment);
  const size_t size = whole(call.third, "clSetKernelArg");
  if (size > Scratch::bytes) fail(CL_INVALID_ARG_SIZE, "clSetKernelArg");
  set(call.kernel, call.index, size, environment.scratch.byte);
  kept(call.kernel).drop(call.index);
}

napi_value set_arg_large(Arguments& a) {
  const Slot& kernel = a.handle(0, Kind::kernel);
  const Bytes value = a.bytes(2);
  set(kernel, a.uint(1), value.size, value.data);
  return a.nothing();
}

napi_value set_arg_local(Arguments& a) {
  set(a.handle(0, Kind::kernel), a.uint(1), a.size(2), nullptr);
  return a.nothing();
}

void set_arg_object(Environment& environment) {
  const Quick call(environment);
  const Slot& kernel = call.kernel;
  const cl_uint index = call.index;
  if (call.third == 0) {
    const cl_mem none = nullptr;
    set(kernel, index, sizeof none, &none);
    kept(kernel).drop(index);
    return;
  }
  const Slot& value = environment.handles.any(call.third, "clSetKernelArg");
  if (value.kind != Kind::memory && value.kind != Kind::sampler && value.kind != Kind::queue)
    fail(CL_INVALID_ARG_VALUE, "clSetKernelArg", "neither a memory object nor a sampler nor a queue");
  if (value.platform != kernel.platform)
    fail(CL_INVALID_ARG_VALUE, "clSetKernelArg", "the object belongs to another platform than the kernel");
  if (kernel.platform->quirks.passes_typedefs_as_bytes) refuse_typedefs(kernel, index, value);
  set(kernel, index, sizeof(void*), &value.object);
  keep(kernel, index, {value.kind, value.object, nullptr});
}

napi_value set_arg_svm(Arguments& a) {
  const Slot& kernel = a.handle(0, Kind::kernel);
  const cl_uint index = a.uint(1);
  const Slot& svm = a.handle(2, Kind::svm, *kernel.platform);
  check(kernel.platform->cl.clSetKernelArgSVMPointer.of(*kernel.platform)(kernel.as<cl_kernel>(), index, svm.object),
        "clSetKernelArgSVMPointer");
  keep(kernel, index, {Kind::none, nullptr, static_cast<SvmAttachment&>(*svm.attachment).block});
  return a.nothing();
}

napi_value set_arg_device_pointer(Arguments& a) {
  const Slot& kernel = a.handle(0, Kind::kernel);
  check(kernel.platform->ext.clSetKernelArgDevicePointerEXT.of(*kernel.platform)(kernel.as<cl_kernel>(), a.uint(1),
                                                                                 a.bigint(2)),
        "clSetKernelArgDevicePointerEXT");
  return a.nothing();
}

napi_value set_exec_info(Arguments& a) {
  const Slot& kernel = a.handle(0, Kind::kernel);
  const Bytes value = a.bytes(2);
  check(kernel.platform->cl.clSetKernelExecInfo.of(*kernel.platform)(kernel.as<cl_kernel>(), a.uint(1), value.size,
                                                                     value.data),
        "clSetKernelExecInfo");
  return a.nothing();
}

napi_value set_exec_svm(Arguments& a) {
  const Slot& kernel = a.handle(0, Kind::kernel);
  const cl_uint key = a.uint(1);
  std::vector<void*> pointers;
  std::vector<std::shared_ptr<SvmBlock>> blocks;
  for (double handle : a.numbers(2)) {
    const Slot& svm = a.environment().handles.get(handle, Kind::svm, a.name(), *kernel.platform);
    pointers.push_back(svm.object);
    blocks.push_back(static_cast<SvmAttachment&>(*svm.attachment).block);
  }
  check(kernel.platform->cl.clSetKernelExecInfo.of(*kernel.platform)(
            kernel.as<cl_kernel>(), key, pointers.size() * sizeof(void*), pointers.data()),
        "clSetKernelExecInfo");
  kept(kernel).indirect = std::move(blocks);
  return a.nothing();
}

napi_value suggested_local_size(Arguments& a) {
  const Slot& queue = a.handle(0, Kind::queue);
  const Platform& platform = *queue.platform;
  const Slot& kernel = a.handle(1, Kind::kernel, platform);
  const std::vector<size_t> global = a.sizes(2);
  const std::vector<size_t> offset = a.has(3) ? a.sizes(3) : std::vector<size_t>{};
  if (global.empty() || global.size() > 3 || (!offset.empty() && offset.size() != global.size()))
    fail(CL_INVALID_WORK_DIMENSION, "clGetKernelSuggestedLocalWorkSize");
  size_t local[3] = {1, 1, 1};
  const bool core = platform.cl.clGetKernelSuggestedLocalWorkSize.in(platform) ||
                    !platform.ext.clGetKernelSuggestedLocalWorkSizeKHR.pointer;
  const auto get = core ? platform.cl.clGetKernelSuggestedLocalWorkSize.of(platform)
                        : platform.ext.clGetKernelSuggestedLocalWorkSizeKHR.pointer;
  check(get(queue.as<cl_command_queue>(), kernel.as<cl_kernel>(), static_cast<cl_uint>(global.size()),
            offset.empty() ? nullptr : offset.data(), global.data(), local),
        core ? "clGetKernelSuggestedLocalWorkSize" : "clGetKernelSuggestedLocalWorkSizeKHR");
  std::vector<double> out;
  for (size_t i = 0; i < global.size(); i++) out.push_back(static_cast<double>(local[i]));
  return a.of(out);
}

napi_value clone_kernel(Arguments& a) {
  const Slot& kernel = a.handle(0, Kind::kernel);
  Platform* platform = kernel.platform;
  cl_int code = CL_SUCCESS;
  const cl_kernel clone = platform->cl.clCloneKernel.of(*platform)(kernel.as<cl_kernel>(), &code);
  check(code, "clCloneKernel");
  auto attachment = kept(kernel).copy();
  return a.of(a.environment().handles.add(Kind::kernel, clone, platform, 0, std::move(attachment)));
}

}  // namespace anycl
