// SPDX-License-Identifier: MIT
//
// Enqueueing: one native method executes any number of commands from the scratch words (see opcodes.gen.h), so that a call passes
// two numbers, and a batch is one call.
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/**
 * execute(queue, words, host memory, second host memory): the last command's event, or 0. The requested events are in the scratch
 * words from the start on, in order. Host memory belongs to the one command that names it.
 */
napi_value execute(Arguments& a);

/** As `execute` without host memory, quick: takes the queue and the number of words, returns the last event or 0. */
void submit(Environment& environment);

}  // namespace anycl
