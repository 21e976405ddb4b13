// SPDX-License-Identifier: MIT
#pragma once

namespace anycl {

/**
 * Keeps the addon's code in memory until the process ends. Node.js unloads an addon with the last JavaScript environment that uses it,
 * which may be a worker's, but threads and drivers call us later: detached threads, callbacks of events, destructors of
 * threads' variables.
 */
void stay_loaded();

}  // namespace anycl
