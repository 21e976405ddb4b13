// SPDX-License-Identifier: MIT
//
// Image commands: each function checks the operands of one command and returns it as data. Origins and regions are
// pixels, offsets in buffers are bytes.

import type { Command, ImageOrigin, Triple } from '../../backend/command';
import { COMMANDS } from '../../backend/command-table';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { encodeValue, mayStandFor } from '../data/element-types';
import { firstMisfit, limitsOf } from '../data/scalars';
import { checkView } from '../data/transfers';
import { describe, withArticle } from '../errors/describe';
import { handleFor } from '../internals';
import type { BufferOperand, ImageOperand, ImageRegion } from './operands';

/** The four channels of a color: floats, or integers for integer formats. */
export type Color = readonly [number, number, number, number];

/** A box of pixels with all its coordinates. */
export interface ImageBox {
  readonly origin: ImageOrigin;
  readonly region: Triple;
}

/** The box that the options name. It must be located in the image. */
export function imageBox(image: ImageOperand, given: ImageRegion, functionName: string): ImageBox {
  const level = levelOf(image, given, functionName);
  const extent = image.levelExtents[level]!;
  const origin = [0, 1, 2].map((i) => (i < image.coordinates && given.origin?.[i]) || 0) as unknown as Triple;
  const region = [0, 1, 2].map((i) => given.region?.[i] ?? extent[i]! - origin[i]!) as unknown as Triple;
  for (let i = 0; i < 3; i++) {
    const [start, count] = [origin[i]!, region[i]!];
    const whole = Number.isSafeInteger(start) && Number.isSafeInteger(count);
    if (whole && start >= 0 && count >= 1 && start + count <= extent[i]!) continue;
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      `origin ${origin.join(', ')} and region ${region.join(' × ')} exceed the ${level === 0 ? "image's" : `level ${level}'s`} ${extent.join(' × ')} pixels`,
    );
  }
  return { origin: withLevel(image, origin, level), region };
}

/** The mip level that follows the origin's coordinates. */
function levelOf(image: ImageOperand, { origin }: ImageRegion, functionName: string): number {
  const level = origin?.[image.coordinates] ?? 0;
  const levels = image.levelExtents.length;
  if (Number.isSafeInteger(level) && level >= 0 && level < levels) return level;
  throw new OpenCLError(
    levels > 1 ? ErrorCode.INVALID_MIP_LEVEL : ErrorCode.INVALID_VALUE,
    functionName,
    levels > 1
      ? `the image has ${levels} mip levels, there is no level ${level}`
      : `the image has ${image.coordinates === 1 ? 'one coordinate' : `${image.coordinates} coordinates`} and no mip levels, but the origin is ${origin!.join(', ')}`,
  );
}

/** The origin in OpenCL's form. */
function withLevel({ coordinates }: ImageOperand, origin: Triple, level: number): ImageOrigin {
  const all: [number, number, number, number] = [...origin, 0];
  if (level > 0) all[coordinates] = level;
  return all;
}

const packedBytes = (image: ImageOperand, region: Triple): number =>
  region[0] * region[1] * region[2] * image.format.pixelBytes;

/** The packed region must fit into the buffer from `offset` on. */
function checkFits(
  image: ImageOperand,
  buffer: BufferOperand,
  offset: number,
  region: Triple,
  functionName: string,
): void {
  const end = offset + packedBytes(image, region);
  if (Number.isSafeInteger(offset) && offset >= 0 && end <= buffer.size) return;
  const detail = `byte ${end} is beyond the buffer's ${buffer.size}`;
  throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
}

/** The host array must have the image's elements, or bytes, and hold the region. */
function checkPixels(image: ImageOperand, view: ArrayBufferView, region: Triple, functionName: string): void {
  checkView(view, functionName);
  const { format, shape } = image;
  if (!mayStandFor(view, format.array.name)) {
    const detail = `an image of ${shape.format} has the elements of ${withArticle(format.array.name)}, not of ${describe(view)}: convert them, or give their bytes as a Uint8Array`;
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
  }
  const needed = packedBytes(image, region);
  if (view.byteLength >= needed) return;
  const detail = `the host array must hold the region's ${needed} bytes`;
  throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
}

/** The four channels in the form of clEnqueueFillImage. */
function colorBytes(image: ImageOperand, color: Color, functionName: string): Uint8Array {
  const { format } = image.shape;
  const scalar = format.endsWith('ui') ? 'uint' : /\di$/.test(format) ? 'int' : 'float';
  const misfit = firstMisfit(scalar, color);
  if (misfit < 0) return encodeValue({ scalar, components: 4, size: 16 }, color);
  const limits = limitsOf(scalar)!.join(' to ');
  const detail = `\`color[${misfit}]\` of an image of ${format} is a whole number from ${limits}, not ${describe(color[misfit])}`;
  throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
}

/** A transfer between the host's array, packed, and a box of pixels. */
function transfer(
  of: ImageOperand,
  host: ArrayBufferView,
  options: ImageRegion,
  functionName: string,
): Omit<Command<'readImage'>, 'op' | 'into'> {
  const box = imageBox(of, options, functionName);
  checkPixels(of, host, box.region, functionName);
  return { image: of[handleFor](functionName), ...box, rowPitch: 0, slicePitch: 0 };
}

export const readImage = (
  source: ImageOperand,
  into: ArrayBufferView,
  options: ImageRegion,
): Command<'readImage'> => ({
  op: 'readImage',
  ...transfer(source, into, options, COMMANDS.readImage.enqueuedBy),
  into,
});

export const writeImage = (
  target: ImageOperand,
  from: ArrayBufferView,
  options: ImageRegion,
): Command<'writeImage'> => ({
  op: 'writeImage',
  ...transfer(target, from, options, COMMANDS.writeImage.enqueuedBy),
  from,
});

export function copyImage(
  from: ImageOperand,
  to: ImageOperand,
  { targetOrigin, ...source }: ImageRegion & { readonly targetOrigin?: readonly number[] },
  functionName: string = COMMANDS.copyImage.enqueuedBy,
): Command<'copyImage'> {
  const { origin, region } = imageBox(from, source, functionName);
  const { origin: toOrigin } = imageBox(to, { origin: targetOrigin ?? [], region }, functionName);
  if (to.format.order !== from.format.order || to.format.type !== from.format.type) {
    const detail = 'both images must have one format';
    throw new OpenCLError(ErrorCode.IMAGE_FORMAT_MISMATCH, functionName, detail);
  }
  return {
    op: 'copyImage',
    from: from[handleFor](functionName),
    to: to[handleFor](functionName),
    fromOrigin: origin,
    toOrigin,
    region,
  };
}

export function fillImage(
  target: ImageOperand,
  color: Color,
  options: ImageRegion,
  functionName: string = COMMANDS.fillImage.enqueuedBy,
): Command<'fillImage'> {
  const box = imageBox(target, options, functionName);
  const image = target[handleFor](functionName);
  return { op: 'fillImage', image, pattern: colorBytes(target, color, functionName), ...box };
}

export function copyImageToBuffer(
  from: ImageOperand,
  to: BufferOperand,
  { targetOffset = 0, ...source }: ImageRegion & { readonly targetOffset?: number },
  functionName: string = COMMANDS.copyImageToBuffer.enqueuedBy,
): Command<'copyImageToBuffer'> {
  const box = imageBox(from, source, functionName);
  checkFits(from, to, targetOffset, box.region, functionName);
  return {
    op: 'copyImageToBuffer',
    from: from[handleFor](functionName),
    to: to[handleFor](functionName),
    ...box,
    toOffset: targetOffset,
  };
}

export function copyBufferToImage(
  from: BufferOperand,
  to: ImageOperand,
  { sourceOffset = 0, ...target }: ImageRegion & { readonly sourceOffset?: number },
  functionName: string = COMMANDS.copyBufferToImage.enqueuedBy,
): Command<'copyBufferToImage'> {
  const box = imageBox(to, target, functionName);
  checkFits(to, from, sourceOffset, box.region, functionName);
  return {
    op: 'copyBufferToImage',
    from: from[handleFor](functionName),
    to: to[handleFor](functionName),
    fromOffset: sourceOffset,
    ...box,
  };
}
