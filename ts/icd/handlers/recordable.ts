// SPDX-License-Identifier: MIT
//
// The commands that a queue runs or a command buffer records, from operands that both kinds of requests have in the same form.

import type { ImageOrigin, RecordableCommand, Triple } from '../../backend/command';
import type { SoftwareImage } from '../../backend/software/memory/image';
import type { NDRange } from '../../base/nd-range';
import type { Requests } from '../messages.gen';
import type { Objects } from '../objects';

export type RecordableName = Exclude<
  { [K in keyof Requests]: K extends `record${infer Name}` ? Name : never }[keyof Requests],
  'Kernel'
>;

/** The fields that both requests for a command have. */
export type Operands<Name extends RecordableName> = Omit<
  Requests[`record${Name}`],
  keyof Requests['recordBarrier']
>;

/** Programs give a fourth coordinate only for mip levels. */
export const originOf = ([x, y, z, w]: readonly number[]): ImageOrigin => [x!, y!, z!, w ?? 0];
export const tripleOf = ([x, y, z]: readonly number[]): Triple => [x!, y!, z!];

export const imageOf = (objects: Objects, id: number): SoftwareImage =>
  objects.get('memory', id) as SoftwareImage;

/** Sizes that the program left out are empty lists. */
export function rangeOf({
  global,
  local,
  offset,
}: Pick<Requests['recordKernel'], 'global' | 'local' | 'offset'>): NDRange {
  return {
    global,
    ...(local.length > 0 ? { local } : {}),
    ...(offset.length > 0 ? { offset } : {}),
  };
}

export const RECORDABLE: {
  readonly [Name in RecordableName]: (objects: Objects, operands: Operands<Name>) => RecordableCommand;
} = {
  CopyBuffer(objects, { from, to, fromOffset, toOffset, size }) {
    const memories = { from: objects.get('memory', from), to: objects.get('memory', to) };
    return { op: 'copyBuffer', ...memories, fromOffset, toOffset, size };
  },

  CopyBufferRect(objects, operands) {
    const rect = {
      region: tripleOf(operands.region),
      bufferOrigin: tripleOf(operands.fromOrigin),
      hostOrigin: tripleOf(operands.toOrigin),
      bufferRowPitch: operands.fromRowPitch,
      bufferSlicePitch: operands.fromSlicePitch,
      hostRowPitch: operands.toRowPitch,
      hostSlicePitch: operands.toSlicePitch,
    };
    const from = objects.get('memory', operands.from);
    const to = objects.get('memory', operands.to);
    return { op: 'copyBufferRect', from, to, rect };
  },

  FillBuffer(objects, { buffer, offset, size, pattern }) {
    return {
      op: 'fillBuffer',
      buffer: objects.get('memory', buffer),
      offset,
      size,
      // A copy, because the message's memory is reused.
      pattern: pattern.slice(),
    };
  },

  CopyImage(objects, operands) {
    return {
      op: 'copyImage',
      from: imageOf(objects, operands.from),
      to: imageOf(objects, operands.to),
      fromOrigin: originOf(operands.fromOrigin),
      toOrigin: originOf(operands.toOrigin),
      region: tripleOf(operands.region),
    };
  },

  FillImage(objects, { image, origin, region, color }) {
    return {
      op: 'fillImage',
      image: imageOf(objects, image),
      origin: originOf(origin),
      region: tripleOf(region),
      // Channels are words.
      pattern: color.slice(),
    };
  },

  CopyImageToBuffer(objects, { from, to, origin, region, toOffset }) {
    return {
      op: 'copyImageToBuffer',
      from: imageOf(objects, from),
      to: objects.get('memory', to),
      origin: originOf(origin),
      region: tripleOf(region),
      toOffset,
    };
  },

  CopyBufferToImage(objects, { from, to, fromOffset, origin, region }) {
    return {
      op: 'copyBufferToImage',
      from: objects.get('memory', from),
      to: imageOf(objects, to),
      fromOffset,
      origin: originOf(origin),
      region: tripleOf(region),
    };
  },

  SvmMemcpy(objects, { to, from, size }) {
    const target = objects.svmAt(to);
    const source = objects.svmAt(from);
    return {
      op: 'svmMemcpy',
      to: target.svm,
      toOffset: target.offset,
      from: source.svm,
      fromOffset: source.offset,
      size,
    };
  },

  SvmFill(objects, { to, size, pattern }) {
    return { op: 'svmFill', ...objects.svmAt(to), size, pattern: pattern.slice() };
  },

  Barrier: () => ({ op: 'barrier' }),
};
