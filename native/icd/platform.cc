// SPDX-License-Identifier: MIT
//
// The platform, and its one device (device.cc has the device's own functions).
#include <fstream>
#include <map>
#include <mutex>
#include <string_view>

#include "info.h"
#include "objects.h"
#include "server_process.h"

namespace icd {

namespace {

constexpr cl_device_type kType = CL_DEVICE_TYPE_CPU;
constexpr cl_device_type kKnownTypes = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                       CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;

void* function_named(const char* name) {
  if (name == nullptr) return nullptr;
  if (std::string_view(name) == "clIcdGetPlatformIDsKHR") return reinterpret_cast<void*>(&clGetPlatformIDs);
  for (const NamedFunction& function : kFunctions)
    if (std::string_view(function.name) == name) return function.address;
  return nullptr;
}

/**
 * The platform's properties, from a file that the build writes beside the server (ts/icd/main.ts): loaders query them in every
 * program, and few programs then use the device. Empty if there is no such file.
 */
const std::map<cl_platform_info, std::string>& stored_answers() {
  static const auto* answers = [] {
    auto* all = new std::map<cl_platform_info, std::string>();
    const std::string script = server_script();
    std::ifstream file(script.substr(0, script.rfind('/') + 1) + "icd-platform.bin", std::ios::binary);
    uint32_t head[2];
    while (file.read(reinterpret_cast<char*>(head), sizeof head)) {
      std::string value(head[1], '\0');
      if (file.read(value.data(), head[1])) all->emplace(head[0], std::move(value));
    }
    return all;
  }();
  return *answers;
}

}  // namespace

cl_int CL_API_CALL refuse() { return CL_INVALID_OPERATION; }

bool matches(cl_device_type type) { return type == CL_DEVICE_TYPE_ALL || (type & (kType | CL_DEVICE_TYPE_DEFAULT)) != 0; }
bool is_known(cl_device_type type) { return type == CL_DEVICE_TYPE_ALL || (type != 0 && (type & ~kKnownTypes) == 0); }

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms) {
  if ((num_entries == 0) != (platforms == nullptr) || (platforms == nullptr && num_platforms == nullptr))
    return CL_INVALID_VALUE;
  if (platforms != nullptr) *platforms = &platform;
  if (num_platforms != nullptr) *num_platforms = 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id of, cl_platform_info param_name, size_t param_value_size,
                                     void* param_value, size_t* param_value_size_ret) {
  if (of != nullptr && !is(of)) return CL_INVALID_PLATFORM;
  const Target target{param_value_size, param_value, param_value_size_ret};
  const auto& stored = stored_answers();
  if (const auto it = stored.find(param_name); it != stored.end()) return target.put(it->second.data(), it->second.size());
  if (!stored.empty()) return CL_INVALID_VALUE;
  Connection* connection = Connection::open();
  if (connection == nullptr) return CL_OUT_OF_HOST_MEMORY;
  return target.ask(*connection, Subject::kPlatform, 0, param_name);
}

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id of, cl_device_type device_type, cl_uint num_entries,
                                  cl_device_id* devices, cl_uint* num_devices) {
  if (of != nullptr && !is(of)) return CL_INVALID_PLATFORM;
  if (!is_known(device_type)) return CL_INVALID_DEVICE_TYPE;
  if ((num_entries == 0 && devices != nullptr) || (devices == nullptr && num_devices == nullptr)) return CL_INVALID_VALUE;
  if (!matches(device_type) || Connection::open() == nullptr) {
    if (num_devices != nullptr) *num_devices = 0;
    return CL_DEVICE_NOT_FOUND;
  }
  if (devices != nullptr) *devices = &device;
  if (num_devices != nullptr) *num_devices = 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clUnloadCompiler() { return CL_SUCCESS; }
cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id of) { return is(of) ? CL_SUCCESS : CL_INVALID_PLATFORM; }

cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id of, cl_ulong* device_timestamp, cl_ulong* host_timestamp) {
  if (!is(of)) return CL_INVALID_DEVICE;
  if (device_timestamp == nullptr || host_timestamp == nullptr) return CL_INVALID_VALUE;
  Connection* connection = Connection::open();
  if (connection == nullptr) return CL_OUT_OF_RESOURCES;
  const Answer<Timers> answer = connection->ask(Timers{});
  if (answer.status != CL_SUCCESS) return answer.status;
  *device_timestamp = answer.reply.device;
  *host_timestamp = answer.reply.host;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetHostTimer(cl_device_id of, cl_ulong* host_timestamp) {
  cl_ulong ignored;
  return clGetDeviceAndHostTimer(of, &ignored, host_timestamp);
}

void* CL_API_CALL clGetExtensionFunctionAddress(const char* func_name) { return function_named(func_name); }

void* CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id of, const char* func_name) {
  return is(of) ? function_named(func_name) : nullptr;
}

}  // namespace icd

// The functions that loaders look up in the library.
extern "C" {

#define ANYCL_EXPORT __attribute__((visibility("default")))

ANYCL_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms,
                                                       cl_uint* num_platforms) {
  return icd::clGetPlatformIDs(num_entries, platforms, num_platforms);
}

ANYCL_EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                                  size_t param_value_size, void* param_value,
                                                  size_t* param_value_size_ret) {
  return icd::clGetPlatformInfo(platform, param_name, param_value_size, param_value, param_value_size_ret);
}

ANYCL_EXPORT void* CL_API_CALL clGetExtensionFunctionAddress(const char* func_name) {
  return icd::clGetExtensionFunctionAddress(func_name);
}

}  // extern "C"
