// SPDX-License-Identifier: MIT
//
// A `.cl` file as a module: compiled for the software device, with the signatures of its kernels, and with the text of its
// headers for drivers.
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { COMPILER_EXTENSIONS } from '../backend/software/device/capabilities';
import { compile, compileToAst } from '../compiler/compile';
import type { CompileInput } from '../compiler/compiled';
import type { Diagnostic } from '../compiler/diagnostics/diagnostic';
import { readOwnSource } from '../host/node/source-files';
import { encode } from '../spirv/encode';
import { declarationsText } from './declarations';
import { inlineHeaders } from './inline-headers';
import { moduleCode } from './module-code';
import { signaturesOf } from './signature';

export interface LoadOptions {
  /** As for clBuildProgram: `-cl-std=CL3.0 -I include`. Folders are relative to the working directory. */
  readonly buildOptions?: string;
  /** The name by which the module imports the package; default `anycl`. */
  readonly anycl?: string;
}

export interface LoadedKernels {
  /** JavaScript, and the TypeScript declarations of it; undefined where the source has an error. */
  readonly module: { readonly code: string; readonly declarations: string } | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics as text, as clang prints them. */
  readonly log: string;
  /** The files that were included, for bundlers that watch them. */
  readonly included: readonly string[];
}

/** @param text of the file, if it has been read already */
export function loadKernels(
  file: string,
  { buildOptions = '', anycl }: LoadOptions = {},
  text = readFileSync(file, 'utf8'),
): LoadedKernels {
  const included = new Map<string, string>();
  const folders = [dirname(file), '.'];
  const input: CompileInput = {
    name: file,
    text,
    options: `${buildOptions} ${folders.map((folder) => `-I ${quoted(folder)}`).join(' ')}`.trim(),
    target: 'spir',
    extensions: COMPILER_EXTENSIONS,
    readFile: (path, more) => {
      const bytes = readOwnSource(path, [...folders, ...more]);
      if (bytes instanceof Uint8Array) included.set(path, new TextDecoder().decode(bytes));
      return bytes;
    },
  };
  const { module, diagnostics, log } = compile(input);
  const { unit } = module ? compileToAst(input) : { unit: undefined };
  const found = { diagnostics, log, included: [...included.keys()] };
  if (!module || !unit) return { module: undefined, ...found };
  const signatures = signaturesOf(unit, () => compileToAst({ ...input, target: 'spir64' }).unit);
  const contents = {
    name: basename(file),
    source: inlineHeaders(text, file, included),
    ...(buildOptions === '' ? {} : { options: withoutFolders(buildOptions) }),
    spirv: encode(module),
  };
  const code = moduleCode(contents, signatures, anycl);
  return { module: { code, declarations: declarationsText(file, signatures) }, ...found };
}

const quoted = (folder: string): string => (/\s/.test(folder) ? `"${folder}"` : folder);

/** Without `-I`: the module contains the text of the headers, so a driver needs no folder. */
const withoutFolders = (options: string): string =>
  options
    .replace(/(?:^|\s)-I\s*(?:"[^"]*"|\S+)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
