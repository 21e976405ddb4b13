// SPDX-License-Identifier: MIT
//
// `anycl compile`: OpenCL C to SPIR-V, or to a look at one of the stages on the way.
import { basename } from 'node:path';
import { closest } from '../../base/suggestions';
import { compile, compileToAst, preprocessOnly } from '../../compiler/compile';
import type { CompileInput } from '../../compiler/compiled';
import type { Diagnostic } from '../../compiler/diagnostics/diagnostic';
import { EXTENSIONS, FEATURES } from '../../compiler/frontend/features';
import { readOwnSource } from '../../host/node/source-files';
import { encode } from '../../spirv/encode';
import type { Module } from '../../spirv/module';
import { CommandError, EXIT, inputError, usageError } from '../exit';
import { foldersOf, isSpirv, readInput, standardError, writeOutput } from '../files';
import { FIRST_MS, whileBlocked } from '../progress';
import { type CompileFlags, EMITS, parseCompileFlags } from './flags';

const HELP = `Usage: anycl compile FILE… [-o OUT] [OPTIONS]

Compiles OpenCL C to SPIR-V. Several files with -o are linked into one module; without it each goes to its own FILE.spv.

  -o OUT                     where to write; - is standard output (the default for everything but SPIR-V)
  --emit=WHAT                ${EMITS.join(', ')} (default spirv);
                             of the software device's JIT: ir after the scalar passes, ir-vectorized after all passes, the
                             plan of the vectorized code, and wat, the WebAssembly
  --spirv-version=VERSION    1.0 to 1.6 (default: 1.0, or what the code needs)
  --target=TARGET            spir64 or spir (default spir64)
  --cl-ext=+NAME,-NAME       which extensions and features to claim (default: all that are implemented)
  -cl-std=CL1.0 … CL3.1      and all other options of clBuildProgram: -D -I -cl-… -w -Werror -g -create-library …

#include reads files under the source's folder, the working directory and the folders of -I, and no others.

Examples:
  anycl compile saxpy.cl -o saxpy.spv
  anycl compile --emit=spvasm -cl-std=CL3.0 saxpy.cl
`;

/** What tools.ts has; loaded when a compilation needs it. */
export type CompileTools = typeof import('./tools');

/** @param tools loads code that most compilations do not need */
export async function compileCommand(
  args: readonly string[],
  tools: () => Promise<CompileTools>,
): Promise<void> {
  const flags = parseCompileFlags(args);
  if (flags.help) {
    writeOutput('-', HELP);
    return;
  }
  warnOfUnknown(flags.extensions);
  if (flags.files.length === 0) throw usageError('no file to compile (see anycl compile --help)');
  const inputs = flags.files.map((file) => compileInput(file, flags));
  if (flags.emit === 'preprocessed') {
    for (const input of inputs) writeOutput(flags.output ?? '-', finished(preprocessOnly(input)).text!);
    return;
  }
  if (flags.emit === 'ast') {
    const { astText } = await tools();
    for (const input of inputs)
      writeOutput(flags.output ?? '-', astText(finished(compileToAst(input)).unit!));
    return;
  }
  const modules = compiled(inputs);
  if (modules.length > 1 && flags.output !== undefined) {
    const library = flags.buildOptions.includes('-create-library');
    writeOutput(flags.output, await encodeAs((await tools()).linked(modules, library), flags, tools));
    return;
  }
  for (const [i, module] of modules.entries()) {
    writeOutput(flags.output ?? defaultOutput(flags.files[i]!, flags), await encodeAs(module, flags, tools));
  }
}

/** A program may be for a device that has more extensions than ours, so their macros are defined. */
function warnOfUnknown(extensions: string | undefined): void {
  const known: readonly string[] = [...EXTENSIONS, ...FEATURES, 'all'];
  for (const item of extensions?.split(',') ?? []) {
    const name = item.slice(1);
    if (known.includes(name)) continue;
    const near = closest(name, known);
    const hint = near ? `; did you mean '${near}'?` : '';
    standardError().write(`anycl: warning: --cl-ext: anycl has no extension '${name}'${hint}\n`);
  }
}

/** Bytes of a source that takes about as long as FIRST_MS. */
const LONG_SOURCE = 200_000;

function compiled(inputs: readonly CompileInput[]): readonly Module[] {
  // Node.js 20 loads `performance` when it is first named, which takes as long as parsing a small file.
  const started = Date.now();
  return inputs.map((input, i) => {
    const isLong = input.text.length > LONG_SOURCE || Date.now() - started > FIRST_MS;
    const which = inputs.length > 1 ? ` (${i + 1} of ${inputs.length})` : '';
    return finished(whileBlocked(`compiling ${input.name}${which}`, isLong, () => compile(input))).module!;
  });
}

function compileInput(file: string, flags: CompileFlags): CompileInput {
  const text = readInput(file);
  if (isSpirv(text))
    throw inputError(
      `anycl: '${file}' is SPIR-V and not OpenCL C; anycl dis shows it, anycl run runs its kernels`,
    );
  return {
    name: file === '-' ? '<stdin>' : file,
    text,
    options: flags.buildOptions,
    readFile: (path, folders) => readOwnSource(path, [...foldersOf(file), ...folders]),
    target: flags.target,
    ...(flags.spirvVersion === undefined ? {} : { spirvVersion: flags.spirvVersion }),
    ...(flags.extensions === undefined ? {} : { extensions: flags.extensions }),
  };
}

/** Prints the diagnostics, and ends the command if there are errors in the input or in the options. */
function finished<T extends { readonly diagnostics: readonly Diagnostic[]; readonly log: string }>(
  result: T,
): T {
  const errors = result.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  if (errors.length === 0) {
    if (result.log !== '') standardError().write(result.log);
    return result;
  }
  const wrongOptions = errors.every(
    (diagnostic) => diagnostic.position === undefined && OPTION_ERRORS.test(diagnostic.code),
  );
  throw new CommandError(result.log.trimEnd(), wrongOptions ? EXIT.usage : EXIT.input);
}

/** The codes of messages about build options, which have no place in the source. */
const OPTION_ERRORS = /option/;

const defaultOutput = (file: string, flags: CompileFlags): string =>
  flags.emit === 'spirv' && file !== '-' ? `${basename(file).replace(/\.[^.]*$/, '')}.spv` : '-';

async function encodeAs(
  module: Module,
  flags: CompileFlags,
  tools: () => Promise<CompileTools>,
): Promise<string | Uint8Array> {
  if (flags.emit === 'spirv') return encode(module);
  const { disassemble, stageOf, watOf, tools: jit } = await tools();
  switch (flags.emit) {
    case 'ir':
    case 'ir-vectorized':
    case 'plan':
      return stageOf(module, flags.emit, jit());
    case 'wat':
      return watOf(module, jit());
    default:
      return disassemble(module);
  }
}
