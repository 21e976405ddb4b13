// SPDX-License-Identifier: MIT
//
// How programs end, and how they go on when the server does. The first argument says which way; the server's process is told for
// the test to look at.
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/** The process that has ANYCL_TEST_MARK of ours in its environment, and is not this one. */
static pid_t find_server(void) {
  const char* mark = getenv("ANYCL_TEST_MARK");
  char wanted[256];
  const int length = snprintf(wanted, sizeof wanted, "ANYCL_TEST_MARK=%s", mark);
  DIR* all = opendir("/proc");
  pid_t found = 0;
  for (struct dirent* entry; (entry = readdir(all)) != NULL;) {
    const pid_t pid = atoi(entry->d_name);
    if (pid <= 0) continue;
    char path[300], name[64] = "";
    snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
    FILE* file = fopen(path, "r");
    char line[4096] = "";
    size_t size = file ? fread(line, 1, sizeof line - 1, file) : 0;
    if (file) fclose(file);
    for (size_t i = 0; i + 1 < size; i++)
      if (line[i] == 0) line[i] = ' ';
    if (strstr(line, "icd-server") == NULL) continue;
    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    file = fopen(path, "r");
    static char environment[1 << 16];
    size = file ? fread(environment, 1, sizeof environment, file) : 0;
    if (file) fclose(file);
    (void)name;
    for (size_t i = 0; i + length <= size; i++)
      if (memcmp(environment + i, wanted, length) == 0) found = pid;
  }
  closedir(all);
  return found;
}

static void add_one(struct Setup s) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(s.program, "add", &status);
  CHECK(status);
  int data[4] = {1, 2, 3, 4};
  cl_mem buffer = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &status);
  CHECK(status);
  CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  const size_t four = 4;
  CHECK(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &four, NULL, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
  printf("result %d %d\n", data[0], data[3]);
  fflush(stdout);
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "return";
  const char* source = "kernel void add(global int* a) { a[get_global_id(0)]++; }";
  struct Setup s = set_up(source);
  printf("server %d\n", (int)find_server());
  fflush(stdout);
  if (strcmp(way, "abort") == 0) abort();
  if (strcmp(way, "kill") == 0) raise(SIGKILL);
  if (strcmp(way, "_exit") == 0) _exit(0);
  if (strcmp(way, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      // What the parent has made is of no use here.
      cl_int status;
      clCreateKernel(s.program, "add", &status);
      printf("the parent's program %d\n", status != CL_SUCCESS);
      fflush(stdout);
      add_one(set_up(source));
      _exit(7);
    }
    int status;
    waitpid(child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
    // No other child is there to wait for.
    printf("no child %d\n", wait(NULL) < 0);
    add_one(s);
  }
  if (strcmp(way, "server") == 0) {
    cl_int status;
    cl_event gate = clCreateUserEvent(s.context, &status);
    CHECK(status);
    cl_event after;
    CHECK(clEnqueueMarkerWithWaitList(s.queue, 1, &gate, &after));
    kill(find_server(), SIGKILL);
    printf("wait %d\n", clWaitForEvents(1, &after));
    CHECK(clGetEventInfo(after, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    printf("event %d\n", (int)status);
    printf("finish %d\n", clFinish(s.queue));
    printf("buffer %d\n", (clCreateBuffer(s.context, 0, 64, NULL, &status), status));
    clReleaseEvent(after);
    clReleaseEvent(gate);
    clReleaseProgram(s.program);
    clReleaseCommandQueue(s.queue);
    clReleaseContext(s.context);
  }
  return 0;
}
