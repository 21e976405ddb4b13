// SPDX-License-Identifier: MIT
//
// Shared virtual memory: lists with pointers in them, host and kernel at the same time, commands, and buffers over it.
#include "check.h"
#include <stdint.h>

struct node {
  struct node* next;
  cl_long value;
};

static const char* SOURCE =
    "typedef struct node { global struct node *next; long value; } node;\n"
    "kernel void walk(global node *first, global long *sum) {\n"
    "  *sum = 0; for (global node *n = first; n; n = n->next) { *sum += n->value; n->value = -n->value; } }\n"
    "kernel void append(global node *last, global node *more) { last->next = more; more->next = 0; more->value = sizeof(size_t); }\n"
    "kernel void answer(volatile global atomic_int *flags) {\n"
    "  while (atomic_load_explicit(&flags[0], memory_order_acquire, memory_scope_all_svm_devices) == 0) ;\n"
    "  atomic_store_explicit(&flags[1], 77, memory_order_release, memory_scope_all_svm_devices); }\n"
    "kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }\n";

static void run(struct Setup s, cl_kernel kernel, size_t global, cl_event* event) {
  CHECK(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &global, NULL, 0, NULL, event));
}

int main(void) {
  struct Setup s = set_up("kernel void none(void) {}");
  cl_int status;
  cl_program program = clCreateProgramWithSource(s.context, 1, &SOURCE, NULL, &status);
  CHECK(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
  cl_device_svm_capabilities can;
  cl_uint bits;
  CHECK(clGetDeviceInfo(s.device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL));
  CHECK(clGetDeviceInfo(s.device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL));
  printf("capabilities %d, %d bits\n", (int)can, bits);

  struct node* nodes = clSVMAlloc(s.context, CL_MEM_READ_WRITE, 4 * sizeof *nodes, 0);
  cl_long* sum = clSVMAlloc(s.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof *sum, 8);
  CHECK(clEnqueueSVMMap(s.queue, CL_TRUE, CL_MAP_WRITE, nodes, 4 * sizeof *nodes, 0, NULL, NULL));
  for (int i = 0; i < 3; i++) nodes[i] = (struct node){i < 2 ? &nodes[i + 1] : NULL, i + 1};
  CHECK(clEnqueueSVMUnmap(s.queue, nodes, 0, NULL, NULL));
  cl_kernel append = clCreateKernel(program, "append", &status);
  CHECK(clSetKernelArgSVMPointer(append, 0, &nodes[2]));
  CHECK(clSetKernelArgSVMPointer(append, 1, &nodes[3]));
  run(s, append, 1, NULL);
  cl_kernel walk = clCreateKernel(program, "walk", &status);
  CHECK(clSetKernelArgSVMPointer(walk, 0, nodes));
  CHECK(clSetKernelArgSVMPointer(walk, 1, sum));
  CHECK(clSetKernelExecInfo(walk, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof nodes, &nodes));
  run(s, walk, 1, NULL);
  CHECK(clFinish(s.queue));
  printf("list of 1 2 3 and sizeof(size_t): %d, %d, appended %d\n", (int)*sum, (int)nodes[0].value, nodes[2].next == &nodes[3]);

  void* later[8];
  int allocated = 0;
  for (int i = 0; i < 8; i++) allocated += (later[i] = clSVMAlloc(s.context, CL_MEM_READ_WRITE, 4096, 0)) != NULL;
  for (int i = 0; i < 8; i++) clSVMFree(s.context, later[i]);
  printf("allocated after launches %d\n", allocated);

  int on_stack = 0;
  printf("not shared %d\n", clSetKernelArgSVMPointer(walk, 1, &on_stack));

  volatile int* flags = clSVMAlloc(s.context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 8, 0);
  flags[0] = flags[1] = 0;
  cl_kernel answer = clCreateKernel(program, "answer", &status);
  CHECK(clSetKernelArgSVMPointer(answer, 0, (void*)flags));
  cl_event event;
  run(s, answer, 1, &event);
  CHECK(clFlush(s.queue));
  __atomic_store_n(&flags[0], 1, __ATOMIC_RELEASE);
  while (__atomic_load_n(&flags[1], __ATOMIC_ACQUIRE) == 0) ;
  printf("while it runs %d\n", flags[1]);
  CHECK(clWaitForEvents(1, &event));

  int* a = clSVMAlloc(s.context, CL_MEM_READ_WRITE, 4096, 0);
  int* b = clSVMAlloc(s.context, CL_MEM_READ_WRITE, 4096, 0);
  const int pattern[2] = {3, 4};
  CHECK(clEnqueueSVMMemFill(s.queue, a, pattern, sizeof pattern, 4096, 0, NULL, NULL));
  CHECK(clEnqueueSVMMemcpy(s.queue, CL_FALSE, b + 2, a, 64, 0, NULL, NULL));
  int local[4] = {9, 9, 9, 9};
  CHECK(clEnqueueSVMMemcpy(s.queue, CL_FALSE, b, local, 8, 0, NULL, NULL));
  CHECK(clEnqueueSVMMemcpy(s.queue, CL_TRUE, local, b, 16, 0, NULL, NULL));
  printf("copied %d %d %d %d, overlap %d\n", local[0], local[1], local[2], local[3],
         clEnqueueSVMMemcpy(s.queue, CL_TRUE, a, a + 1, 16, 0, NULL, NULL));

  cl_mem over = clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR, 4096, a, &status);
  CHECK(status);
  cl_bool uses;
  CHECK(clGetMemObjectInfo(over, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
  cl_kernel twice = clCreateKernel(program, "twice", &status);
  CHECK(clSetKernelArg(twice, 0, sizeof over, &over));
  run(s, twice, 4, NULL);
  int* mapped = clEnqueueMapBuffer(s.queue, over, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 4, 16, 0, NULL, NULL, &status);
  CHECK(status);
  printf("buffer over it %d: %d %d, mapped in place %d\n", uses, a[0], a[1], mapped == a + 1);
  mapped[0] = 50;
  CHECK(clEnqueueUnmapMemObject(s.queue, over, mapped, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(s.queue, over, CL_TRUE, 4, 4, local, 0, NULL, NULL));
  printf("written in place %d\n", local[0]);
  CHECK(clReleaseMemObject(over));
  clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR, 4097, a, &status);
  printf("too large a buffer over it %d\n", status);

  // Two contexts never have the same addresses.
  cl_context other = clCreateContext(NULL, 1, &s.device, NULL, NULL, &status);
  int* elsewhere = clSVMAlloc(other, CL_MEM_READ_WRITE, 4096, 0);
  printf("elsewhere %d\n", elsewhere != NULL && elsewhere != a && elsewhere != b);
  clSVMFree(other, elsewhere);

  void* both[] = {a, b};
  CHECK(clEnqueueSVMFree(s.queue, 2, both, NULL, NULL, 0, NULL, &event));
  CHECK(clWaitForEvents(1, &event));
  clSVMFree(s.context, nodes);
  int kept = 0;
  for (int i = 0; i < 300; i++) {
    int* again = clSVMAlloc(s.context, CL_MEM_READ_WRITE, 1 << 20, 0);
    if (again == NULL) break;
    again[i] = i;
    clSVMFree(s.context, again);
    kept++;
  }
  printf("freed and allocated %d, none of 3 GB %d\n", kept, clSVMAlloc(s.context, 0, (size_t)3 << 30, 0) == NULL);

  // cl_ext_buffer_device_address
  typedef cl_int (*set_pointer)(cl_kernel, cl_uint, cl_ulong);
  cl_platform_id platform;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  set_pointer set = (set_pointer)clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgDevicePointerEXT");
  const cl_mem_properties addressed[] = {0x5000, 1, 0};
  int values[4] = {1, 2, 3, 4};
  cl_mem buffer = clCreateBufferWithProperties(s.context, addressed, CL_MEM_COPY_HOST_PTR, 16, values, &status);
  CHECK(status);
  cl_ulong address = 0;
  CHECK(clGetMemObjectInfo(buffer, 0x5001, sizeof address, &address, NULL));
  CHECK(set(twice, 0, address + 8));
  run(s, twice, 2, NULL);
  CHECK(clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, 0, 16, values, 0, NULL, NULL));
  printf("by address %d %d %d %d\n", values[0], values[1], values[2], values[3]);
  return 0;
}
