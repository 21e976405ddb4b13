// SPDX-License-Identifier: MIT
#pragma once
#include "napi/arguments.h"

namespace anycl {

/**
 * placeThread(thread, part, parts): keeps a thread of this process, by the number that Linux gives it, on every `parts`th of the processors
 * that the main thread may use, from the `part`th on. 1 if it did, 0 if there are too few processors, or the system is another one.
 */
napi_value place_thread(Arguments& a);
/**
 * currentPart(parts): the part that is nothing but the processor on which the calling thread runs, after a thread was placed on it by this one;
 * -1 if there is none, and on other systems.
 */
napi_value current_part(Arguments& a);

}  // namespace anycl
