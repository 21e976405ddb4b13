// SPDX-License-Identifier: MIT
//
// `anycl run`: builds a file, sets a kernel's arguments, runs it, and prints or saves the results.
import { basename } from 'node:path';
import pc from 'picocolors';
import type { KernelArgumentInfo } from '../api/arguments/arguments';
import { encodeValue, parseValueType, type ValueType } from '../api/data/element-types';
import type { ImageFormatName } from '../api/data/image-formats';
import { SCALARS } from '../api/data/scalars';
import { Buffer as DeviceBuffer } from '../api/objects/buffer';
import type { Event } from '../api/objects/event';
import type { Image } from '../api/objects/image';
import type { Kernel } from '../api/objects/kernel';
import { type KernelValue, local } from '../api/objects/kernel-values';
import type { Program } from '../api/objects/program';
import type { Session } from '../api/open';
import { host, useOptions } from '../api/runtime';
import { CHECKS, type Check, type Fault, parseChecks } from '../base/checks';
import type { OpenCLError } from '../cl/opencl-error';
import { StopCode } from '../cl/stop-codes';
import { type ArgumentSpec, parseArgumentSpec } from './argument-spec';
import { CoverageReport } from './counted/report';
import { elements, elementValues, formatElements } from './element-data';
import { EXIT, inputError, usageError } from './exit';
import { readInput, writeOutput } from './files';
import { bufferContents, encodeForFile, imageContents, type SavedShape, scalarOf } from './host-data';
import { signature } from './kernels';
import { progress } from './progress';
import type { Summary } from './run-summary';
import { build, openSession } from './session';

const summaries = () => require('./run-summary') as typeof import('./run-summary');

export interface RunFlags {
  kernel?: string;
  global?: string;
  local?: string;
  offset?: string;
  device?: string;
  buildOptions?: string;
  repeat?: string;
  arg?: readonly string[];
  save?: readonly string[];
  print?: readonly string[];
  profile?: boolean;
  trace?: string;
  json?: boolean;
  check?: string | boolean;
  checkBudget?: string;
  coverage?: string | boolean;
  counts?: boolean;
  timeout?: string;
}

/** An argument of the command line, and the value for the kernel. */
interface Given {
  readonly spec: ArgumentSpec;
  readonly value: KernelValue;
  readonly shape?: SavedShape;
}

export async function run(file: string, flags: RunFlags): Promise<void> {
  if (flags.global === undefined)
    throw usageError(
      '--global is missing: how many work-items, such as --global 1024 (see anycl run --help)',
    );
  const global = parseSizes('--global', flags.global);
  const localSize = flags.local === undefined ? undefined : parseSizes('--local', flags.local);
  const offset = flags.offset === undefined ? undefined : parseSizes('--offset', flags.offset);
  const repeat = parseCount('--repeat', flags.repeat ?? '1');
  const timeout = flags.timeout === undefined ? undefined : parseCount('--timeout', flags.timeout);
  const texts = flags.arg ?? [];
  const specs = texts.map(parseArgumentSpec);
  const saves = (flags.save ?? []).map((text) => parseSave(text, specs));
  const prints = (flags.print ?? []).map((text) => parseIndex('--print', text, specs));
  const content = readInput(file);

  const check = parseCheck(flags.check);
  const profile = startProfile(flags);
  const report = new CoverageReport(flags, file, content);
  const session = openSession(check || report.option ? (flags.device ?? 'software') : flags.device, {
    ...(check && { check, checkBudget: parseCount('--check-budget', flags.checkBudget ?? '1000000') }),
    ...(report.option && { coverage: report.option }),
  });
  const started = performance.now();
  const program = await build(session, file, content, flags.buildOptions ?? '');
  const kernel = chosenKernel(program, file, flags.kernel);
  const buildMs = performance.now() - started;

  const transferStart = performance.now();
  checkCount(specs, kernel);
  for (const [i, spec] of specs.entries()) checkType(spec, kernel.arguments[i]!, texts[i]!);
  const given = specs.map((spec) => give(session, spec));
  kernel.setArgs(...given.map(({ value }) => value));
  await session.queue.finish();
  let transferMs = performance.now() - transferStart;

  const runs: number[] = [];
  const kernelTimes: number[] = [];
  const faults: Fault[] = [];
  const line = progress('run', repeat);
  for (let i = 0; i < repeat; i++) {
    line.step(i);
    const enqueued = performance.now();
    const event: Event = session.queue.enqueueNDRange(
      kernel,
      { global, local: localSize, offset },
      { timeout },
    );
    const failure = await event.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure !== undefined) {
      printFaults(event.faults, file);
      return endOnTimeout(failure as OpenCLError);
    }
    runs.push(performance.now() - enqueued);
    kernelTimes.push(event.profile.durationMs);
    faults.push(...event.faults);
    report.add(event.coverage);
    event.release();
  }
  line.end();

  const resultStart = performance.now();
  const printed: Record<string, unknown> = {};
  for (const index of prints) {
    const { bytes, shape } = await contentsOf(given[index]!, []);
    if (flags.json) printed[index] = elementValues(bytes, shape.type);
    else process.stdout.write(`${formatElements(bytes, shape.type)}\n`);
  }
  for (const { index, path } of saves) {
    const { bytes, shape } = await contentsOf(given[index]!, global);
    writeOutput(path, encodeForFile(path, bytes, shape));
  }
  transferMs += performance.now() - resultStart;

  const covered = report.finish();
  if (flags.json) {
    const times = { build_ms: buildMs, runs_ms: runs, kernel_ms: kernelTimes };
    const result = {
      device: session.device.name,
      ...times,
      ...(prints.length > 0 ? { printed } : {}),
      ...(check ? { faults } : {}),
      ...covered,
      ...(profile ? { profile: profile() } : {}),
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } else if (profile) {
    process.stdout.write(profileTable(session.device.name, buildMs, transferMs, runs, kernelTimes));
    process.stdout.write(`\n${summaries().summaryText(profile())}`);
  }
  await session[Symbol.asyncDispose]();
  if (faults.length === 0) return;
  if (!flags.json) printFaults(faults, file);
  process.exitCode = EXIT.input;
}

/** Records what `--trace` and `--profile` ask for; returns a function for the summary so far. */
function startProfile({ trace, profile }: RunFlags): (() => Summary) | undefined {
  if (!profile) {
    if (trace !== undefined) useOptions({ trace });
    return undefined;
  }
  const events: object[] = [];
  useOptions({
    trace,
    onTrace: (more) => {
      events.push(...more);
    },
  });
  return () => {
    host().trace?.write();
    return summaries().summaryOf(events);
  };
}

function printFaults(faults: readonly Fault[], file: string): void {
  for (const { text } of faults) process.stderr.write(`${text.replaceAll('<source>', basename(file))}\n`);
}

/** The checks of `--check`; without a list, all. */
function parseCheck(flag: string | boolean | undefined): readonly Check[] | undefined {
  if (flag === undefined || flag === false) return undefined;
  const checks = parseChecks(flag === true ? 'all' : flag);
  if (checks?.length) return checks;
  throw usageError(`--check takes a list of ${CHECKS.join(', ')}, or all; not '${flag}'`);
}

/** The kernel with this name, or the only kernel if there is no name. */
function chosenKernel(program: Program, file: string, name: string | undefined): Kernel {
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

function checkCount(specs: readonly ArgumentSpec[], kernel: Kernel): void {
  if (specs.length === kernel.argumentCount) return;
  throw inputError(
    `anycl: kernel '${kernel.name}' takes ${kernel.argumentCount} arguments, and --arg gives ${specs.length}: ${signature(kernel)} (see anycl run --help)`,
  );
}

/** A value must have the declared type; only the signedness may differ. */
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

function parseSizes(flag: string, text: string): number[] {
  const sizes = text.split(',').map((part) => (/^\d+$/.test(part.trim()) ? Number(part) : Number.NaN));
  if (sizes.length > 3 || sizes.some(Number.isNaN))
    throw usageError(`${flag} takes one to three sizes, such as 640,480; not '${text}'`);
  return sizes;
}

function parseCount(flag: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw usageError(`${flag} takes a whole number of at least 1, not '${text}'`);
  return Number(text);
}

/** A driver would keep the process alive, as its kernel goes on: no error ends the command otherwise than at once. */
function endOnTimeout(error: OpenCLError): never {
  if (error.code !== StopCode.COMMAND_TIMED_OUT) throw error;
  process.stderr.write(`anycl: ${error.message}\n`);
  process.exit(EXIT.input);
}

function parseIndex(flag: string, text: string, specs: readonly ArgumentSpec[]): number {
  const spec = /^\d+$/.test(text) ? specs[Number(text)] : undefined;
  if (!spec)
    throw usageError(
      `${flag} ${text}: there ${specs.length === 1 ? 'is 1 argument' : `are ${specs.length} arguments`}, counted from 0`,
    );
  if (spec.kind !== 'buffer' && spec.kind !== 'image')
    throw usageError(`${flag} ${text}: argument ${text} is not a buffer or image`);
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
