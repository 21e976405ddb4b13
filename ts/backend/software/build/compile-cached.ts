// SPDX-License-Identifier: MIT
//
// Compilation of OpenCL C through the disk cache.
import type { Steps } from '../../../base/steps';
import { ProgramBinaryType } from '../../../cl/constants.gen';
import type { Module } from '../../../spirv/module';
import { COMPILER_EXTENSIONS } from '../device/capabilities';
import { BUILD } from './build-id';
import { decodeProgram, encodeProgram } from './program-binary';
import type { BuildTools, Target, Toolchain } from './toolchain';

export interface SourceInput {
  readonly text: string;
  readonly options: string;
  readonly target: Target;
  readonly headers?: ReadonlyMap<string, string>;
}

export interface Compiled {
  readonly module: Module | undefined;
  readonly spirv: Uint8Array | undefined;
  readonly log: string;
  readonly badOptions?: boolean | undefined;
  /** Whether this process is the first that compiles and stores it. Then nothing derived from it is stored yet. */
  readonly isNew?: boolean;
}

/** Compiles OpenCL C, or finds the result of an earlier compilation of the same text with the same options. */
export function* compileCached(
  { host, toolchain }: Pick<BuildTools, 'host' | 'toolchain'>,
  input: SourceInput,
): Steps<Compiled> {
  const key = cacheKey(input);
  const stored = key === undefined ? undefined : host.cacheRead(key);
  const found = stored && readStored(toolchain, stored);
  if (found) return found;

  let readsFiles = false;
  const { module, log, badOptions } = yield* toolchain.compile({
    name: '<source>',
    text: input.text,
    options: input.options,
    target: input.target,
    extensions: COMPILER_EXTENSIONS,
    readFile: (path, folders) => {
      readsFiles = true;
      return host.readSource(path, folders);
    },
    ...(input.headers ? { headers: input.headers } : {}),
  });
  if (!module) return { module, spirv: undefined, log, badOptions };
  yield;
  const spirv = toolchain.encode(module);
  if (key === undefined || readsFiles) return { module, spirv, log };
  const type = ProgramBinaryType.COMPILED_OBJECT;
  host.cacheWrite(() => ({ key, bytes: encodeProgram({ type, options: input.options, log, spirv }) }));
  return { module, spirv, log, isNew: true };
}

/** A stored program; undefined for other contents, which count as a missing entry. */
function readStored(toolchain: Toolchain, stored: Uint8Array): Compiled | undefined {
  const found = decodeProgram(stored);
  if (!found) return undefined;
  const { spirv, log } = found;
  try {
    return { module: toolchain.decode(spirv), spirv, log };
  } catch {
    return undefined;
  }
}

/**
 * Undefined if text and options do not determine the result. A program that reads files is never stored, so it is
 * never found.
 */
function cacheKey(input: SourceInput): readonly string[] | undefined {
  if (BUILD === undefined || input.headers?.size || tellsTime(`${input.options}\n${input.text}`))
    return undefined;
  return ['opencl-c', BUILD, input.target, input.text, input.options];
}

/** V8 would compile two forms of a regular expression, which nearly all programs do not need. */
function tellsTime(text: string): boolean {
  // The macro's name may be continued on the next line.
  const joined = text.includes('\\') ? text.replace(/\\\r?\n/g, '') : text;
  return joined.includes('__DATE__') || joined.includes('__TIME__');
}
