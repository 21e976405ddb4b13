// SPDX-License-Identifier: MIT
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/** createProgramWithSource(context, sources) */
napi_value create_program_with_source(Arguments& a);
/** createProgramWithIl(context, bytes) */
napi_value create_program_with_il(Arguments& a);
/** createProgramWithBinary(context, devices, binaries) */
napi_value create_program_with_binary(Arguments& a);
/** createProgramWithBuiltInKernels(context, devices, names) */
napi_value create_program_with_built_in_kernels(Arguments& a);
/** build(program, devices, options): the ticket of a build on a separate thread */
napi_value build(Arguments& a);
napi_value build_sync(Arguments& a);
/** compile(program, devices, options, names, headers): the ticket */
napi_value compile(Arguments& a);
/** link(context, devices, options, programs): the ticket; linkedProgram(ticket) is the program */
napi_value link(Arguments& a);
napi_value linked_program(Arguments& a);
/** jobDone(ticket): frees a finished build. */
napi_value job_done(Arguments& a);
/** setSpecializationConstant(program, id, bytes) */
napi_value set_specialization_constant(Arguments& a);
/** onProgramReleased(program): the ticket */
napi_value on_program_released(Arguments& a);
/** createKernel(program, name) */
napi_value create_kernel(Arguments& a);
/** createKernels(program): all of them */
napi_value create_kernels(Arguments& a);

}  // namespace anycl
