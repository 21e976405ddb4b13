// SPDX-License-Identifier: MIT
//
// `anycl run`: builds a file, sets a kernel's arguments, runs it, and prints or saves the results.
import { basename } from 'node:path';
import pc from 'picocolors';
import type { Event } from '../../api/objects/event';
import type { Kernel } from '../../api/objects/kernel';
import type { Session } from '../../api/open';
import { host, useOptions } from '../../api/runtime';
import { CHECKS, type Check, parseChecks } from '../../base/checks';
import type { Fault } from '../../base/faults';
import type { OpenCLError } from '../../cl/opencl-error';
import { StopCode } from '../../cl/stop-codes';
import { CoverageReport } from '../coverage/report';
import { elementValues, formatElements } from '../data/element-data';
import { encodeForFile } from '../data/host-data';
import { EXIT, usageError } from '../exit';
import { readInput, writeOutput } from '../files';
import { progress } from '../progress';
import { build, openSession } from '../session';
import { type ArgumentSpec, parseArgumentSpec } from './argument-spec';
import {
  checkCount,
  checkType,
  chosenKernel,
  contentsOf,
  type Given,
  give,
  parseCount,
  parseIndex,
  parseLocal,
  parseSizes,
} from './arguments';
import type { Summary } from './summary';

const summaries = () => require('./summary') as typeof import('./summary');

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
  robust?: boolean;
  coverage?: string;
  counts?: boolean;
  step?: boolean;
  timeout?: string;
}

export async function run(file: string, flags: RunFlags): Promise<void> {
  const request = readRequest(flags);
  const content = readInput(file);
  if (flags.step) return step(file, flags, request);

  const check = parseCheck(flags.check);
  const profile = startProfile(flags);
  const report = new CoverageReport(flags, file, content);
  const needsSoftware = Boolean(check || report.option || flags.robust);
  const session = openSession(flags.device ?? (needsSoftware ? 'software' : undefined), {
    ...(check && { check, checkBudget: parseCount('--check-budget', flags.checkBudget ?? '1000000') }),
    ...(report.option && { coverage: report.option }),
    ...(flags.robust && { robust: true }),
  });
  const built = await timed(async () => {
    const program = await build(session, file, content, flags.buildOptions ?? '');
    return chosenKernel(program, file, flags.kernel);
  });
  const kernel = built.result;
  const set = await timed(() => setArguments(session, kernel, request));
  const runs = await launchAll({ session, kernel, request, file, report });
  const written = await timed(() => writeResults(set.result, request, flags.json === true));

  const { faults } = runs;
  const device = session.device.name;
  const covered = report.finish();
  if (flags.json) {
    const result = {
      device,
      build_ms: built.ms,
      runs_ms: runs.wallMs,
      kernel_ms: runs.kernelMs,
      ...(request.prints.length > 0 ? { printed: written.result } : {}),
      ...(check ? { faults } : {}),
      ...covered,
      ...(profile ? { profile: profile() } : {}),
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } else if (profile) {
    process.stdout.write(profileTable(device, built.ms, set.ms + written.ms, runs));
    process.stdout.write(`\n${summaries().summaryText(profile())}`);
  }
  await session[Symbol.asyncDispose]();
  if (faults.length === 0) return;
  if (!flags.json) printFaults(faults, file);
  process.exitCode = EXIT.input;
}

/** What the flags ask for. */
interface RunRequest {
  readonly range: {
    readonly global: number[];
    readonly local: number[] | undefined;
    readonly offset: number[] | undefined;
  };
  readonly repeat: number;
  readonly timeout: number | undefined;
  /** Each `--arg` as it was written, and parsed. */
  readonly texts: readonly string[];
  readonly specs: readonly ArgumentSpec[];
  readonly saves: readonly { readonly index: number; readonly path: string }[];
  readonly prints: readonly number[];
}

function readRequest(flags: RunFlags): RunRequest {
  if (flags.global === undefined)
    throw usageError(
      '--global is missing: how many work-items, such as --global 1024 (see anycl run --help)',
    );
  const global = parseSizes('--global', flags.global);
  const local = flags.local === undefined ? undefined : parseLocal(flags.local, global);
  const offset = flags.offset === undefined ? undefined : parseSizes('--offset', flags.offset);
  const repeat = parseCount('--repeat', flags.repeat ?? '1');
  const timeout = flags.timeout === undefined ? undefined : parseCount('--timeout', flags.timeout);
  const texts = flags.arg ?? [];
  const specs = texts.map(parseArgumentSpec);
  return {
    range: { global, local, offset },
    repeat,
    timeout,
    texts,
    specs,
    saves: (flags.save ?? []).map((text) => parseSave(text, specs)),
    prints: (flags.print ?? []).map((text) => parseIndex('--print', text, specs)),
  };
}

/** `--step`: debugs the launch in the terminal. */
function step(file: string, flags: RunFlags, { range, texts, prints }: RunRequest): Promise<void> {
  const debuggers = require('../debugger/debuggers') as typeof import('../debugger/debuggers');
  return debuggers.stepInTerminal({ ...flags, file, ...range, args: texts, print: prints });
}

async function timed<T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const started = performance.now();
  const result = await run();
  return { result, ms: performance.now() - started };
}

/** Creates the arguments on the device, and waits for their contents. */
async function setArguments(
  session: Session,
  kernel: Kernel,
  { specs, texts }: RunRequest,
): Promise<readonly Given[]> {
  checkCount(specs, kernel);
  for (const [i, spec] of specs.entries()) checkType(spec, kernel.arguments[i]!, texts[i]!);
  const given = specs.map((spec) => give(session, spec));
  kernel.setArgs(...given.map(({ value }) => value));
  await session.queue.finish();
  return given;
}

interface Runs {
  /** Of each run, from the enqueue to the completion. */
  readonly wallMs: readonly number[];
  /** Of each run, the event's own time. */
  readonly kernelMs: readonly number[];
  readonly faults: readonly Fault[];
}

/** Runs the kernel `repeat` times. A run that fails ends the command. */
async function launchAll({
  session,
  kernel,
  request,
  file,
  report,
}: {
  readonly session: Session;
  readonly kernel: Kernel;
  readonly request: RunRequest;
  readonly file: string;
  readonly report: CoverageReport;
}): Promise<Runs> {
  const { range, repeat, timeout } = request;
  const wallMs: number[] = [];
  const kernelMs: number[] = [];
  const faults: Fault[] = [];
  const line = progress('run', repeat);
  for (let i = 0; i < repeat; i++) {
    line.step(i);
    const enqueued = performance.now();
    const event: Event = session.queue.enqueueNDRange(kernel, range, { timeout });
    const failure = await event.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure !== undefined) {
      printFaults(event.faults, file);
      return endOnTimeout(failure as OpenCLError);
    }
    wallMs.push(performance.now() - enqueued);
    kernelMs.push(event.profile.durationMs);
    faults.push(...event.faults);
    report.add(event.coverage);
    event.release();
  }
  line.end();
  return { wallMs, kernelMs, faults };
}

/** Saves and prints what was asked for. Returns the values for the JSON of the run instead of printing them there. */
async function writeResults(
  given: readonly Given[],
  { range, saves, prints }: RunRequest,
  json: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const printed: Record<string, unknown> = {};
  for (const index of prints) {
    const { bytes, shape } = await contentsOf(given[index]!, []);
    if (json) printed[index] = elementValues(bytes, shape.type);
    else process.stdout.write(`${formatElements(bytes, shape.type)}\n`);
  }
  for (const { index, path } of saves) {
    const { bytes, shape } = await contentsOf(given[index]!, range.global);
    writeOutput(path, encodeForFile(path, bytes, shape));
  }
  return printed;
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

/** After a time limit, ends the process at once: a driver would keep it alive, because the kernel goes on. */
function endOnTimeout(error: OpenCLError): never {
  if (error.code !== StopCode.COMMAND_TIMED_OUT) throw error;
  process.stderr.write(`anycl: ${error.message}\n`);
  process.exit(EXIT.input);
}

function parseSave(text: string, specs: readonly ArgumentSpec[]): { index: number; path: string } {
  const match = /^([^=]*)=(.+)$/s.exec(text);
  if (!match) throw usageError(`--save takes INDEX=FILE, not '${text}'`);
  return { index: parseIndex('--save', match[1]!, specs), path: match[2]! };
}

function profileTable(
  device: string,
  buildMs: number,
  transferMs: number,
  { wallMs, kernelMs }: Runs,
): string {
  const ms = (x: number): string => `${x.toFixed(3)} ms`.padStart(14);
  const median = (list: readonly number[]): number =>
    [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;
  const rows: [string, string][] = [
    ['build', ms(buildMs)],
    ['transfer', ms(transferMs)],
    ['first run', ms(wallMs[0]!)],
    ['kernel', ms(kernelMs[0]!)],
  ];
  if (wallMs.length > 1)
    rows.push(
      [`run, median of ${wallMs.length}`, ms(median(wallMs))],
      ['kernel, median', ms(median(kernelMs))],
    );
  return `${pc.bold(device)}\n${rows.map(([name, value]) => `  ${name.padEnd(20)}${value}`).join('\n')}\n`;
}
