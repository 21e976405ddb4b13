// SPDX-License-Identifier: MIT
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/** createContext(devices, properties), all devices of one platform */
napi_value create_context(Arguments& a);
/** createContextFromType(platform, type, properties) */
napi_value create_context_from_type(Arguments& a);
/** onContextDestroyed(context): the ticket */
napi_value on_context_destroyed(Arguments& a);
/** terminateContext(context) */
napi_value terminate_context(Arguments& a);
/** glContextInfo(platform, properties, key): devices for a GL context */
napi_value gl_context_info(Arguments& a);

}  // namespace anycl
