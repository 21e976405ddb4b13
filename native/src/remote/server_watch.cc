// SPDX-License-Identifier: MIT
#include "server_watch.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "call_clock.h"
#include "server_socket.h"

namespace anycl {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/** Between two looks at a server; shorter for a short timeout. */
constexpr milliseconds longest_pause{5000};
constexpr int looks_in_timeout = 4;

/** Clients connect to the server's own port and the next one. */
constexpr uint16_t client_ports = 2;
/**
 * Other servers connect to the one after. Another thread serves it, while that of the clients waits for the end of what a client that
 * is gone has left. It may not be reachable: then the first port alone decides.
 */
constexpr uint16_t port_of_servers = 2;

struct Watches {
  std::mutex mutex;
  std::vector<ServerWatch*> all;
};

/** Threads use it until the process ends, so it is never destroyed. */
Watches& watches() {
  static auto* const made = new Watches;
  return *made;
}

}  // namespace

size_t ServerWatch::of(const std::string& host, uint16_t port, milliseconds timeout) {
  const std::lock_guard<std::mutex> lock(watches().mutex);
  auto& all = watches().all;
  const auto known = std::find_if(all.begin(), all.end(), [&](const ServerWatch* watch) {
    return watch->host_ == host && watch->port_ == port;
  });
  if (known != all.end()) return static_cast<size_t>(known - all.begin());
  auto* const made = new ServerWatch(host, port, timeout);
  all.push_back(made);
  std::thread([made] { made->run(); }).detach();
  return all.size() - 1;
}

ServerWatch* ServerWatch::at(size_t number) {
  const std::lock_guard<std::mutex> lock(watches().mutex);
  return number < watches().all.size() ? watches().all[number] : nullptr;
}

void ServerWatch::run() {
  const milliseconds pause = std::min(longest_pause, timeout_ / looks_in_timeout);
  const std::vector<uint16_t> ports{port_, static_cast<uint16_t>(port_ + port_of_servers)};
  CallObserver calls;
  Addresses addresses;
  Clock::time_point last_sign = Clock::now();
  while (!lost_) {
    std::this_thread::sleep_for(pause);
    const bool blocked = calls.look();
    const bool wanted = awaited_ > 0 || blocked;
    if (wanted && addresses.empty()) addresses = resolve(host_);
    // A name that is not known now says nothing of the server.
    if (!wanted || addresses.empty() || server_answers(addresses.front(), ports, pause)) last_sign = Clock::now();
    if (Clock::now() - last_sign >= timeout_) lose();
  }
}

void ServerWatch::lose() {
  const auto seconds = std::to_string(std::chrono::duration_cast<std::chrono::seconds>(timeout_).count());
  CallClock::announce_cut("the remote server " + host_ + ":" + std::to_string(port_) +
                          " has given no sign of life for " + seconds + " s (ANYCL_REMOTE_TIMEOUT)");
  lost_ = true;
  cut_connections(resolve(host_), port_, static_cast<uint16_t>(port_ + client_ports - 1));
}

}  // namespace anycl
