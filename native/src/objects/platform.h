// SPDX-License-Identifier: MIT
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/** open(path): "" or why no library could be opened. */
napi_value open(Arguments& a);
/** platforms(): their handles; none if the loader finds no driver. */
napi_value platforms(Arguments& a);
/** devices(platform, type) */
napi_value devices(Arguments& a);
/** createSubDevices(device, properties) */
napi_value create_sub_devices(Arguments& a);
/** unloadCompiler(platform) */
napi_value unload_compiler(Arguments& a);
/** timers(device, device too): into words 0 and 1, split into high and low halves. */
napi_value timers(Arguments& a);
/** entryPoint(platform, name): whether the platform has the function. */
napi_value entry_point(Arguments& a);

}  // namespace anycl
