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
/** Quick: takes the queue. */
void flush(Environment& environment);
/** Quick: takes the queue, blocks. */
void finish_sync(Environment& environment);

}  // namespace anycl
