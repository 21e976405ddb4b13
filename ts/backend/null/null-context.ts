// SPDX-License-Identifier: MIT
//
// Contexts of the null backend.
import { CommandType, MemObjectType } from '../../cl/constants.gen';
import { contextInfo } from '../../cl/info-keys.gen';
import type {
  BackendContext,
  BackendDevice,
  BackendProgram,
  ImageDescription,
  ImageFormat,
} from '../backend';
import type { BackendEvent, BackendMemory, BackendSampler, BackendSvm } from '../backend-objects';
import type { BackendQueue } from '../backend-queue';
import { NullEvent } from './null-event';
import { NullMemory, NullSampler } from './null-memory';
import { answer, NullObject } from './null-object';
import { NullProgram } from './null-program';
import { NullQueue } from './null-queue';

export class NullContext extends NullObject implements BackendContext {
  constructor(readonly devices: readonly BackendDevice[]) {
    super();
  }

  info(param: number): Uint8Array {
    return answer(contextInfo, { REFERENCE_COUNT: 1, NUM_DEVICES: 1, PROPERTIES: [] }, param);
  }

  createQueue(_device: BackendDevice, properties: readonly bigint[]): BackendQueue {
    return new NullQueue(Number(properties[1] ?? 0n));
  }

  createBuffer(flags: number, size: number): BackendMemory {
    return new NullMemory(MemObjectType.BUFFER, flags, size);
  }

  createImage(flags: number, format: ImageFormat, desc: ImageDescription): BackendMemory {
    const pixels = desc.width * Math.max(1, desc.height) * Math.max(1, desc.depth, desc.arraySize);
    return new NullMemory(desc.type, flags, pixels * 16, format, desc);
  }

  supportedImageFormats(): readonly ImageFormat[] {
    return [{ order: 0x10b5, type: 0x10d2 }];
  }

  createSampler(): BackendSampler {
    return new NullSampler();
  }

  createPipe(flags: number, packetSize: number, maxPackets: number): BackendMemory {
    return new NullMemory(MemObjectType.PIPE, flags, packetSize * maxPackets);
  }

  createProgramWithSource(sources: readonly string[]): BackendProgram {
    return new NullProgram(sources.join(''));
  }

  createProgramWithIL(): BackendProgram {
    return new NullProgram('');
  }

  createProgramWithBinary(): BackendProgram {
    return new NullProgram('');
  }

  createProgramWithBuiltInKernels(): BackendProgram {
    return new NullProgram('');
  }

  async linkProgram(
    _devices: readonly BackendDevice[],
    _options: string,
    inputs: readonly BackendProgram[],
  ): Promise<BackendProgram> {
    return new NullProgram(inputs.map((input) => (input as NullProgram).source).join('\n'));
  }

  createUserEvent(): BackendEvent {
    return new NullEvent(CommandType.USER, false);
  }

  svmAlloc(_flags: number, size: number): BackendSvm {
    const free = (): void => {};
    return { address: 0n, size, bytes: new Uint8Array(size), free };
  }

  setDefaultDeviceQueue(): void {}
}
