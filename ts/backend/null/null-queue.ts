// SPDX-License-Identifier: MIT
import type { BackendEvent, BackendMemory } from '../backend';
import type { BackendMapping, BackendQueue } from '../backend-queue';
import { CommandType } from '../cl.gen';
import { queueInfo } from '../info-keys.gen';
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

  readonly enqueueKernel = command(CommandType.NDRANGE_KERNEL);
  readonly readBuffer = command(CommandType.READ_BUFFER);
  readonly writeBuffer = command(CommandType.WRITE_BUFFER);
  readonly readBufferRect = command(CommandType.READ_BUFFER_RECT);
  readonly writeBufferRect = command(CommandType.WRITE_BUFFER_RECT);
  readonly copyBuffer = command(CommandType.COPY_BUFFER);
  readonly copyBufferRect = command(CommandType.COPY_BUFFER_RECT);
  readonly fillBuffer = command(CommandType.FILL_BUFFER);
  readonly readImage = command(CommandType.READ_IMAGE);
  readonly writeImage = command(CommandType.WRITE_IMAGE);
  readonly copyImage = command(CommandType.COPY_IMAGE);
  readonly fillImage = command(CommandType.FILL_IMAGE);
  readonly copyImageToBuffer = command(CommandType.COPY_IMAGE_TO_BUFFER);
  readonly copyBufferToImage = command(CommandType.COPY_BUFFER_TO_IMAGE);
  readonly unmap = command(CommandType.UNMAP_MEM_OBJECT);
  readonly migrate = command(CommandType.MIGRATE_MEM_OBJECTS);
  readonly svmMemcpy = command(CommandType.SVM_MEMCPY);
  readonly svmFill = command(CommandType.SVM_MEMFILL);
  readonly svmMap = command(CommandType.SVM_MAP);
  readonly svmUnmap = command(CommandType.SVM_UNMAP);
  readonly svmFree = command(CommandType.SVM_FREE);
  readonly svmMigrate = command(CommandType.SVM_MIGRATE_MEM);
  readonly barrier = command(CommandType.BARRIER);

  mapBuffer(
    _memory: BackendMemory,
    _flags: number,
    _offset: number,
    size: number,
  ): { event: BackendEvent; mapped: BackendMapping } {
    const mapped = { bytes: new Uint8Array(size), rowPitch: 0, slicePitch: 0 };
    return { event: new NullEvent(CommandType.MAP_BUFFER), mapped };
  }

  mapImage(memory: BackendMemory): { event: BackendEvent; mapped: BackendMapping } {
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

/** A command that is complete at once. The last of its arguments says whether an event is wanted. */
function command(type: CommandType): (...args: readonly unknown[]) => BackendEvent | undefined {
  return (...args) => (args.at(-1) === true ? new NullEvent(type) : undefined);
}
