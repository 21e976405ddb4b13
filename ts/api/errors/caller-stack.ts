// SPDX-License-Identifier: MIT
//
// Stacks of errors as the caller wants them: the first line is the script's call, not what it went through within anycl.
// ANYCL_DEBUG=stacks keeps all.

import { OpenCLError } from '../../cl/opencl-error';
import { debugs } from '../runtime';

type AnyFunction = (...args: never[]) => unknown;

let home: string | undefined;

/** anycl's files: the folder of the package or of its sources, or the bundle that contains this code. */
function ownFiles(): string {
  // Computed on first use: for the first stack V8 finds all lines of a file.
  home ??= homeOf(new Error().stack) ?? 'no such file';
  return home;
}

function homeOf(stack: string | undefined): string | undefined {
  const own = stack?.split('\n')[1]?.match(/((?:file:\/\/|[A-Za-z]:\\|\/).*?):\d+:\d+\)?$/)?.[1];
  return own?.replace(/(?:api[\\/]errors[\\/]caller-stack\.ts|anycl\.mjs)$/, '');
}

/** Whether a frame belongs to anycl, or to a method of the language that calls it. */
const isInternal = (frame: string): boolean =>
  (frame.includes(ownFiles()) && !/\.test\.ts:\d/.test(frame)) || frame.endsWith('(<anonymous>)');

/**
 * The frames without those of anycl. All frames if none of the script's would remain: a script that was bundled with
 * anycl is in the same file.
 */
export function callerFrames(frames: string): string {
  const lines = frames.split('\n');
  const kept = lines.filter((line) => !isInternal(line));
  return kept.some((line) => /^ {4}at /.test(line) && !line.includes('node:internal'))
    ? kept.join('\n')
    : frames;
}

let keepsAll: boolean | undefined;

/**
 * Throws `error` as if `entry`, which the script called, were a function of the language. Bugs of anycl, and errors of
 * the script's callbacks, keep their stacks.
 */
export function throwFrom(entry: AnyFunction, error: unknown): never {
  keepsAll ??= debugs('stacks');
  if (isOfCaller(error) && !keepsAll) Error.captureStackTrace?.(error as Error, entry);
  raise(error);
}

/** The same for an error that may be created after the call has returned: of a promise or a command. */
export function throwTidily(error: unknown): never {
  keepsAll ??= debugs('stacks');
  const { stack } = (error ?? {}) as Error;
  if (isOfCaller(error) && !keepsAll && typeof stack === 'string') {
    const [head, frames] = split(error as Error, stack);
    if (frames) (error as Error).stack = `${head}\n${callerFrames(frames)}`;
  }
  raise(error);
}

/** An error that tells the caller what was wrong with a call. */
const isOfCaller = (error: unknown): boolean =>
  error instanceof OpenCLError || (error instanceof TypeError && callersMistakes.has(error));

const callersMistakes = new WeakSet<TypeError>();

/** Marks a TypeError as one. */
export function mistake(error: TypeError): TypeError {
  callersMistakes.add(error);
  return error;
}

/** `error`, as if it were thrown where `other` was. */
export function inPlaceOf<E extends Error>(error: E, other: Error): E {
  if (other.stack !== undefined)
    error.stack = `${error.name}: ${error.message}\n${split(other, other.stack)[1]}`;
  return error;
}

/** The message may have many lines, such as a build log. */
function split(error: Error, stack: string): readonly [head: string, frames: string] {
  const head = `${error.name}: ${error.message}`;
  if (stack.startsWith(head)) return [head, stack.slice(head.length + 1)];
  const first = stack.search(/^ {4}at /m);
  return first < 0 ? [stack, ''] : [stack.slice(0, first - 1), stack.slice(first)];
}

/** Node.js shows the line of the bundle that an uncaught error was thrown in, unless that line says not to. */
function raise(error: unknown): never {
  throw unchanged(error, 'node-do-not-add-exception-line');
}

/** Keeps the word in the line: the bundler removes comments and unused strings. */
const unchanged = <T>(error: T, _word: string): T => error;
