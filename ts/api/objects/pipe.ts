// SPDX-License-Identifier: MIT

import type { BackendMemory } from '../../backend/backend-objects';
import { pipeInfo } from '../../cl/info-keys.gen';
import { guard } from '../checks/guard';
import { type InfoOf, queryInfo } from '../info/info';
import { handleFor } from '../internals';
import type { Context } from './context';
import { MemoryObject } from './memory-object';

/** Properties by name, without `CL_PIPE_`. */
export type PipeInfo = InfoOf<typeof pipeInfo>;

/** A queue of packets between kernels. */
export class Pipe extends MemoryObject {
  /** @internal */
  constructor(
    handle: BackendMemory,
    context: Context,
    flags: number,
    /** Bytes of one packet. */
    readonly packetSize: number,
    readonly maxPackets: number,
  ) {
    const bytes = packetSize * maxPackets;
    super(handle, context, bytes, flags, bytes);
  }

  info<K extends keyof PipeInfo>(key: K): PipeInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof PipeInfo | number): unknown {
    return queryInfo(pipeInfo, key, 'clGetPipeInfo', (param) =>
      this[handleFor]('clGetPipeInfo').pipeInfo(param),
    );
  }
}

guard('Pipe', Pipe);
