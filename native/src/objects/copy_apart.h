// SPDX-License-Identifier: MIT
//
// Copies on a thread of their own. NVIDIA's driver copies memory that is not pinned on the thread that enqueues the command, so one
// thread that serves several GPUs copies for one after the other, and one copy of a context at a time.
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/**
 * copyApart(queue, memory, offset, host memory, read): the ticket of the copy; jobDone(ticket) ends its thread. The copy is in no order
 * with commands that are enqueued before the ticket is delivered.
 */
napi_value copy_apart(Arguments& a);
/** copyMemory(queue, from, to): the ticket of a copy of host memory; jobDone(ticket) ends its thread. Any queue of the caller will do. */
napi_value copy_memory(Arguments& a);

}  // namespace anycl
