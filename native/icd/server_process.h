// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace icd {

/** Where the server's script is. */
std::string server_script();

/**
 * Starts the server, with one end of a socket and the staging memory. The other end comes back, -1 after a line on stderr that says
 * what is wrong. The server ends when that other end is closed.
 */
int start_server(int staging_file);

}  // namespace icd
