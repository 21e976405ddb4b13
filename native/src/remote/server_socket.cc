// SPDX-License-Identifier: MIT
#include "server_socket.h"

#ifndef _WIN32
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

namespace anycl {
namespace {

using Clock = std::chrono::steady_clock;

/** More descriptors than a process has, where it may have any number. */
constexpr int64_t most_descriptors = 65536;

sockaddr_in address_of(uint32_t address, uint16_t port) {
  sockaddr_in to = {};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = address;
  return to;
}

/** A connection that is made, closed at this end, and then to be closed by the server. */
class Dial {
 public:
  Dial(uint32_t address, uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    if (fd_ < 0) return;
    fcntl(fd_, F_SETFD, FD_CLOEXEC);
    fcntl(fd_, F_SETFL, O_NONBLOCK);
    const sockaddr_in to = address_of(address, port);
    if (connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0 && errno != EINPROGRESS) hang_up();
  }
  ~Dial() { hang_up(); }
  Dial(const Dial&) = delete;
  Dial& operator=(const Dial&) = delete;

  bool open() const { return fd_ >= 0; }
  pollfd wanted() const { return {fd_, static_cast<int16_t>(connected_ ? POLLIN : POLLOUT), 0}; }

  /** After what was wanted: whether the server has answered. */
  bool proceed() {
    if (connected_) return true;
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) {
      hang_up();
      return false;
    }
    connected_ = true;
    shutdown(fd_, SHUT_WR);
    return false;
  }

 private:
  void hang_up() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

  int fd_;
  bool connected_ = false;
};

/** The address and port at the other end of a connection; port 0 for anything else. */
std::pair<uint32_t, uint16_t> peer_of(int fd) {
  sockaddr_storage peer = {};
  socklen_t size = sizeof peer;
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0 || peer.ss_family != AF_INET) return {0, 0};
  sockaddr_in ip4 = {};
  std::memcpy(&ip4, &peer, sizeof ip4);
  return {ip4.sin_addr.s_addr, ntohs(ip4.sin_port)};
}

}  // namespace

Addresses resolve(const std::string& host) {
  Addresses found;
  addrinfo hints = {};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &hints, &list) != 0) return found;
  for (const addrinfo* each = list; each; each = each->ai_next) {
    sockaddr_in ip4 = {};
    std::memcpy(&ip4, each->ai_addr, sizeof ip4);
    found.push_back(ip4.sin_addr.s_addr);
  }
  freeaddrinfo(list);
  return found;
}

bool server_answers(uint32_t address, const std::vector<uint16_t>& ports, std::chrono::milliseconds patience) {
  const auto end = Clock::now() + patience;
  std::vector<std::unique_ptr<Dial>> dials;
  dials.reserve(ports.size());
  for (const uint16_t port : ports) dials.push_back(std::make_unique<Dial>(address, port));
  for (;;) {
    std::vector<pollfd> wanted;
    for (const auto& dial : dials)
      if (dial->open()) wanted.push_back(dial->wanted());
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (wanted.empty() || left <= 0) return false;
    if (poll(wanted.data(), wanted.size(), static_cast<int>(left)) < 0 && errno != EINTR) return false;
    for (const pollfd& ready : wanted)
      for (const auto& dial : dials)
        if (ready.revents != 0 && dial->wanted().fd == ready.fd && dial->proceed()) return true;
  }
}

void cut_connections(const Addresses& addresses, uint16_t first_port, uint16_t last_port) {
  const int64_t limit = std::min<int64_t>(sysconf(_SC_OPEN_MAX), most_descriptors);
  for (int fd = 0; fd < limit; fd++) {
    const auto [address, port] = peer_of(fd);
    if (port < first_port || port > last_port || port == 0) continue;
    if (std::find(addresses.begin(), addresses.end(), address) != addresses.end()) shutdown(fd, SHUT_RDWR);
  }
}

}  // namespace anycl

#else

// PoCL's client is not made for Windows: there are no servers to watch.
namespace anycl {

Addresses resolve(const std::string&) { return {}; }
bool server_answers(uint32_t, const std::vector<uint16_t>&, std::chrono::milliseconds) { return true; }
void cut_connections(const Addresses&, uint16_t, uint16_t) {}

}  // namespace anycl

#endif
