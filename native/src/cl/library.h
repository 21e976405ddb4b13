// SPDX-License-Identifier: MIT
//
// The OpenCL library of the machine, opened at run time: installing and loading anycl never depend on it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "opencl.gen.h"
#include "quirks.h"

namespace anycl {

#define ANYCL_CORE(name, version, result, params) using name##_fn = result(CL_API_CALL*) params;
#define ANYCL_EXTENSION(name, extension, result, params) using name##_fn = result(CL_API_CALL*) params;
#include "entry-points.gen.inc"
#undef ANYCL_CORE
#undef ANYCL_EXTENSION

struct Platform;

/** A function that the library may not have, and the version or extension that provides it. */
template <typename F>
struct Function {
  const char* name;
  /** Version times ten; 0 for an extension's function. */
  int version;
  const char* extension;
  F pointer = nullptr;

  /** The function, or a Failure that names the missing version or extension. */
  F of(const Platform& platform) const;
  bool in(const Platform& platform) const;
};

/** The core functions, as the ICD loader exports them. */
struct Library {
  std::string path;
#define ANYCL_CORE(name, version, result, params) Function<name##_fn> name{#name, version, ""};
#define ANYCL_EXTENSION(...)
#include "entry-points.gen.inc"
#undef ANYCL_CORE
#undef ANYCL_EXTENSION

  /**
   * Opens `path`, or the usual names of this system if it is empty. The same path gives the same library to every
   * thread; it is never closed, since drivers do not survive that. null, with the reason, if there is none.
   */
  static const Library* open(const std::string& path, std::string& problem);
};

/** The functions of extensions, which belong to one platform each. */
struct Extensions {
#define ANYCL_CORE(...)
#define ANYCL_EXTENSION(name, extension, result, params) Function<name##_fn> name{#name, 0, extension};
#include "entry-points.gen.inc"
#undef ANYCL_CORE
#undef ANYCL_EXTENSION
};

struct Platform {
  cl_platform_id id;
  const Library& cl;
  /** Version times ten: 21 for OpenCL 2.1. */
  int version;
  std::string name;
  Quirks quirks;
  Extensions ext;
};

/** Every platform of the library; empty if the loader finds no driver. */
std::vector<std::unique_ptr<Platform>> platforms_of(const Library& library);

[[noreturn]] void fail_missing(const Platform& platform, const char* name, int version, const char* extension);

template <typename F>
bool Function<F>::in(const Platform& platform) const {
  return pointer != nullptr && platform.version >= version;
}

template <typename F>
F Function<F>::of(const Platform& platform) const {
  if (!in(platform)) fail_missing(platform, name, version, extension);
  return pointer;
}

}  // namespace anycl
