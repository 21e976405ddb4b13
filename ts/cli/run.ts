// SPDX-License-Identifier: MIT
//
// `anycl run`: builds a file, sets a kernel's arguments, runs it, and prints or saves the results.
import { basename } from 'node:path';
import pc from 'picocolors';
import type { Event } from '../api/objects/event';
import { host, useOptions } from '../api/runtime';
import { CHECKS, type Check, parseChecks } from '../base/checks';
import type { Fault } from '../base/faults';
import type { OpenCLError } from '../cl/opencl-error';
import { StopCode } from '../cl/stop-codes';
import { type ArgumentSpec, parseArgumentSpec } from './argument-spec';
import { CoverageReport } from './counted/report';
import { elementValues, formatElements } from './element-data';
import { EXIT, usageError } from './exit';
import { readInput, writeOutput } from './files';
import { encodeForFile } from './host-data';
import { progress } from './progress';
import {
  checkCount,
  checkType,
  chosenKernel,
  contentsOf,
  give,
  parseCount,
  parseIndex,
  parseLocal,
  parseSizes,
} from './run-arguments';
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
  coverage?: string;
  counts?: boolean;
  step?: boolean;
  timeout?: string;
}

export async function run(file: string, flags: RunFlags): Promise<void> {
  if (flags.global === undefined)
    throw usageError(
      '--global is missing: how many work-items, such as --global 1024 (see anycl run --help)',
    );
  const global = parseSizes('--global', flags.global);
  const localSize = flags.local === undefined ? undefined : parseLocal(flags.local, global);
  const offset = flags.offset === undefined ? undefined : parseSizes('--offset', flags.offset);
  const repeat = parseCount('--repeat', flags.repeat ?? '1');
  const timeout = flags.timeout === undefined ? undefined : parseCount('--timeout', flags.timeout);
  const texts = flags.arg ?? [];
  const specs = texts.map(parseArgumentSpec);
  const saves = (flags.save ?? []).map((text) => parseSave(text, specs));
  const prints = (flags.print ?? []).map((text) => parseIndex('--print', text, specs));
  const content = readInput(file);
  if (flags.step) {
    const debuggers = require('./debugger/debuggers') as typeof import('./debugger/debuggers');
    return debuggers.stepInTerminal({
      ...flags,
      file,
      global,
      local: localSize,
      offset,
      args: texts,
      print: prints,
    });
  }

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

/** A driver would keep the process alive, as its kernel goes on: no error ends the command otherwise than at once. */
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
