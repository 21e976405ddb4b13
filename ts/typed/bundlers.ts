// SPDX-License-Identifier: MIT
//
// `anycl/bundler`: `.cl` files as modules in esbuild, rollup (and rolldown), vite and webpack. A plugin
// has only what differs between bundlers: how they ask for a file, and the form of their errors (docs/adr/0030-kernels-as-modules.md).
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { optionNames, unknownName, unknownNameDetail } from '../base/option-names';
import type { Diagnostic } from '../compiler/diagnostics/diagnostic';
import { processSettings } from '../host/node/environment';
import { folder } from '../host/node/place';
import { declarationsFile } from './declarations';
import { type LoadedKernels, type LoadOptions, loadKernels } from './load-kernels';

/** Options of the plugins. */
export interface PluginOptions extends LoadOptions {
  /** Also writes the declarations for TypeScript beside each file, where they changed: `saxpy.d.cl.ts`. Default: false. */
  readonly types?: boolean;
}

/** The options, with the type of their values. */
const OPTIONS: { readonly [Name in keyof Required<PluginOptions>]: 'string' | 'boolean' } = {
  buildOptions: 'string',
  anycl: 'string',
  types: 'boolean',
};

/** Refuses options that would be ignored. Called when the configuration creates the plugin. */
function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`anycl/bundler: options are an object, not ${String(options)}`);
  const known = optionNames(...Object.keys(OPTIONS));
  const unknown = unknownName(options, known);
  if (unknown !== undefined)
    throw new TypeError(`anycl/bundler: \`options.${unknown}\` ${unknownNameDetail(unknown, known)}`);
  for (const [name, type] of Object.entries(OPTIONS)) {
    const value: unknown = (options as PluginOptions)[name as keyof PluginOptions];
    if (value !== undefined && typeof value !== type)
      throw new TypeError(`anycl/bundler: \`${name}\` is a ${type}, not ${String(value)}`);
  }
}

const FILES = /\.cl$/;

/** The path without the query that a bundler adds, such as `?v=1`. */
const pathOf = (id: string): string => id.replace(/[?#].*$/, '');

function load(file: string, options: PluginOptions, text?: string): LoadedKernels {
  const loaded = loadKernels(file, options, text);
  if (options.types && loaded.module) writeIfChanged(declarationsFile(file), loaded.module.declarations);
  return loaded;
}

function writeIfChanged(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(file, text);
}

const withSeverity = (diagnostics: readonly Diagnostic[], severity: string): readonly Diagnostic[] =>
  diagnostics.filter((diagnostic) => diagnostic.severity === severity);

// ---- esbuild

interface EsbuildMessage {
  readonly text: string;
  readonly location: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly length: number;
    readonly lineText: string;
  } | null;
  readonly notes: readonly EsbuildMessage[];
}

interface EsbuildSetup {
  onLoad(
    options: { readonly filter: RegExp },
    run: (args: { readonly path: string }) => {
      readonly contents?: string;
      readonly loader: 'js';
      readonly errors: readonly EsbuildMessage[];
      readonly warnings: readonly EsbuildMessage[];
      readonly watchFiles: readonly string[];
    },
  ): void;
}

/** esbuild counts columns from 0, in bytes of UTF-8. */
function esbuildMessage({ message, position, sourceLine = '', ranges, notes }: Diagnostic): EsbuildMessage {
  const column = (position?.column ?? 1) - 1;
  const range = ranges.find(({ begin }) => begin - 1 === column);
  const bytes = (from: number, to: number) => Buffer.byteLength(sourceLine.slice(from, to));
  return {
    text: message,
    location: position
      ? {
          file: position.file,
          line: position.line,
          column: bytes(0, column),
          length: range ? bytes(column, range.end - 1) : 0,
          lineText: sourceLine,
        }
      : null,
    notes: notes.map(esbuildMessage),
  };
}

/** A plugin of esbuild: `plugins: [esbuild()]`. */
export function esbuild(options: PluginOptions = {}): {
  readonly name: string;
  setup(build: EsbuildSetup): void;
} {
  checkOptions(options);
  return {
    name: 'anycl',
    setup(build) {
      build.onLoad({ filter: FILES }, ({ path }) => {
        const { module, diagnostics, included } = load(path, options);
        return {
          ...(module ? { contents: module.code } : {}),
          loader: 'js',
          errors: withSeverity(diagnostics, 'error').map(esbuildMessage),
          warnings: withSeverity(diagnostics, 'warning').map(esbuildMessage),
          watchFiles: [path, ...included],
        };
      });
    },
  };
}

// ---- rollup, rolldown, vite

interface RollupLog {
  readonly message: string;
  readonly id?: string;
  readonly loc?: { readonly file: string; readonly line: number; readonly column: number };
  readonly frame?: string;
}

interface RollupContext {
  error(log: RollupLog): never;
  warn(log: RollupLog): void;
  addWatchFile(file: string): void;
}

/** Rollup counts columns from 0; the frame is the source line with its caret. */
function rollupLog({ message, position, sourceLine }: Diagnostic): RollupLog {
  if (!position) return { message };
  const { file, line, column } = position;
  const frame =
    sourceLine === undefined
      ? {}
      : { frame: `${line}: ${sourceLine}\n${' '.repeat(`${line}: `.length + column - 1)}^` };
  return { message, id: file, loc: { file, line, column: column - 1 }, ...frame };
}

/** A plugin of rollup, rolldown and vite: `plugins: [rollup()]`. */
export function rollup(options: PluginOptions = {}): {
  readonly name: string;
  readonly enforce: 'pre';
  load(this: RollupContext, id: string): { readonly code: string; readonly map: null } | undefined;
} {
  checkOptions(options);
  return {
    name: 'anycl',
    // Before vite takes the file for an asset.
    enforce: 'pre',
    load(id) {
      const file = pathOf(id);
      // \0 begins the names of modules that are not files.
      if (!FILES.test(file) || id.startsWith('\0') || /[?&](?:raw|url)\b/.test(id)) return undefined;
      const { module, diagnostics, included } = load(file, options);
      for (const path of included) this.addWatchFile(path);
      for (const warning of withSeverity(diagnostics, 'warning')) this.warn(rollupLog(warning));
      const [error, ...more] = withSeverity(diagnostics, 'error').map(rollupLog);
      if (!module) {
        const others = more.map(
          ({ message, loc }) => `\n${loc ? `${loc.file}:${loc.line}:${loc.column + 1}: ` : ''}${message}`,
        );
        const first = error ?? { message: 'it cannot be compiled' };
        return this.error({ ...first, message: `${first.message}${others.join('')}` });
      }
      return { code: module.code, map: null };
    },
  };
}

/** A plugin of vite: `plugins: [vite()]`; the same as `rollup`. */
export const vite = rollup;

// ---- webpack

interface WebpackCompiler {
  readonly options: { readonly module: { readonly rules: unknown[] } };
}

interface WebpackLoader {
  readonly resourcePath: string;
  getOptions(): PluginOptions;
  addDependency(file: string): void;
  emitWarning(warning: Error): void;
}

/** A plugin of webpack (and rspack): `plugins: [webpack()]`. */
export function webpack(options: PluginOptions = {}): { apply(compiler: WebpackCompiler): void } {
  checkOptions(options);
  return {
    apply(compiler) {
      const loader = join(folder, 'webpack-loader.cjs');
      compiler.options.module.rules.push({
        test: FILES,
        type: 'javascript/auto',
        use: [{ loader, options }],
      });
    },
  };
}

/**
 * @internal
 * webpack names the file and shows the message unchanged. The message has clang's form: place, line, caret.
 */
export function webpackLoader(this: WebpackLoader, text: string): string {
  const { module, diagnostics, log, included } = load(this.resourcePath, this.getOptions(), text);
  for (const file of included) this.addDependency(file);
  if (!module) throw withoutStack(log.trimEnd());
  if (withSeverity(diagnostics, 'warning').length > 0) this.emitWarning(withoutStack(log.trimEnd()));
  return module.code;
}

/** The author of a kernel does not need the stack of this package. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.name = 'KernelError';
  error.stack = message;
  return error;
}

// ---- Node.js

/**
 * @internal
 * For the hooks of `anycl/register`.
 * @throws SyntaxError with the diagnostics, where the source has an error
 */
export function loadForNode(file: string, anycl: string): string {
  const { module, log } = loadKernels(file, {
    buildOptions: processSettings().buildOptions ?? '',
    anycl,
  });
  if (module) {
    if (log) process.stderr.write(log);
    return module.code;
  }
  const error = new SyntaxError(`${file} cannot be compiled:\n${log.trimEnd()}`);
  error.stack = `SyntaxError: ${error.message}`;
  throw error;
}
