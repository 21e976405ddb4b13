// SPDX-License-Identifier: MIT
//
// `anycl run`: builds a file, gives a kernel its arguments, runs it, and shows or saves what came of it.
import { basename, dirname } from 'node:path';
import pc from 'picocolors';
import type { KernelArgumentInfo } from '../api/arguments';
import { Buffer as DeviceBuffer } from '../api/buffer';
import { encodeValue, parseValueType, SCALARS, type ValueType } from '../api/element-types';
import type { Event } from '../api/event';
import type { Image } from '../api/image';
import type { ImageFormatName } from '../api/image-formats';
import { type Kernel, type KernelValue, local } from '../api/kernel';
import { findDevice, openSync, type Session } from '../api/open';
import type { Program } from '../api/program';
import { OpenCLError } from '../backend/opencl-error';
import { type ArgumentSpec, parseArgumentSpec } from './argument-spec';
import { CommandError, EXIT, inputError, usageError } from './exit';
import { readInput, writeOutput } from './files';
import {
  bufferContents,
  elements,
  encodeForFile,
  formatElements,
  imageContents,
  type SavedShape,
} from './host-data';

export interface RunFlags {
  kernel: string;
  global: string;
  local?: string;
  offset?: string;
  device?: string;
  buildOptions?: string;
  repeat?: string;
  arg: readonly string[];
  save: readonly string[];
  print: readonly string[];
  profile?: boolean;
  json?: boolean;
}

/** An argument as the command line gave it and as the kernel gets it. */
interface Given {
  readonly spec: ArgumentSpec;
  readonly value: KernelValue;
  readonly shape?: SavedShape;
}

export async function run(file: string, flags: RunFlags): Promise<void> {
  const global = parseSizes('--global', flags.global);
  const localSize = flags.local === undefined ? undefined : parseSizes('--local', flags.local);
  const offset = flags.offset === undefined ? undefined : parseSizes('--offset', flags.offset);
  const repeat = parseCount('--repeat', flags.repeat ?? '1');
  const specs = flags.arg.map(parseArgumentSpec);
  const saves = flags.save.map((text) => parseSave(text, specs));
  const prints = flags.print.map((text) => parseIndex('--print', text, specs));
  const content = readInput(file);

  const session = openSession(flags.device);
  const started = performance.now();
  const program = await build(session, file, content, flags.buildOptions ?? '');
  const kernel = program.createKernel(flags.kernel);
  const buildMs = performance.now() - started;

  const transferStart = performance.now();
  checkCount(specs, kernel);
  for (const [i, spec] of specs.entries()) checkType(spec, kernel.arguments[i]!, flags.arg[i]!);
  const given = specs.map((spec) => give(session, spec));
  kernel.setArgs(...given.map(({ value }) => value));
  await session.queue.finish();
  let transferMs = performance.now() - transferStart;

  const runs: number[] = [];
  const kernelTimes: number[] = [];
  for (let i = 0; i < repeat; i++) {
    const enqueued = performance.now();
    const event: Event = session.queue.enqueueNDRange(kernel, { global, local: localSize, offset });
    await event;
    runs.push(performance.now() - enqueued);
    kernelTimes.push(event.profile.durationMs);
    event.release();
  }

  const resultStart = performance.now();
  for (const index of prints) process.stdout.write(await printed(given[index]!));
  for (const { index, path } of saves) {
    const { bytes, shape } = await contentsOf(given[index]!, global);
    writeOutput(path, encodeForFile(path, bytes, shape));
  }
  transferMs += performance.now() - resultStart;

  if (flags.json) {
    const result = { device: session.device.name, build_ms: buildMs, runs_ms: runs, kernel_ms: kernelTimes };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } else if (flags.profile) {
    process.stdout.write(profileTable(session.device.name, buildMs, transferMs, runs, kernelTimes));
  }
  await session[Symbol.asyncDispose]();
}

function openSession(selector: string | undefined): Session {
  try {
    return openSync({ device: findDevice(selector) });
  } catch (error) {
    if (error instanceof OpenCLError && error.codeName.endsWith('DEVICE_NOT_FOUND')) {
      throw new CommandError(error.message.replace(/^.*?\): /, ''), EXIT.noDevice);
    }
    throw error;
  }
}

async function build(session: Session, file: string, content: Uint8Array, options: string): Promise<Program> {
  const isSpirv =
    content.byteLength >= 4 &&
    [0x07230203, 0x03022307].includes(new DataView(content.buffer, content.byteOffset).getUint32(0, true));
  if (!isSpirv && file.endsWith('.spv'))
    throw inputError(`'${file}' is not SPIR-V: its first word is not the magic number`);
  try {
    const program = isSpirv
      ? await session.build(content, options)
      : await session.build(new TextDecoder().decode(content), `${options} ${includeOption(file)}`.trim());
    if (program.log.trim()) process.stderr.write(`${program.log.trimEnd()}\n`);
    return program;
  } catch (error) {
    if (!(error instanceof OpenCLError) || error.buildLog === undefined) throw error;
    throw inputError(error.buildLog.trimEnd().replaceAll('<source>', basename(file)) || error.message);
  }
}

function checkCount(specs: readonly ArgumentSpec[], kernel: Kernel): void {
  if (specs.length === kernel.argumentCount) return;
  const list = kernel.arguments.map(({ typeName, name }) => `${typeName} ${name}`.trim()).join(', ');
  throw inputError(
    `anycl: kernel '${kernel.name}' takes ${kernel.argumentCount} arguments, ${specs.length} were given with --arg: ${kernel.name}(${list})`,
  );
}

/** A value must be of the declared type but for its signedness: `float=2` is no `int`. */
function checkType(spec: ArgumentSpec, argument: KernelArgumentInfo, text: string): void {
  if (spec.kind !== 'value' || argument.value === undefined) return;
  const [given, declared] = [spec.type, argument.value];
  const same = (a: ValueType, b: ValueType): boolean =>
    a.size === b.size &&
    a.components === b.components &&
    SCALARS[a.scalar].domain === SCALARS[b.scalar].domain;
  if (same(given, declared)) return;
  throw inputError(
    `anycl: --arg ${text}: argument ${argument.index} ('${argument.name}') is a ${argument.typeName}`,
  );
}

/** `#include` looks beside the file first, as it does for `anycl compile`; a driver is given only text. */
function includeOption(file: string): string {
  const folder = file === '-' ? '.' : dirname(file);
  return /\s/.test(folder) ? `-I "${folder}"` : `-I ${folder}`;
}

function give(session: Session, spec: ArgumentSpec): Given {
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
      const scalar = parseValueType(scalarOfArray[image.format.array.name]!)!;
      const type: ValueType = {
        ...scalar,
        components: image.format.channels as ValueType['components'],
        size: image.format.pixelBytes,
      };
      return { spec, value: image, shape: { type, size: size.slice(0, 2), imageFormat: spec.format } };
    }
  }
}

const scalarOfArray: Readonly<Record<string, string>> = {
  Uint8Array: 'uchar',
  Int8Array: 'char',
  Uint16Array: 'ushort',
  Int16Array: 'short',
  Uint32Array: 'uint',
  Int32Array: 'int',
  Float32Array: 'float',
};

async function contentsOf(
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

async function printed(given: Given): Promise<string> {
  const { bytes, shape } = await contentsOf(given, []);
  return `${formatElements(bytes, shape.type)}\n`;
}

function parseSizes(flag: string, text: string): number[] {
  const sizes = text.split(',').map((part) => (/^\d+$/.test(part.trim()) ? Number(part) : Number.NaN));
  if (sizes.length > 3 || sizes.some(Number.isNaN))
    throw usageError(`${flag} takes one to three sizes, such as 640,480; not '${text}'`);
  return sizes;
}

function parseCount(flag: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw usageError(`${flag} takes a number from 1 on, not '${text}'`);
  return Number(text);
}

function parseIndex(flag: string, text: string, specs: readonly ArgumentSpec[]): number {
  const spec = /^\d+$/.test(text) ? specs[Number(text)] : undefined;
  if (!spec)
    throw usageError(
      `${flag} ${text}: there ${specs.length === 1 ? 'is 1 argument' : `are ${specs.length} arguments`}, counted from 0`,
    );
  if (spec.kind !== 'buffer' && spec.kind !== 'image')
    throw usageError(`${flag} ${text}: argument ${text} is no buffer or image`);
  return Number(text);
}

function parseSave(text: string, specs: readonly ArgumentSpec[]): { index: number; path: string } {
  const match = /^([^=]*)=(.+)$/s.exec(text);
  if (!match) throw usageError(`--save takes INDEX=FILE, not '${text}'`);
  return { index: parseIndex('--save', match[1]!, specs), path: match[2]! };
}

function profileTable(
  device: string,
  build: number,
  transfer: number,
  runs: readonly number[],
  kernels: readonly number[],
): string {
  const ms = (x: number): string => `${x.toFixed(3)} ms`.padStart(14);
  const middle = (list: readonly number[]): number =>
    [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;
  const rows: [string, string][] = [
    ['build', ms(build)],
    ['transfer', ms(transfer)],
    ['first run', ms(runs[0]!)],
    ['kernel', ms(kernels[0]!)],
  ];
  if (runs.length > 1)
    rows.push([`run, median of ${runs.length}`, ms(middle(runs))], ['kernel, median', ms(middle(kernels))]);
  return `${pc.bold(device)}\n${rows.map(([name, value]) => `  ${name.padEnd(20)}${value}`).join('\n')}\n`;
}
