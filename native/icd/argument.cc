// SPDX-License-Identifier: MIT
#include "argument.h"

#include <cstring>

namespace icd {

template <typename T>
cl_int Argument::read_handle(size_t arg_size, const void* arg_value, bool may_be_null, cl_int invalid) {
  if (arg_size != sizeof(T*)) return CL_INVALID_ARG_SIZE;
  T* handle = nullptr;
  if (arg_value != nullptr) std::memcpy(&handle, arg_value, sizeof handle);
  if (handle == nullptr) {
    if (!may_be_null) return arg_value == nullptr && invalid == CL_INVALID_MEM_OBJECT ? CL_INVALID_ARG_VALUE : invalid;
    kind = ArgumentKind::kNull;
    return CL_SUCCESS;
  }
  if (!is(handle)) return invalid;
  kind = ArgumentKind::kObject;
  object = handle->id;
  return CL_SUCCESS;
}

cl_int Argument::read(ParameterKind parameter, size_t arg_size, const void* arg_value) {
  switch (parameter) {
    case ParameterKind::kBuffer:
      return read_handle<_cl_mem>(arg_size, arg_value, true, CL_INVALID_MEM_OBJECT);
    case ParameterKind::kImage:
    case ParameterKind::kPipe:
      return read_handle<_cl_mem>(arg_size, arg_value, false, CL_INVALID_MEM_OBJECT);
    case ParameterKind::kSampler:
      return read_handle<_cl_sampler>(arg_size, arg_value, false, CL_INVALID_SAMPLER);
    case ParameterKind::kQueue: {
      const cl_int wrong = read_handle<_cl_command_queue>(arg_size, arg_value, false, CL_INVALID_DEVICE_QUEUE);
      if (wrong != CL_SUCCESS) return wrong;
      return (*static_cast<const cl_command_queue*>(arg_value))->is_on_device() ? CL_SUCCESS : CL_INVALID_DEVICE_QUEUE;
    }
    case ParameterKind::kLocal:
      if (arg_value != nullptr) return CL_INVALID_ARG_VALUE;
      kind = ArgumentKind::kLocal;
      size = arg_size;
      return CL_SUCCESS;
    case ParameterKind::kValue:
      if (arg_value == nullptr) return CL_INVALID_ARG_VALUE;
      // No parameter is larger than the device's MAX_PARAMETER_SIZE.
      if (arg_size > 1 << 16) return CL_INVALID_ARG_SIZE;
      kind = ArgumentKind::kValue;
      value = Slice<uint8_t>(static_cast<const uint8_t*>(arg_value), arg_size);
      return CL_SUCCESS;
  }
  return CL_INVALID_ARG_VALUE;
}

}  // namespace icd
