// SPDX-License-Identifier: MIT
#include "library.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "../napi/errors.h"

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace anycl {
namespace {

#if defined(_WIN32)
void* open_library(const char* name) { return reinterpret_cast<void*>(LoadLibraryA(name)); }
void* symbol(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}
std::string last_error() { return "error " + std::to_string(GetLastError()); }
void* loaded_before() { return nullptr; }
const char* const usual_names[] = {"OpenCL.dll"};
#else
void* open_library(const char* name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }
void* symbol(void* library, const char* name) { return dlsym(library, name); }
std::string last_error() {
  const char* text = dlerror();
  return text ? text : "unknown error";
}
/** Tools such as Oclgrind preload their own functions in place of the machine's. */
void* loaded_before() {
  void* program = dlopen(nullptr, RTLD_NOW);
  return program && dlsym(program, "clGetPlatformIDs") ? program : nullptr;
}
#if defined(__APPLE__)
const char* const usual_names[] = {"/System/Library/Frameworks/OpenCL.framework/OpenCL"};
#else
const char* const usual_names[] = {"libOpenCL.so.1", "libOpenCL.so"};
#endif
#endif

std::unique_ptr<Library> load(const std::string& path, std::string& problem) {
  void* handle = nullptr;
  auto library = std::make_unique<Library>();
  if (!path.empty()) {
    handle = open_library(path.c_str());
    library->path = path;
  } else {
    handle = loaded_before();
    library->path = "the program's own OpenCL library";
    for (const char* name : usual_names) {
      if (handle) break;
      handle = open_library(name);
      library->path = name;
    }
  }
  if (!handle) {
    problem = last_error();
    return nullptr;
  }
#define ANYCL_CORE(name, version, result, params) \
  library->name.pointer = reinterpret_cast<name##_fn>(symbol(handle, #name));
#define ANYCL_EXTENSION(...)
#include "entry-points.gen.inc"
#undef ANYCL_CORE
#undef ANYCL_EXTENSION
  // Functions that every library has since 1.0, which are called without a check.
  for (const bool there : {
           library->clGetPlatformIDs.pointer != nullptr, library->clGetPlatformInfo.pointer != nullptr,
           library->clGetDeviceIDs.pointer != nullptr, library->clGetDeviceInfo.pointer != nullptr,
           library->clRetainContext.pointer != nullptr, library->clReleaseContext.pointer != nullptr,
           library->clRetainCommandQueue.pointer != nullptr, library->clReleaseCommandQueue.pointer != nullptr,
           library->clRetainMemObject.pointer != nullptr, library->clReleaseMemObject.pointer != nullptr,
           library->clGetMemObjectInfo.pointer != nullptr, library->clGetImageInfo.pointer != nullptr,
           library->clRetainSampler.pointer != nullptr, library->clReleaseSampler.pointer != nullptr,
           library->clRetainProgram.pointer != nullptr, library->clReleaseProgram.pointer != nullptr,
           library->clRetainKernel.pointer != nullptr, library->clReleaseKernel.pointer != nullptr,
           library->clSetKernelArg.pointer != nullptr, library->clGetEventInfo.pointer != nullptr,
           library->clWaitForEvents.pointer != nullptr, library->clRetainEvent.pointer != nullptr,
           library->clReleaseEvent.pointer != nullptr, library->clFlush.pointer != nullptr,
           library->clFinish.pointer != nullptr, library->clEnqueueReadBuffer.pointer != nullptr,
           library->clEnqueueWriteBuffer.pointer != nullptr, library->clEnqueueReadImage.pointer != nullptr,
           library->clEnqueueWriteImage.pointer != nullptr, library->clEnqueueMapBuffer.pointer != nullptr,
           library->clEnqueueMapImage.pointer != nullptr,
       })
    if (!there) {
      problem = library->path + " is not an OpenCL library, or only a part of one";
      return nullptr;
    }
  return library;
}

/** A count that a driver returned, of platforms, devices or characters of a text, limited to a plausible value. */
template <typename Count>
size_t within_reason(Count count) {
  return std::min<size_t>(count, 1u << 20);
}

std::string platform_text(const Library& cl, cl_platform_id id, cl_platform_info key) {
  size_t size = 0;
  if (cl.clGetPlatformInfo.pointer(id, key, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(within_reason(size), '\0');
  if (cl.clGetPlatformInfo.pointer(id, key, text.size(), text.data(), nullptr) != CL_SUCCESS) return {};
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

/** "OpenCL 2.1 vendor" is 21; an unreadable version counts as 1.0. */
int parse_version(const std::string& text) {
  int major = 1, minor = 0;
  if (std::sscanf(text.c_str(), "OpenCL %d.%d", &major, &minor) != 2) return 10;
  return major * 10 + minor;
}

/** The names that the platform and any of its devices claim, each between blanks. */
std::string extension_names(const Platform& platform) {
  const Library& cl = platform.cl;
  std::string names = " " + platform_text(cl, platform.id, CL_PLATFORM_EXTENSIONS) + " ";
  cl_uint count = 0;
  if (cl.clGetDeviceIDs.pointer(platform.id, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS || count == 0)
    return names;
  std::vector<cl_device_id> devices(within_reason(count));
  if (cl.clGetDeviceIDs.pointer(platform.id, CL_DEVICE_TYPE_ALL, static_cast<cl_uint>(devices.size()), devices.data(),
                                nullptr) != CL_SUCCESS)
    return names;
  for (cl_device_id device : devices) {
    size_t size = 0;
    if (cl.clGetDeviceInfo.pointer(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size) != CL_SUCCESS || size == 0) continue;
    std::string text(within_reason(size), '\0');
    if (cl.clGetDeviceInfo.pointer(device, CL_DEVICE_EXTENSIONS, text.size(), text.data(), nullptr) != CL_SUCCESS) continue;
    names += text.c_str();
    names += ' ';
  }
  return names;
}

void find_extensions(Platform& platform) {
  const Library& cl = platform.cl;
  // A loader returns its own functions, which crash if the driver has none, so only claimed extensions are queried.
  const std::string names = extension_names(platform);
  const auto for_platform = cl.clGetExtensionFunctionAddressForPlatform.in(platform)
                                ? cl.clGetExtensionFunctionAddressForPlatform.pointer
                                : nullptr;
  const auto anywhere = cl.clGetExtensionFunctionAddress.pointer;
  const auto find = [&](const char* name, const char* extension) -> void* {
    if (names.find(" " + std::string(extension) + " ") == std::string::npos) return nullptr;
    if (for_platform) return for_platform(platform.id, name);
    return anywhere ? anywhere(name) : nullptr;
  };
#define ANYCL_CORE(...)
#define ANYCL_EXTENSION(name, extension, result, params) \
  platform.ext.name.pointer = reinterpret_cast<name##_fn>(find(#name, extension));
#include "entry-points.gen.inc"
#undef ANYCL_CORE
#undef ANYCL_EXTENSION
}

}  // namespace

const Library* Library::open(const std::string& path, std::string& problem) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<Library>> opened;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = opened.find(path);
  if (found == opened.end()) {
    auto library = load(path, problem);
    if (!library) return nullptr;
    found = opened.emplace(path, std::move(library)).first;
  }
  return found->second.get();
}

std::vector<std::unique_ptr<Platform>> platforms_of(const Library& cl) {
  cl_uint count = 0;
  const cl_int code = cl.clGetPlatformIDs.pointer(0, nullptr, &count);
  if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && count == 0)) return {};
  check(code, "clGetPlatformIDs");
  std::vector<cl_platform_id> ids(within_reason(count));
  check(cl.clGetPlatformIDs.pointer(static_cast<cl_uint>(ids.size()), ids.data(), &count), "clGetPlatformIDs");
  ids.resize(std::min<size_t>(ids.size(), count));
  std::vector<std::unique_ptr<Platform>> platforms;
  for (cl_platform_id id : ids) {
    const int version = parse_version(platform_text(cl, id, CL_PLATFORM_VERSION));
    const std::string name = platform_text(cl, id, CL_PLATFORM_NAME);
    auto platform = std::make_unique<Platform>(Platform{id, cl, version, name, quirks_of(name), Extensions{}});
    find_extensions(*platform);
    platforms.push_back(std::move(platform));
  }
  return platforms;
}

void fail_missing(const Platform& platform, const char* name, int version, const char* extension) {
  std::string detail = "it needs ";
  if (version > 0) {
    detail += "OpenCL " + std::to_string(version / 10) + "." + std::to_string(version % 10);
    detail += platform.version >= version
                  ? ", and the loader " + platform.cl.path + " is older than that"
                  : ", and the platform \"" + platform.name + "\" has " + std::to_string(platform.version / 10) +
                        "." + std::to_string(platform.version % 10);
  } else {
    detail += std::string(extension) + ", which the platform \"" + platform.name + "\" does not have";
  }
  fail(CL_INVALID_OPERATION, name, detail);
}

}  // namespace anycl
