// SPDX-License-Identifier: MIT
#include "server_process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace icd {

namespace {

/** The server's file descriptors. */
constexpr int kSocket = 3;
constexpr int kStaging = 4;

/** The path of this library. */
std::string own_file() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&start_server), &info) == 0 || info.dli_fname == nullptr) return "";
  char* path = realpath(info.dli_fname, nullptr);
  std::string name = path != nullptr ? path : info.dli_fname;
  std::free(path);
  return name;
}

std::string own_folder() {
  const std::string name = own_file();
  const size_t slash = name.rfind('/');
  return slash == std::string::npos ? "." : name.substr(0, slash);
}

struct Command {
  std::string node;
  std::string script;
};

/**
 * The environment (`anycl exec`) comes first, then the file that `anycl exec --install` writes beside the library: two lines, node and
 * the script. Otherwise they are at their places in the package.
 */
Command find_server() {
  Command command;
  const std::string folder = own_folder();
  std::ifstream installed(folder + "/libanycl-icd.conf");
  if (installed) {
    std::getline(installed, command.node);
    std::getline(installed, command.script);
  }
  if (const char* node = std::getenv("ANYCL_ICD_NODE"); node != nullptr && *node != '\0') command.node = node;
  if (const char* script = std::getenv("ANYCL_ICD_SERVER"); script != nullptr && *script != '\0') command.script = script;
  if (command.node.empty()) command.node = "node";
  if (command.script.empty()) command.script = folder + "/../../dist/icd-server.cjs";
  return command;
}

void complain(const Command& command, const char* why) {
  std::fprintf(stderr, "anycl: the software device cannot be started (%s %s): %s\n", command.node.c_str(),
               command.script.c_str(), why);
}

/** fork() without the program's atfork handlers. `signal` is sent to the parent when the child ends. */
pid_t plain_fork(int signal) { return static_cast<pid_t>(syscall(SYS_clone, static_cast<long>(signal), 0L, 0L, 0L, 0L)); }

/** Runs in the child: only calls that are safe after the fork of a program with threads. */
[[noreturn]] void become_server(int socket, int staging, int failure, const char* node,
                                char* const arguments[]) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  // In another session, because the terminal's Ctrl-C is for the program.
  setsid();
  // Not as a child of the program, which may wait for any of its children.
  const pid_t server = plain_fork(SIGCHLD);
  if (server != 0) {
    const int error = server < 0 ? errno : 0;
    if (error != 0) [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
    _exit(0);
  }
  // First to descriptors above those that they are copied to.
  socket = fcntl(socket, F_DUPFD_CLOEXEC, 10);
  staging = fcntl(staging, F_DUPFD_CLOEXEC, 10);
  failure = fcntl(failure, F_DUPFD_CLOEXEC, 10);
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing >= 0) dup2(nothing, 0);
  // The program prints kernels' output; the server itself prints nothing.
  if (nothing >= 0) dup2(nothing, 1);
  dup2(socket, kSocket);
  dup2(staging, kStaging);
  execvp(node, arguments);
  const int error = errno;
  [[maybe_unused]] const ssize_t ignored = write(failure, &error, sizeof error);
  _exit(127);
}

}  // namespace

std::string server_script() { return find_server().script; }

int start_server(int staging_file) {
  const Command command = find_server();
  if (access(command.script.c_str(), R_OK) != 0) {
    complain(command, "the script is not there; set ANYCL_ICD_SERVER, or run `anycl exec --install` again");
    return -1;
  }
  int ends[2];
  int failure[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    complain(command, std::strerror(errno));
    return -1;
  }
  if (pipe2(failure, O_CLOEXEC) != 0) {
    complain(command, std::strerror(errno));
    close(ends[0]);
    close(ends[1]);
    return -1;
  }
  std::string node = command.node;
  std::string script = command.script;
  std::string library = own_file();
  char* const arguments[] = {node.data(), script.data(), library.data(), nullptr};
  pid_t child = plain_fork(0);
  // qemu's emulation of another processor refuses children that end without a signal.
  if (child < 0 && errno == EINVAL) child = plain_fork(SIGCHLD);
  if (child == 0) become_server(ends[1], staging_file, failure[1], node.c_str(), arguments);
  close(ends[1]);
  close(failure[1]);
  int error = child < 0 ? errno : 0;
  if (child > 0) {
    while (waitpid(child, nullptr, __WALL) < 0 && errno == EINTR) {
    }
    ssize_t got;
    do got = read(failure[0], &error, sizeof error);
    while (got < 0 && errno == EINTR);
    if (got <= 0) error = 0;
  }
  close(failure[0]);
  if (error == 0) return ends[0];
  complain(command, std::strerror(error));
  close(ends[0]);
  return -1;
}

}  // namespace icd
