// SPDX-License-Identifier: MIT
//
// Semaphores and command buffers: objects that only extensions have.
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/** createSemaphore(context, properties, devices): the devices close the property list */
napi_value create_semaphore(Arguments& a);
/** semaphoreHandle(semaphore, device, type): the bytes of the operating system's handle */
napi_value semaphore_handle(Arguments& a);
/** reimportSemaphoreSyncFd(semaphore, properties, file descriptor) */
napi_value reimport_semaphore_sync_fd(Arguments& a);
/** createCommandBuffer(queues, properties) */
napi_value create_command_buffer(Arguments& a);
napi_value finalize_command_buffer(Arguments& a);
/**
 * record(command buffer, queue or undefined, words, properties): commands as `execute` reads them, waiting for sync
 * points instead of events. The sync points are in the scratch words from the start on; the result is the last
 * command's mutable handle, or 0.
 */
napi_value record(Arguments& a);
/** updateCommands(command buffer, command, words): a kernel's new sizes and arguments; see command_buffer.cc */
napi_value update_command(Arguments& a);
/** remapCommandBuffer(command buffer, automatic, queues) */
napi_value remap_command_buffer(Arguments& a);

}  // namespace anycl
