// SPDX-License-Identifier: MIT
#include "platform.h"

#include <cstring>

#include "info.h"

namespace anycl {

napi_value open(Arguments& a) {
  std::string problem;
  a.environment().library = Library::open(a.has(0) ? a.text(0) : "", problem);
  return a.of(problem);
}

napi_value platforms(Arguments& a) {
  Environment& environment = a.environment();
  if (!environment.library) fail(CL_INVALID_OPERATION, "clGetPlatformIDs", "no OpenCL library is open");
  std::vector<double> handles;
  for (auto& found : platforms_of(*environment.library)) {
    handles.push_back(environment.handles.add(Kind::platform, found->id, found.get()));
    environment.platforms.push_back(std::move(found));
  }
  return a.of(handles);
}

napi_value devices(Arguments& a) {
  Platform& platform = *a.handle(0, Kind::platform).platform;
  const auto type = static_cast<cl_device_type>(a.size(1));
  const auto get = platform.cl.clGetDeviceIDs.of(platform);
  cl_uint count = 0;
  const cl_int code = get(platform.id, type, 0, nullptr, &count);
  if (code == CL_DEVICE_NOT_FOUND) return a.of(std::vector<double>{});
  check(code, "clGetDeviceIDs");
  auto ids = room_for<cl_device_id>(count, "clGetDeviceIDs");
  if (count > 0) check(get(platform.id, type, count, ids.data(), &count), "clGetDeviceIDs");
  // A device has one handle, however often it is queried.
  std::vector<double> handles;
  for (size_t i = 0; i < ids.size() && i < count; i++)
    handles.push_back(a.environment().handles.of(Kind::device, ids[i], &platform));
  return a.of(handles);
}

napi_value create_sub_devices(Arguments& a) {
  const Slot& device = a.handle(0, Kind::device);
  Platform& platform = *device.platform;
  const auto id = device.as<cl_device_id>();
  const std::vector<cl_ulong> wide = a.properties(1);
  cl_uint count = 0;
  std::vector<cl_device_id> ids;
  if (platform.cl.clCreateSubDevices.in(platform) || !platform.ext.clCreateSubDevicesEXT.pointer) {
    const auto create = platform.cl.clCreateSubDevices.of(platform);
    const std::vector<cl_device_partition_property> properties(wide.begin(), wide.end());
    check(create(id, properties.data(), 0, nullptr, &count), "clCreateSubDevices");
    ids = room_for<cl_device_id>(count, "clCreateSubDevices");
    if (count > 0) check(create(id, properties.data(), count, ids.data(), nullptr), "clCreateSubDevices");
  } else {
    const auto create = platform.ext.clCreateSubDevicesEXT.pointer;
    check(create(id, wide.data(), 0, nullptr, &count), "clCreateSubDevicesEXT");
    ids = room_for<cl_device_id>(count, "clCreateSubDevicesEXT");
    if (count > 0) check(create(id, wide.data(), count, ids.data(), nullptr), "clCreateSubDevicesEXT");
  }
  std::vector<double> handles;
  handles.reserve(ids.size());
  for (cl_device_id sub : ids) handles.push_back(a.environment().handles.add(Kind::device, sub, &platform));
  return a.of(handles);
}

napi_value unload_compiler(Arguments& a) {
  const Platform& platform = *a.handle(0, Kind::platform).platform;
  if (platform.cl.clUnloadPlatformCompiler.in(platform))
    check(platform.cl.clUnloadPlatformCompiler.pointer(platform.id), "clUnloadPlatformCompiler");
  else
    check(platform.cl.clUnloadCompiler.of(platform)(), "clUnloadCompiler");
  return a.nothing();
}

napi_value timers(Arguments& a) {
  const Slot& device = a.handle(0, Kind::device);
  const Platform& platform = *device.platform;
  cl_ulong times[2] = {0, 0};
  if (a.flag(1))
    check(platform.cl.clGetDeviceAndHostTimer.of(platform)(device.as<cl_device_id>(), &times[0], &times[1]),
          "clGetDeviceAndHostTimer");
  else
    check(platform.cl.clGetHostTimer.of(platform)(device.as<cl_device_id>(), &times[1]), "clGetHostTimer");
  return a.of_bytes(times, sizeof times);
}

napi_value entry_point(Arguments& a) {
  const Platform& platform = *a.handle(0, Kind::platform).platform;
  const std::string name = a.text(1);
  bool has = false;
#define ANYCL_CORE(entry, version, result, params) \
  if (name == #entry) has = platform.cl.entry.in(platform);
#define ANYCL_EXTENSION(entry, extension, result, params) \
  if (name == #entry) has = platform.ext.entry.in(platform);
#include "../cl/entry-points.gen.inc"
#undef ANYCL_CORE
#undef ANYCL_EXTENSION
  return a.of(has ? 1.0 : 0.0);
}

}  // namespace anycl
