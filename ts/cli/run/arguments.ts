// SPDX-License-Identifier: MIT
//
// The kernel, the sizes and the arguments that a command line gives.
import type { KernelArgumentInfo } from '../../api/arguments/arguments';
import { encodeValue, parseValueType, type ValueType } from '../../api/data/element-types';
import type { ImageFormatName } from '../../api/data/image-formats';
import { SCALARS } from '../../api/data/scalars';
import { pluralize, withArticle } from '../../api/errors/describe';
import { Buffer as DeviceBuffer } from '../../api/objects/buffer';
import type { Image } from '../../api/objects/image';
import type { Kernel } from '../../api/objects/kernel';
import { type KernelValue, local } from '../../api/objects/kernel-values';
import type { Program } from '../../api/objects/program';
import type { Session } from '../../api/open';
import { elements } from '../data/element-data';
import { bufferContents, imageContents, type SavedShape, scalarOf } from '../data/host-data';
import { inputError, usageError } from '../exit';
import { signature } from '../kernels';
import type { ArgumentSpec } from './argument-spec';

/** An argument of the command line, and the value for the kernel. */
export interface Given {
  readonly spec: ArgumentSpec;
  readonly value: KernelValue;
  readonly shape?: SavedShape;
}

/** The kernel with this name, or the only kernel if there is no name. */
export function chosenKernel(program: Program, file: string, name: string | undefined): Kernel {
  const names = program.kernelNames;
  const listed = names.map((each) => `'${each}'`).join(', ');
  if (name !== undefined) {
    if (names.includes(name)) return program.createKernel(name);
    throw inputError(`anycl: '${file}' has no kernel '${name}'; it has ${listed || 'none'}`);
  }
  if (names.length === 1) return program.createKernel(names[0]!);
  throw names.length === 0
    ? inputError(`anycl: '${file}' has no kernel`)
    : usageError(`'${file}' has several kernels: choose one with --kernel, of ${listed}`);
}

export function checkCount(specs: readonly ArgumentSpec[], kernel: Kernel): void {
  if (specs.length === kernel.argumentCount) return;
  throw inputError(
    `anycl: kernel '${kernel.name}' takes ${pluralize(kernel.argumentCount, 'argument')}, and --arg gives ${specs.length}: ${signature(kernel)} (see anycl run --help)`,
  );
}

/** Which kind of `--arg` a parameter takes, and its form; undefined if its type is unknown, or one that no `--arg` can give. */
function takenBy({ isPointer, addressSpace, typeName, value, pointee }: KernelArgumentInfo) {
  if (value) return { kind: 'value', form: `${typeName}=VALUE` };
  if (isPointer && typeName !== '') {
    const element = pointee ? typeName.replace(/\s*\*$/, '') : 'uchar';
    return addressSpace === 'local'
      ? { kind: 'local', form: `local:${element}[COUNT]` }
      : { kind: 'buffer', form: `${element}[COUNT]=CONTENTS` };
  }
  if (/^image\d/.test(typeName))
    return { kind: 'image', form: `${typeName.replace(/_.*/, '')}:FORMAT=@FILE` };
  return typeName === 'sampler_t' ? { kind: 'sampler', form: 'sampler:…' } : undefined;
}

/** An argument must be of the parameter's kind. A value must have its type, too; only the signedness may differ. */
export function checkType(spec: ArgumentSpec, argument: KernelArgumentInfo, text: string): void {
  const taken = takenBy(argument);
  if (taken && taken.kind !== spec.kind)
    throw inputError(
      `anycl: --arg ${text}: argument ${argument.index} ('${argument.name}') is ${withArticle(argument.typeName)}, which takes ${taken.form}`,
    );
  if (spec.kind !== 'value' || argument.value === undefined) return;
  const [given, declared] = [spec.type, argument.value];
  const same = (a: ValueType, b: ValueType): boolean =>
    a.size === b.size &&
    a.components === b.components &&
    SCALARS[a.scalar].domain === SCALARS[b.scalar].domain;
  if (same(given, declared)) return;
  throw inputError(
    `anycl: --arg ${text}: argument ${argument.index} ('${argument.name}') is ${withArticle(argument.typeName)}`,
  );
}

export function give(session: Session, spec: ArgumentSpec): Given {
  switch (spec.kind) {
    case 'value':
      return { spec, value: encodeValue(spec.type, spec.components) };
    case 'local':
      return { spec, value: local(spec.bytes) };
    case 'sampler':
      return { spec, value: session.sampler(spec.options) };
    case 'buffer':
      return {
        spec,
        value: session.buffer(elements(spec.type.scalar, bufferContents(spec))),
        shape: { type: spec.type },
      };
    case 'image': {
      const { size, data } = imageContents(spec);
      const [width, height, depth] = size as [number, number?, number?];
      const layered = spec.type.endsWith('array');
      const layers = spec.type === '1d-array' ? height : depth;
      const image = session.image(
        {
          type: spec.type,
          format: spec.format as ImageFormatName,
          width,
          ...(height !== undefined && spec.type !== '1d-array' ? { height } : {}),
          ...(depth !== undefined && !layered ? { depth } : {}),
          ...(layered && layers !== undefined ? { layers } : {}),
        },
        data,
      );
      const scalar = parseValueType(scalarOf(spec.format))!;
      const type: ValueType = {
        ...scalar,
        components: image.format.channels as ValueType['components'],
        size: image.format.pixelBytes,
      };
      return { spec, value: image, shape: { type, size: size.slice(0, 2), imageFormat: spec.format } };
    }
  }
}

export async function contentsOf(
  given: Given,
  global: readonly number[],
): Promise<{ bytes: Uint8Array; shape: SavedShape }> {
  const { value, shape } = given;
  const data = value instanceof DeviceBuffer ? await value.read() : await (value as Image).read();
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return {
    bytes,
    shape: shape!.size ? shape! : { ...shape!, ...(global.length === 2 ? { size: global } : {}) },
  };
}

/** The group's sizes have as many dimensions as the work-items' ones. */
export function parseLocal(text: string, global: readonly number[]): number[] {
  const sizes = parseSizes('--local', text);
  if (sizes.length !== global.length)
    throw usageError(`--local ${text}: --global ${global.join()} has ${dimensions(global.length)}`);
  return sizes;
}

const dimensions = (count: number): string => (count === 1 ? 'one dimension' : `${count} dimensions`);

export function parseSizes(flag: string, text: string): number[] {
  const sizes = text.split(',').map((part) => (/^\d+$/.test(part.trim()) ? Number(part) : Number.NaN));
  if (sizes.length > 3 || !sizes.every(Number.isSafeInteger))
    throw usageError(`${flag} takes one to three sizes, such as 640,480; not '${text}'`);
  return sizes;
}

export function parseCount(flag: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw usageError(`${flag} takes a whole number of at least 1, not '${text}'`);
  return Number(text);
}

export function parseIndex(flag: string, text: string, specs: readonly ArgumentSpec[]): number {
  const spec = /^\d+$/.test(text) ? specs[Number(text)] : undefined;
  if (!spec)
    throw usageError(
      `${flag} ${text}: there ${specs.length === 1 ? 'is 1 argument' : `are ${specs.length} arguments`}, counted from 0`,
    );
  if (spec.kind !== 'buffer' && spec.kind !== 'image')
    throw usageError(`${flag} ${text}: argument ${text} is not a buffer or image`);
  return Number(text);
}
