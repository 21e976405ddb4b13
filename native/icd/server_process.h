// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace icd {

/** The path of the server's script. */
std::string server_script();

/**
 * Starts the server, with one end of a socket and the staging memory. Returns the other end, or -1 after a message on stderr.
 * The server ends when that other end is closed.
 */
int start_server(int staging_file);

}  // namespace icd
