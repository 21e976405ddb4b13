// SPDX-License-Identifier: MIT
//
// Programs and kernels.
import { ErrorCode } from '../../../cl/constants.gen';
import {
  address,
  anything,
  fields,
  func,
  instance,
  list,
  optional,
  record,
  signal,
  text,
  uint,
  uncopied,
  view,
  withCode,
} from '../kinds';
import {
  buildOptions,
  device,
  key,
  onQueue,
  program,
  queue,
  range,
  stops,
  svm,
  waiting,
  workSizeList,
} from '../parameters';
import { call, promise, type Signatures, selfChecked } from '../signature';

const session = instance('Session', 'a Session (of open)', ErrorCode.INVALID_CONTEXT);
const index = withCode(ErrorCode.INVALID_ARG_INDEX, uint);

/** The parameters of `kernel.run` and its blocking twin, which read each option once themselves: a copy is a tenth of the call. */
const launch = {
  options: uncopied(
    fields({
      ...range,
      waitFor: optional(onQueue.waitFor),
      queue: optional(queue),
      timeout: optional(stops.timeout),
      signal: optional(stops.signal),
    }),
  ),
  '...values': anything,
};

export const programs = {
  Program: {
    build: promise('clBuildProgram', {
      options: buildOptions,
      devices: optional(list(device)),
      waiting,
    }),
    buildSync: call('clBuildProgram', { options: buildOptions, devices: optional(list(device)) }),
    compile: promise('clCompileProgram', {
      options: buildOptions,
      headers: optional(record(program)),
      waiting,
    }),
    specialize: call('clSetProgramSpecializationConstant', { id: uint, value: view }),
    info: call('clGetProgramInfo', { key }),
    buildInfo: call('clGetProgramBuildInfo', { key, device: optional(device) }),
    createKernel: call('clCreateKernel', { name: text }),
    onRelease: call('clSetProgramReleaseCallback', { listener: func }),
  },
  DevicePointer: {},
  Kernel: {
    info: call('clGetKernelInfo', { key }),
    workGroupInfo: call('clGetKernelWorkGroupInfo', { key, device: optional(device) }),
    subGroupInfo: call('clGetKernelSubGroupInfo', {
      key,
      local: optional(workSizeList),
      device: optional(device),
    }),
    useSvm: call('clSetKernelExecInfo', { '...pointers': svm }),
    suggestedLocalSize: call('clGetKernelSuggestedLocalWorkSize', {
      range: fields(range),
      queue: optional(queue),
    }),
    setArg: selfChecked('clSetKernelArg', { index, value: anything }),
    setDevicePointer: call('clSetKernelArgDevicePointerEXT', { index, address }),
    setArgs: selfChecked('clSetKernelArg', { '...values': anything }),
    run: call('clEnqueueNDRangeKernel', launch),
    runSync: call('clEnqueueNDRangeKernel', launch),
  },
  KernelModule: {
    kernel: call('clCreateKernel', { name: text }),
    build: promise('clBuildProgram', { cl: session, waiting }),
  },
  ModuleKernel: {
    on: promise('clCreateKernel', { cl: session, waiting }),
    run: promise('clEnqueueNDRangeKernel', {
      cl: session,
      options: fields({
        ...range,
        waitFor: optional(onQueue.waitFor),
        queue: optional(queue),
        signal: optional(signal),
      }),
      '...values': anything,
    }),
  },
} satisfies Record<string, Signatures>;
