// SPDX-License-Identifier: MIT
//
// The device and its sub-devices.
#include <map>
#include <mutex>

#include "info.h"
#include "objects.h"

namespace icd {

namespace {

/** An answer that is never freed, because programs may keep pointers into it. */
struct DeviceAnswer {
  explicit DeviceAnswer(Slice<uint8_t> value) : bytes(value.begin(), value.end()) {}

  /** From strings one after the other, each with its closing 0. */
  void point_to_strings() {
    bool starts = true;
    for (const uint8_t& byte : bytes) {
      if (starts) strings.push_back(reinterpret_cast<const char*>(&byte));
      starts = byte == 0;
    }
  }

  std::vector<uint8_t> bytes;
  std::vector<const char*> strings;
};

/** Answered with an array of pointers (cl_khr_spirv_queries). */
bool is_list_of_strings(cl_device_info param) {
  return param == CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR || param == CL_DEVICE_SPIRV_EXTENSIONS_KHR;
}

/** A partition's property and parameters, with the zeros that close the lists; or the error code. */
cl_int read_partition(const cl_device_partition_property* list, std::vector<uint64_t>& given) {
  if (list == nullptr || *list == 0) return CL_INVALID_VALUE;
  given.push_back(static_cast<uint64_t>(*list));
  if (*list++ != CL_DEVICE_PARTITION_BY_COUNTS) {
    given.push_back(static_cast<uint64_t>(*list++));
  } else {
    for (; *list != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; list++) given.push_back(static_cast<uint64_t>(*list));
    given.push_back(static_cast<uint64_t>(*list++));
  }
  return *list == 0 ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_uint compute_units(cl_device_id of) {
  cl_uint units = 1;
  clGetDeviceInfo(of, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr);
  return units;
}

/** CL_DEVICE_TERMINATE_CAPABILITY_KHR in the headers of OpenCL 1.2: programs like clinfo ask for both. */
constexpr cl_device_info kTerminateCapability12 = 0x200F;

}  // namespace

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id of, cl_device_info param_name, size_t param_value_size,
                                   void* param_value, size_t* param_value_size_ret) {
  if (!is(of)) return CL_INVALID_DEVICE;
  const Target target{param_value_size, param_value, param_value_size_ret};
  switch (param_name) {
    case CL_DEVICE_PLATFORM:
      return target.put(cl_platform_id{&platform});
    case CL_DEVICE_PARENT_DEVICE:
      return target.put(of->parent.get());
    case CL_DEVICE_REFERENCE_COUNT:
      return target.put(cl_uint{of->references});
    case kTerminateCapability12:
      param_name = CL_DEVICE_TERMINATE_CAPABILITY_KHR;
      break;
    default:
      break;
  }
  Connection* connection = Connection::open();
  if (connection == nullptr) return CL_OUT_OF_RESOURCES;
  // A device's properties never change, and no two devices share an id, so answers are cached.
  static std::mutex mutex;
  static auto* known = new std::map<std::pair<uint32_t, cl_device_info>, DeviceAnswer>();
  const std::lock_guard lock(mutex);
  const std::pair key(of->id, param_name);
  auto it = known->find(key);
  if (it == known->end()) {
    const Answer<Info> answer = connection->ask(Info{static_cast<uint32_t>(Subject::kDevice), of->id, param_name});
    if (answer.status != CL_SUCCESS) return answer.status;
    it = known->try_emplace(key, answer.reply.value).first;
    if (is_list_of_strings(param_name)) it->second.point_to_strings();
  }
  const DeviceAnswer& answer = it->second;
  return is_list_of_strings(param_name) ? target.put(answer.strings) : target.put(answer.bytes);
}

cl_int CL_API_CALL clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property* properties,
                                      cl_uint num_devices, cl_device_id* out_devices, cl_uint* num_devices_ret) {
  if (!is(in_device)) return CL_INVALID_DEVICE;
  std::vector<uint64_t> given;
  if (const cl_int wrong = read_partition(properties, given); wrong != CL_SUCCESS) return wrong;
  if (out_devices == nullptr && num_devices_ret == nullptr) return CL_INVALID_VALUE;
  Connection* connection = Connection::open();
  if (connection == nullptr) return CL_OUT_OF_RESOURCES;
  const uint32_t first = connection->next_ids(compute_units(in_device));
  const Answer<CreateSubDevices> answer = connection->ask(CreateSubDevices{in_device->id, first, given});
  if (answer.status != CL_SUCCESS) return answer.status;
  const cl_uint count = answer.reply.count;
  const bool fits = out_devices == nullptr || num_devices >= count;
  for (cl_uint i = 0; i < count; i++) {
    auto* part = new _cl_device_id();
    part->connection = connection;
    part->id = first + i;
    part->parent = Use(in_device);
    if (out_devices != nullptr && fits) out_devices[i] = part;
    else drop(part);
  }
  if (!fits) return CL_INVALID_VALUE;
  if (num_devices_ret != nullptr) *num_devices_ret = count;
  return CL_SUCCESS;
}

// cl_ext_device_fission, the predecessor of sub-devices, is not supported.
cl_int CL_API_CALL clCreateSubDevicesEXT(cl_device_id in_device, const cl_device_partition_property_ext*, cl_uint,
                                         cl_device_id*, cl_uint*) {
  return is(in_device) ? CL_INVALID_VALUE : CL_INVALID_DEVICE;
}

// Root devices have no reference count.
cl_int CL_API_CALL clRetainDevice(cl_device_id of) { return of == &device ? CL_SUCCESS : retain(of, CL_INVALID_DEVICE); }
cl_int CL_API_CALL clReleaseDevice(cl_device_id of) { return of == &device ? CL_SUCCESS : release(of, CL_INVALID_DEVICE); }
cl_int CL_API_CALL clRetainDeviceEXT(cl_device_id of) { return clRetainDevice(of); }
cl_int CL_API_CALL clReleaseDeviceEXT(cl_device_id of) { return clReleaseDevice(of); }

}  // namespace icd
