// SPDX-License-Identifier: MIT
//
// What can be learned of a server of PoCL-Remote, and done about it, without its protocol.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace anycl {

/** IPv4 addresses in network order, as PoCL's client uses no others. */
using Addresses = std::vector<uint32_t>;

/** Empty if the name is unknown. */
Addresses resolve(const std::string& host);

/**
 * Whether the server's process is alive: at one of the ports, it closes a connection that was closed at this end. The system of a
 * stopped process accepts connections, but closes none.
 */
bool server_answers(uint32_t address, const std::vector<uint16_t>& ports, std::chrono::milliseconds patience);

/** Ends the process's connections to these ports, whoever made them: reads and writes of other threads return. */
void cut_connections(const Addresses& addresses, uint16_t first_port, uint16_t last_port);

}  // namespace anycl
