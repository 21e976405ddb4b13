// SPDX-License-Identifier: MIT

import type { BackendMemory } from '../../backend/backend-objects';
import { ErrorCode, MemFlags } from '../../cl/constants.gen';
import { pipeInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { type InfoOf, queryInfo } from '../info/info';
import { handleFor } from '../internals';
import type { Context } from './context';
import { MemoryObject } from './memory-object';
import { memoryPressure } from './memory-pressure';

/** Properties by name, without `CL_PIPE_`. */
export type PipeInfo = InfoOf<typeof pipeInfo>;

/**
 * A queue of packets between kernels.
 *
 * @example
 * ```ts
 * const { put, get } = (await cl.build(`
 *   kernel void put(write_only pipe int p) { int x = 7; write_pipe(p, &x); }
 *   kernel void get(read_only pipe int p, global int *y) { read_pipe(p, y); }`, '-cl-std=CL2.0')).kernels;
 * const pipe = cl.context.createPipe(4, 16);
 * const y = cl.buffer(Int32Array, 1);
 * await put.run({ global: 1 }, pipe);
 * await get.run({ global: 1 }, pipe, y);
 * console.log(await y.read());                     // Int32Array(1) [ 7 ]
 * ```
 */
export class Pipe extends MemoryObject {
  /** @internal */
  constructor(
    handle: BackendMemory,
    context: Context,
    flags: number,
    /** Bytes of one packet. */
    readonly packetSize: number,
    /** How many packets it can hold. */
    readonly maxPackets: number,
  ) {
    const bytes = packetSize * maxPackets;
    super(handle, context, bytes, flags, bytes);
  }

  /**
   * A property by its name without `CL_PIPE_`, or by number as bytes (clGetPipeInfo).
   * @throws OpenCLError INVALID_VALUE for a key that the device does not know
   */
  info<K extends keyof PipeInfo>(key: K): PipeInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof PipeInfo | number): unknown {
    return queryInfo(pipeInfo, key, 'clGetPipeInfo', (param) =>
      this[handleFor]('clGetPipeInfo').pipeInfo(param),
    );
  }
}

guard('Pipe', Pipe);

/** @internal `context.createPipe` */
export function newPipe(context: Context, packetSize: number, maxPackets: number): Pipe {
  const functionName = 'clCreatePipe';
  const isCount = (value: number) => Number.isInteger(value) && value > 0;
  if (!isCount(packetSize) || !isCount(maxPackets)) {
    const detail = 'packet size and count must be at least 1';
    throw new OpenCLError(ErrorCode.INVALID_PIPE_SIZE, functionName, detail);
  }
  const flags = MemFlags.READ_WRITE | MemFlags.HOST_NO_ACCESS;
  const handle = context[handleFor](functionName);
  const pipe = memoryPressure.allocate(() => handle.createPipe(flags, packetSize, maxPackets));
  return new Pipe(pipe, context, flags, packetSize, maxPackets);
}
