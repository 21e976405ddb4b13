// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace anycl {

/**
 * Finds out that a server says nothing any more, although the connection is open: its process is stopped, or its machine hangs. While
 * commands of its devices are awaited, or a call of a driver does not return, a thread looks whether the server's process is alive. How
 * long a command takes does not matter. When there was no sign of life for `timeout`, the server is lost, and its connections are cut,
 * so that what waits for them in the driver goes on.
 */
class ServerWatch {
 public:
  /** The watch of a server, one in the process: its number. The first one's `timeout` holds. */
  static size_t of(const std::string& host, uint16_t port, std::chrono::milliseconds timeout);
  /** Null for a number that `of` did not return. */
  static ServerWatch* at(size_t number);

  /** More (1) or less (-1) is awaited. */
  void await(int change) { awaited_ += change; }
  bool lost() const { return lost_; }

 private:
  ServerWatch(std::string host, uint16_t port, std::chrono::milliseconds timeout)
      : host_(std::move(host)), port_(port), timeout_(timeout) {}
  void run();
  void lose();

  const std::string host_;
  const uint16_t port_;
  const std::chrono::milliseconds timeout_;
  std::atomic<int> awaited_{0};
  std::atomic<bool> lost_{false};
};

}  // namespace anycl
