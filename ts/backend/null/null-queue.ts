// SPDX-License-Identifier: MIT
//
// Queues of the null backend: every command is complete at once.
import type { NDRange } from '../../base/nd-range';
import { CommandType } from '../../cl/constants.gen';
import { queueInfo } from '../../cl/info-keys.gen';
import type { BackendEvent, BackendMemory } from '../backend-objects';
import type { BackendKernel, BackendQueue, Mapped, MaybeEvent, Wait } from '../backend-queue';
import type { Command } from '../command';
import { COMMANDS } from '../command-table';
import { NullEvent } from './null-event';
import type { NullMemory } from './null-memory';
import { answer, NullObject } from './null-object';

export class NullQueue extends NullObject implements BackendQueue {
  constructor(private readonly flags: number) {
    super();
  }

  info(param: number): Uint8Array {
    return answer(queueInfo, { REFERENCE_COUNT: 1, PROPERTIES: this.flags, PROPERTIES_ARRAY: [] }, param);
  }

  enqueueKernel(_kernel: BackendKernel, _range: NDRange, _wait: Wait, wantEvent: boolean): MaybeEvent {
    return wantEvent ? new NullEvent(CommandType.NDRANGE_KERNEL) : undefined;
  }

  enqueue(command: Command, _wait: Wait, wantEvent: boolean): MaybeEvent {
    return wantEvent ? new NullEvent(COMMANDS[command.op].type) : undefined;
  }

  supports(): boolean {
    return false;
  }

  mapBuffer(_memory: BackendMemory, _flags: number, _offset: number, size: number): Mapped {
    const mapped = { bytes: new Uint8Array(size), rowPitch: 0, slicePitch: 0 };
    return { event: new NullEvent(CommandType.MAP_BUFFER), mapped };
  }

  mapImage(memory: BackendMemory): Mapped {
    const { size } = memory as NullMemory;
    const mapped = { bytes: new Uint8Array(size), rowPitch: size, slicePitch: size };
    return { event: new NullEvent(CommandType.MAP_IMAGE), mapped };
  }

  marker(): BackendEvent {
    return new NullEvent(CommandType.MARKER);
  }

  flush(): void {}

  async finish(): Promise<void> {}

  finishSync(): void {}
}
