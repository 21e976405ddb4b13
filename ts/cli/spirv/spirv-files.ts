// SPDX-License-Identifier: MIT
//
// `anycl dis` and `anycl validate`.
import pc from 'picocolors';
import { decode } from '../../spirv/decode';
import type { Module } from '../../spirv/module';
import { SpirvError } from '../../spirv/spirv-error';
import { disassemble } from '../../spirv/text';
import { inputError, usageError } from '../exit';
import { readInput, writeOutput } from '../files';
import { tools } from '../tools';
import { ENVIRONMENT_NAMES, environmentProblem } from './target-environments';

export interface DisassembleFlags {
  o?: string;
  rawId?: boolean;
  offsets?: boolean;
  color?: boolean;
}

export function disassembleFile(file: string, flags: DisassembleFlags): void {
  const bytes = readInput(file);
  const module = load(file, bytes);
  const output = flags.o ?? '-';
  const onTerminal = output === '-' && process.stdout.isTTY === true && pc.isColorSupported;
  let text = disassemble(module, { friendlyNames: !flags.rawId });
  if (flags.offsets) text = withOffsets(text, bytes);
  writeOutput(output, (flags.color ?? onTerminal) ? coloured(text) : text);
}

/** Lines that are comments begin with `;`; each other one is an instruction, in the order of the binary. */
function withOffsets(text: string, bytes: Uint8Array): string {
  const offsets = instructionOffsets(bytes);
  let next = 0;
  return text
    .split('\n')
    .map((line) => {
      if (line === '' || line.startsWith(';')) return line;
      const offset = offsets[next++];
      return offset === undefined ? line : `${line.padEnd(72)} ; 0x${offset.toString(16).padStart(8, '0')}`;
    })
    .join('\n');
}

/** The offset of each instruction, in bytes from the start of the file. */
function instructionOffsets(bytes: Uint8Array): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = view.getUint32(0, true) === 0x07230203;
  const offsets: number[] = [];
  for (let at = 20; at + 4 <= bytes.byteLength; ) {
    offsets.push(at);
    at += Math.max(1, view.getUint32(at, little) >>> 16) * 4;
  }
  return offsets;
}

const COLOURS = pc.createColors(true);

/** Comments, strings, ids that are defined, ids that are used, instructions. */
function coloured(text: string): string {
  const pattern = /(;.*$)|("(?:[^"\\]|\\.)*")|(%\w+)(?=\s*=)|(%\w+)|(\bOp[A-Z]\w*)/gm;
  const { gray, green, blue, yellow, bold } = COLOURS;
  return text.replace(pattern, (found, comment, string, result, id) =>
    comment ? gray(found) : string ? green(found) : result ? blue(found) : id ? yellow(found) : bold(found),
  );
}

export interface ValidateFlags {
  targetEnv?: string;
}

export function validateFile(file: string, flags: ValidateFlags): void {
  const { targetEnv } = flags;
  if (targetEnv !== undefined && !ENVIRONMENT_NAMES.includes(targetEnv))
    throw usageError(`--target-env is one of ${ENVIRONMENT_NAMES.join(', ')}, not '${targetEnv}'`);
  const bytes = readInput(file);
  const module = load(file, bytes);
  const problem =
    (targetEnv === undefined ? undefined : environmentProblem(module, targetEnv)) ??
    tools().toolchain.validate(module);
  if (problem === undefined) return;
  const line = lineAtFault(module, problem);
  throw inputError(`error: ${file}: ${problem}${line ? `\n  ${line}` : ''}`);
}

/**
 * The instruction that a message begins with (`%7 = OpIAdd: …`, `OpStore: …`), if there is only one such
 * instruction.
 */
function lineAtFault(module: Module, problem: string): string | undefined {
  const named = /^(%\d+ = )?(Op\w+): /.exec(problem);
  if (!named) return undefined;
  const [, result = '', opcode] = named;
  const begins = new RegExp(`^\\s*${result || '(%\\w+ = )?'}${opcode}\\b`);
  const raw = disassemble(module, { friendlyNames: false, header: false }).split('\n');
  const found = raw.flatMap((line, i) => (begins.test(line) ? [i] : []));
  if (found.length !== 1) return undefined;
  const friendly = disassemble(module, { header: false }).split('\n')[found[0]!]!.trim();
  const number = raw[found[0]!]!.trim();
  return number === friendly ? number : `${number}\n  ${friendly}`;
}

function load(file: string, bytes: Uint8Array): Module {
  try {
    return decode(bytes);
  } catch (error) {
    if (!(error instanceof SpirvError)) throw error;
    if (/\.cl$/i.test(file))
      throw inputError(
        `error: ${file}: this is OpenCL C and not SPIR-V; anycl compile ${file} makes SPIR-V of it`,
      );
    throw inputError(`error: ${file}: ${error.message}${wordsAt(bytes, error.wordOffset)}`);
  }
}

/** The words where the binary form of a module is invalid. */
function wordsAt(bytes: Uint8Array, word: number | undefined): string {
  if (word === undefined || (word + 1) * 4 > bytes.byteLength) return '';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.min(4, Math.floor(bytes.byteLength / 4) - word);
  const words = Array.from({ length: count }, (_, i) => view.getUint32((word + i) * 4, true));
  return `\n  0x${(word * 4).toString(16)}: ${words.map((w) => `0x${w.toString(16).padStart(8, '0')}`).join(' ')}`;
}
