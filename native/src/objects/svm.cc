// SPDX-License-Identifier: MIT
#include "svm.h"

#include <cstring>

#include "lifetime.h"
#include "mapping.h"

namespace anycl {
namespace {

napi_value made(Arguments& a, void* pointer, size_t size, cl_context context, Platform* platform, bool unified) {
  platform->cl.clRetainContext.pointer(context);
  auto memory = std::shared_ptr<SvmMemory>(new SvmMemory{platform, context, pointer, unified});
  auto block = std::make_shared<SvmBlock>(a.environment(), std::move(memory));
  const double handle = a.environment().handles.add(Kind::svm, pointer, platform, size,
                                                    std::make_unique<SvmAttachment>(std::move(block)));
  napi_value address = nullptr;
  napi_create_bigint_uint64(a.env(), reinterpret_cast<uintptr_t>(pointer), &address);
  return a.list({a.of(handle), address, external_bytes(a.env(), pointer, size)});
}

}  // namespace

napi_value svm_alloc(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  Platform* platform = context.platform;
  const auto object = context.as<cl_context>();
  const size_t size = a.size(2);
  void* pointer = platform->cl.clSVMAlloc.of(*platform)(object, static_cast<cl_svm_mem_flags>(a.size(1)), size, a.uint(3));
  if (!pointer) fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, "clSVMAlloc", "the device has no such memory");
  return made(a, pointer, size, object, platform, false);
}

napi_value unified_svm_alloc(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  Platform* platform = context.platform;
  const auto object = context.as<cl_context>();
  std::vector<cl_ulong> properties = a.properties(1);
  if (a.has(4)) {
    const cl_device_id device = a.handle(4, Kind::device).as<cl_device_id>();
    properties.insert(properties.begin(),
                      {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, reinterpret_cast<uintptr_t>(device)});
  }
  const cl_uint type = a.uint(2);
  const size_t size = a.size(3);
  cl_int code = CL_SUCCESS;
  void* pointer = platform->ext.clSVMAllocWithPropertiesKHR.of(*platform)(object, properties.data(), type, size, &code);
  check(code, "clSVMAllocWithPropertiesKHR");
  return made(a, pointer, size, object, platform, true);
}

napi_value svm_type_index(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  const auto required = static_cast<cl_svm_capabilities_khr>(a.size(1));
  std::vector<cl_ulong> properties;
  if (a.has(2)) {
    properties.push_back(CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR);
    properties.push_back(reinterpret_cast<uintptr_t>(a.handle(2, Kind::device, *context.platform).object));
  }
  properties.push_back(0);
  cl_uint index = 0;
  check(context.platform->ext.clGetSVMSuggestedTypeIndexKHR.of(*context.platform)(
            context.as<cl_context>(), required, 0, properties.data(), a.size(3), &index),
        "clGetSVMSuggestedTypeIndexKHR");
  return a.of(static_cast<double>(index));
}

napi_value svm_copy(Arguments& a) {
  const Slot& svm = a.handle(0, Kind::svm);
  const size_t offset = a.size(1);
  const Bytes host = a.bytes(2);
  if (offset > svm.size || host.size > svm.size - offset) fail(CL_INVALID_VALUE, a.name(), "beyond the end of the memory");
  uint8_t* at = svm.as<uint8_t*>() + offset;
  if (host.size > 0) std::memcpy(a.flag(3) ? at : host.data, a.flag(3) ? host.data : at, host.size);
  return a.nothing();
}

}  // namespace anycl
