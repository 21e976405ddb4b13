// SPDX-License-Identifier: MIT
//
// `anycl compile`'s arguments. They are read by hand, not by the argument parser of the other subcommands: OpenCL's
// build options (`-cl-std=CL3.0`, `-DN=4`, `-I include`) follow the compiler's rules, not those of getopt.

import { closest } from '../../base/suggestions';
import type { CompileInput } from '../../compiler/compiled';
import { usageError } from '../exit';

export const EMITS = [
  'spirv',
  'spvasm',
  'ir',
  'ir-vectorized',
  'plan',
  'wat',
  'ast',
  'preprocessed',
] as const;
export type Emit = (typeof EMITS)[number];
const TARGETS = ['spir64', 'spir'] as const;
const SPIRV_VERSIONS = ['1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6'] as const;

export interface CompileFlags {
  readonly files: readonly string[];
  readonly output: string | undefined;
  readonly emit: Emit;
  readonly target: NonNullable<CompileInput['target']>;
  readonly spirvVersion: CompileInput['spirvVersion'];
  readonly extensions: string | undefined;
  /** The compiler's options, as one string. */
  readonly buildOptions: string;
  readonly help: boolean;
}

/** Build options whose value may be the next argument. */
const WITH_VALUE = new Set(['-D', '-I', '-x', '-U', '-include']);

function choice<T extends string>(flag: string, value: string, choices: readonly T[]): T {
  const found = choices.find((c) => c === value);
  if (found === undefined) {
    const meant = closest(value, choices);
    throw usageError(
      `${flag} is one of ${choices.join(', ')}, not '${value}'${meant ? `; did you mean '${meant}'?` : ''}`,
    );
  }
  return found;
}

function extensions(list: string | undefined): string | undefined {
  const wrong = list?.split(',').find((item) => !/^[+-]\w+$/.test(item));
  if (wrong !== undefined) throw usageError(`--cl-ext takes +NAME or -NAME, between commas, not '${wrong}'`);
  return list;
}

const LONG_OPTIONS = ['--emit', '--spirv-version', '--target', '--cl-ext', '--output', '--help'];

function unknownOption(arg: string): Error {
  const meant = closest(arg.replace(/=.*/s, ''), LONG_OPTIONS);
  const hint = meant ? `; did you mean ${meant}?` : '';
  return usageError(`unknown option '${arg}'${hint} (see anycl compile --help)`);
}

/** Throws a usage error for an argument that is neither a file nor an option. */
export function parseCompileFlags(args: readonly string[]): CompileFlags {
  const files: string[] = [];
  const options: string[] = [];
  const own: { [name: string]: string } = {};
  let output: string | undefined;
  let help = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const value = (name: string): string => {
      const next = args[++i];
      if (next === undefined) throw usageError(`${name} needs a value`);
      return next;
    };
    if (arg === '--') {
      files.push(...args.slice(i + 1));
      break;
    }
    const long = /^(--(?:emit|spirv-version|target|cl-ext))(?:=(.*))?$/s.exec(arg);
    if (long) own[long[1]!] = long[2] ?? value(arg);
    else if (arg === '-h' || arg === '--help') help = true;
    else if (arg === '-o' || arg === '--output') output = value(arg);
    else if (/^-o./.test(arg)) output = arg.slice(2);
    else if (arg.startsWith('--output=')) output = arg.slice('--output='.length);
    else if (arg.startsWith('--')) throw unknownOption(arg);
    else if (arg === '-' || !arg.startsWith('-')) files.push(arg);
    else if (WITH_VALUE.has(arg)) options.push(arg, quote(value(arg)));
    else options.push(quote(arg));
  }
  const version = own['--spirv-version'];
  return {
    files,
    output,
    emit: choice('--emit', own['--emit'] ?? 'spirv', EMITS),
    target: choice('--target', own['--target'] ?? 'spir64', TARGETS),
    spirvVersion: version === undefined ? undefined : choice('--spirv-version', version, SPIRV_VERSIONS),
    extensions: extensions(own['--cl-ext']),
    buildOptions: options.join(' '),
    help,
  };
}

/** The shell has removed an argument's quotes, and the compiler splits its options at blanks. */
const quote = (arg: string): string => (/[\s"']/.test(arg) ? `"${arg.replace(/["\\]/g, '\\$&')}"` : arg);
