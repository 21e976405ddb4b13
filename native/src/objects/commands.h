// SPDX-License-Identifier: MIT
//
// Enqueueing: one native method executes any number of commands out of the scratch words (see opcodes.gen.h), so that
// a call costs two numbers, and a batch one crossing.
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/**
 * execute(queue, words, host memory, second host memory): the last command's event, or 0. The events that the commands
 * wanted are in the scratch words from the start on, in order. Host memory goes with the one command that names it.
 */
napi_value execute(Arguments& a);

/** As `execute` without host memory, quick: takes the queue and the number of words, gives the last event or 0. */
void submit(Environment& environment);

}  // namespace anycl
