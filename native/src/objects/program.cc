// SPDX-License-Identifier: MIT
#include "program.h"

#include "info.h"
#include "lifetime.h"

namespace anycl {
namespace {

napi_value made(Arguments& a, cl_program program, cl_int code, const char* function, Platform* platform) {
  check(code, function);
  return a.of(a.environment().handles.add(Kind::program, program, platform));
}

void CL_CALLBACK on_released(cl_program, void* user) { static_cast<Ticket*>(user)->redeem(CL_SUCCESS); }

}  // namespace

napi_value create_program_with_source(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  const std::vector<std::string> sources = a.texts(1);
  std::vector<const char*> pointers;
  std::vector<size_t> lengths;
  for (const std::string& source : sources) {
    pointers.push_back(source.data());
    lengths.push_back(source.size());
  }
  cl_int code = CL_SUCCESS;
  const cl_program program = context.platform->cl.clCreateProgramWithSource.of(*context.platform)(
      context.as<cl_context>(), static_cast<cl_uint>(pointers.size()), pointers.data(), lengths.data(), &code);
  return made(a, program, code, "clCreateProgramWithSource", context.platform);
}

napi_value create_program_with_il(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  const Bytes il = a.bytes(1);
  Platform* platform = context.platform;
  cl_int code = CL_SUCCESS;
  if (!platform->cl.clCreateProgramWithIL.in(*platform) && platform->ext.clCreateProgramWithILKHR.pointer) {
    const cl_program program =
        platform->ext.clCreateProgramWithILKHR.pointer(context.as<cl_context>(), il.data, il.size, &code);
    return made(a, program, code, "clCreateProgramWithILKHR", platform);
  }
  const cl_program program =
      platform->cl.clCreateProgramWithIL.of(*platform)(context.as<cl_context>(), il.data, il.size, &code);
  return made(a, program, code, "clCreateProgramWithIL", platform);
}

napi_value create_program_with_binary(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  const auto devices = a.handles<cl_device_id>(1, Kind::device, *context.platform);
  std::vector<const unsigned char*> pointers;
  std::vector<size_t> lengths;
  for (const Bytes& binary : a.byte_list(2)) {
    pointers.push_back(binary.data);
    lengths.push_back(binary.size);
  }
  if (devices.size() != pointers.size()) fail(CL_INVALID_VALUE, "clCreateProgramWithBinary", "one binary for each device");
  std::vector<cl_int> statuses(devices.size());
  cl_int code = CL_SUCCESS;
  const cl_program program = context.platform->cl.clCreateProgramWithBinary.of(*context.platform)(
      context.as<cl_context>(), static_cast<cl_uint>(devices.size()), devices.data(), lengths.data(), pointers.data(),
      statuses.data(), &code);
  return made(a, program, code, "clCreateProgramWithBinary", context.platform);
}

napi_value create_program_with_built_in_kernels(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  const auto devices = a.handles<cl_device_id>(1, Kind::device, *context.platform);
  const std::string names = a.text(2);
  cl_int code = CL_SUCCESS;
  const cl_program program = context.platform->cl.clCreateProgramWithBuiltInKernels.of(*context.platform)(
      context.as<cl_context>(), static_cast<cl_uint>(devices.size()), devices.data(), names.c_str(), &code);
  return made(a, program, code, "clCreateProgramWithBuiltInKernels", context.platform);
}

napi_value build(Arguments& a) {
  const Slot& slot = a.handle(0, Kind::program);
  const auto program = slot.as<cl_program>();
  const auto devices = a.handles<cl_device_id>(1, Kind::device, *slot.platform);
  const std::string options = a.text(2);
  Platform* platform = slot.platform;
  const auto function = platform->cl.clBuildProgram.of(*platform);
  const auto release = platform->cl.clReleaseProgram.pointer;
  check(platform->cl.clRetainProgram.pointer(program), "clRetainProgram");
  const double id = a.environment().tickets.expect(true);
  a.environment().jobs.start(a.environment().tickets.ticket(id), platform, [=](Job&) {
    const cl_int code = function(program, static_cast<cl_uint>(devices.size()),
                                 devices.empty() ? nullptr : devices.data(), options.c_str(), nullptr, nullptr);
    release(program);
    return code;
  });
  return a.of(id);
}

napi_value build_sync(Arguments& a) {
  const Slot& program = a.handle(0, Kind::program);
  const auto devices = a.handles<cl_device_id>(1, Kind::device, *program.platform);
  const std::string options = a.text(2);
  check(program.platform->cl.clBuildProgram.of(*program.platform)(
            program.as<cl_program>(), static_cast<cl_uint>(devices.size()), devices.empty() ? nullptr : devices.data(),
            options.c_str(), nullptr, nullptr),
        "clBuildProgram");
  return a.nothing();
}

napi_value compile(Arguments& a) {
  const Slot& slot = a.handle(0, Kind::program);
  const auto program = slot.as<cl_program>();
  const auto devices = a.handles<cl_device_id>(1, Kind::device, *slot.platform);
  const std::string options = a.text(2);
  const std::vector<std::string> names = a.texts(3);
  const auto headers = a.handles<cl_program>(4, Kind::program, *slot.platform);
  if (names.size() != headers.size()) fail(CL_INVALID_VALUE, "clCompileProgram", "one name for each header");
  Platform* platform = slot.platform;
  const Library& cl = platform->cl;
  const auto function = cl.clCompileProgram.of(*platform);
  cl.clRetainProgram.pointer(program);
  for (cl_program header : headers) cl.clRetainProgram.pointer(header);
  const double id = a.environment().tickets.expect(true);
  a.environment().jobs.start(a.environment().tickets.ticket(id), platform, [=, &cl](Job&) {
    std::vector<const char*> pointers;
    pointers.reserve(names.size());
    for (const std::string& name : names) pointers.push_back(name.c_str());
    const cl_int code =
        function(program, static_cast<cl_uint>(devices.size()), devices.empty() ? nullptr : devices.data(), options.c_str(),
                 static_cast<cl_uint>(headers.size()), headers.empty() ? nullptr : headers.data(),
                 pointers.empty() ? nullptr : pointers.data(), nullptr, nullptr);
    for (cl_program header : headers) cl.clReleaseProgram.pointer(header);
    cl.clReleaseProgram.pointer(program);
    return code;
  });
  return a.of(id);
}

napi_value link(Arguments& a) {
  const Slot& slot = a.handle(0, Kind::context);
  const auto context = slot.as<cl_context>();
  const auto devices = a.handles<cl_device_id>(1, Kind::device, *slot.platform);
  const std::string options = a.text(2);
  const auto inputs = a.handles<cl_program>(3, Kind::program, *slot.platform);
  Platform* platform = slot.platform;
  const Library& cl = platform->cl;
  const auto function = cl.clLinkProgram.of(*platform);
  cl.clRetainContext.pointer(context);
  for (cl_program input : inputs) cl.clRetainProgram.pointer(input);
  const double id = a.environment().tickets.expect(true);
  a.environment().jobs.start(a.environment().tickets.ticket(id), platform, [=, &cl](Job& job) {
    cl_int code = CL_SUCCESS;
    job.result = function(context, static_cast<cl_uint>(devices.size()), devices.empty() ? nullptr : devices.data(),
                          options.c_str(), static_cast<cl_uint>(inputs.size()), inputs.empty() ? nullptr : inputs.data(),
                          nullptr, nullptr, &code);
    for (cl_program input : inputs) cl.clReleaseProgram.pointer(input);
    cl.clReleaseContext.pointer(context);
    return code;
  });
  return a.of(id);
}

napi_value linked_program(Arguments& a) {
  const auto job = a.environment().jobs.take(static_cast<double>(a.size(0)));
  if (!job || !job->result) return a.of(0.0);
  return a.of(a.environment().handles.add(Kind::program, job->result, job->platform));
}

napi_value job_done(Arguments& a) {
  a.environment().jobs.take(static_cast<double>(a.size(0)));
  return a.nothing();
}

napi_value set_specialization_constant(Arguments& a) {
  const Slot& program = a.handle(0, Kind::program);
  const Bytes value = a.bytes(2);
  // PoCL 3.1 does not check this, and fails an assertion for programs from source.
  size_t il = 0;
  program.platform->cl.clGetProgramInfo.pointer(program.as<cl_program>(), CL_PROGRAM_IL, 0, nullptr, &il);
  if (il == 0) fail(CL_INVALID_PROGRAM, "clSetProgramSpecializationConstant", "the program was not made from SPIR-V");
  check(program.platform->cl.clSetProgramSpecializationConstant.of(*program.platform)(program.as<cl_program>(), a.uint(1),
                                                                                      value.size, value.data),
        "clSetProgramSpecializationConstant");
  return a.nothing();
}

napi_value on_program_released(Arguments& a) {
  const Slot& program = a.handle(0, Kind::program);
  const auto set = program.platform->cl.clSetProgramReleaseCallback.of(*program.platform);
  const double id = a.environment().tickets.expect(true, false);
  Ticket* ticket = a.environment().tickets.ticket(id);
  const cl_int code = set(program.as<cl_program>(), on_released, ticket);
  if (code != CL_SUCCESS) {
    a.environment().tickets.forget(id);
    delete ticket;
    fail(code, "clSetProgramReleaseCallback");
  }
  return a.of(id);
}

napi_value create_kernel(Arguments& a) {
  const Slot& program = a.handle(0, Kind::program);
  Platform* platform = program.platform;
  const std::string name = a.text(1);
  cl_int code = CL_SUCCESS;
  const cl_kernel kernel = platform->cl.clCreateKernel.of(*platform)(program.as<cl_program>(), name.c_str(), &code);
  check(code, "clCreateKernel");
  return a.of(a.environment().handles.add(Kind::kernel, kernel, platform, 0, std::make_unique<KernelAttachment>(platform)));
}

napi_value create_kernels(Arguments& a) {
  const Slot& program = a.handle(0, Kind::program);
  Platform* platform = program.platform;
  const auto create = platform->cl.clCreateKernelsInProgram.of(*platform);
  cl_uint count = 0;
  check(create(program.as<cl_program>(), 0, nullptr, &count), "clCreateKernelsInProgram");
  auto kernels = room_for<cl_kernel>(count, "clCreateKernelsInProgram");
  if (count > 0) check(create(program.as<cl_program>(), count, kernels.data(), nullptr), "clCreateKernelsInProgram");
  std::vector<double> handles;
  handles.reserve(kernels.size());
  for (cl_kernel kernel : kernels)
    handles.push_back(
        a.environment().handles.add(Kind::kernel, kernel, platform, 0, std::make_unique<KernelAttachment>(platform)));
  return a.of(handles);
}

}  // namespace anycl
