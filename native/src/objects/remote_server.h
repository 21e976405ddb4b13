// SPDX-License-Identifier: MIT
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/** watchServer(host, port, milliseconds): the number of the watch that loses a server without a sign of life for so long */
napi_value watch_server(Arguments& a);
/** awaitServer(watch, change): more (1) or fewer (-1) commands are awaited */
napi_value await_server(Arguments& a);
/** serverLost(watch): 1 or 0 */
napi_value server_lost(Arguments& a);

}  // namespace anycl
