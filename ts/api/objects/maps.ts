// SPDX-License-Identifier: MIT
//
// Maps return memory, and so are not data as other commands are.

import type { BackendEvent } from '../../backend/backend-objects';
import type { BackendMapping } from '../../backend/command';
import { COMMANDS } from '../../backend/command-table';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { type ByteRange, bufferMap } from '../commands/buffers';
import { imageBox } from '../commands/images';
import type { ImageRegion } from '../commands/operands';
import { mapSvm } from '../commands/svm';
import { MAP_FLAGS, type MapMode } from '../data/transfers';
import type { TypedArray, TypedArrayConstructor } from '../data/typed-arrays';
import { handleFor } from '../internals';
import type { Buffer } from './buffer';
import type { CommandOptions } from './command-options';
import { enqueue } from './enqueue';
import { Event, waitList } from './event';
import type { Image } from './image';
import { Mapping } from './mapping';
import { checkHost, type MemoryObject } from './memory-object';
import type { CommandQueue } from './queue';
import type { Svm } from './svm';

export function enqueueBufferMap<T extends TypedArray>(
  queue: CommandQueue,
  buffer: Buffer<T>,
  mode: MapMode,
  options: ByteRange & CommandOptions,
): Event<Mapping<T>> {
  const functionName = 'clEnqueueMapBuffer';
  const memory = buffer[handleFor](functionName);
  checkHost(buffer, functionName);
  const { flags, offset, size } = bufferMap(buffer as Buffer, mode, options, functionName);
  const step = buffer.type.BYTES_PER_ELEMENT;
  if (offset % step !== 0)
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      `\`options.offset\` is byte ${offset}, and the mapping's elements, of ${buffer.type.name}, have ${step} bytes: it must be a multiple of them`,
    );
  const waits = waitList(options.waitFor, functionName);
  const made = queue[handleFor](functionName).mapBuffer(memory, flags, offset, size, waits);
  const length = Math.floor(size / step);
  return mappingOf(queue, buffer, made, buffer.type, functionName, length);
}

export function enqueueImageMap<T extends TypedArray>(
  queue: CommandQueue,
  image: Image<T>,
  mode: MapMode,
  options: ImageRegion & CommandOptions,
): Event<Mapping<T>> {
  const functionName = 'clEnqueueMapImage';
  const { origin, region } = imageBox(image as Image, options, functionName);
  const memory = image[handleFor](functionName);
  checkHost(image, functionName);
  const waits = waitList(options.waitFor, functionName);
  const made = queue[handleFor](functionName).mapImage(memory, MAP_FLAGS[mode], origin, region, waits);
  const array = image.format.array as unknown as TypedArrayConstructor<T>;
  return mappingOf(queue, image, made, array, functionName);
}

/** The event's value is the mapped bytes. */
export function enqueueSvmMap(
  queue: CommandQueue,
  svm: Svm,
  mode: MapMode,
  options: ByteRange & CommandOptions,
): Event<Uint8Array> {
  const command = mapSvm(svm, mode, options);
  const { offset, size } = command;
  return enqueue(queue, command, options, () => {
    const { bytes } = command.svm;
    if (bytes.byteLength > 0) return bytes.subarray(offset, offset + size);
    const detail = 'the memory was freed before it was mapped';
    throw new OpenCLError(ErrorCode.INVALID_VALUE, COMMANDS[command.op].enqueuedBy, detail);
  });
}

/** `length` in elements. Default: as many as the mapped bytes contain. */
function mappingOf<T extends TypedArray>(
  queue: CommandQueue,
  memory: MemoryObject,
  { event, mapped }: { readonly event: BackendEvent; readonly mapped: BackendMapping },
  array: TypedArrayConstructor<T>,
  functionName: string,
  length?: number,
): Event<Mapping<T>> {
  // One object, as it knows whether it is mapped.
  let mapping: Mapping<T> | undefined;
  return new Event(event, functionName, queue, () => {
    if (mapping) return mapping;
    checkHost(memory, functionName);
    const { bytes } = mapped;
    const count = length ?? Math.floor(bytes.byteLength / array.BYTES_PER_ELEMENT);
    mapping = new Mapping(memory, queue, mapped, new array(bytes.buffer, bytes.byteOffset, count));
    return mapping;
  });
}
