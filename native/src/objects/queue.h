// SPDX-License-Identifier: MIT
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/** createQueue(context, device, properties) */
napi_value create_queue(Arguments& a);
/** setDefaultDeviceQueue(context, device, queue) */
napi_value set_default_device_queue(Arguments& a);
/** setQueueProperty(queue, flags, on), OpenCL 1.0 only */
napi_value set_queue_property(Arguments& a);
napi_value flush(Arguments& a);
/** finishSync(queue): blocks. */
napi_value finish_sync(Arguments& a);

}  // namespace anycl
