// SPDX-License-Identifier: MIT
//
// The build options of clBuildProgram, clCompileProgram and clLinkProgram, one string, and `--cl-ext`.
import { closest } from '../base/suggestions';
import type { WarningOptions } from './diagnostics/reporter';
import { EXTENSIONS, FEATURES } from './frontend/features';
import type { LanguageOptions } from './frontend/language';

export interface CompilerOptions {
  readonly language: LanguageOptions;
  readonly warnings: WarningOptions;
  /** `#define` and `#undef` lines of `-D` and `-U`, in order. */
  readonly commandLine: string;
  readonly includeDirectories: readonly string[];
  /** `-create-library` */
  readonly createLibrary: boolean;
  /** `-enable-link-options`: link options may override those that the library was compiled with. */
  readonly enableLinkOptions: boolean;
  /** `-x spir`: the program is a binary; nothing is compiled from source. */
  readonly binaryInput: boolean;
}

/** An error in an option: a row of the message table and its values. */
export type OptionProblem =
  | { readonly code: 'unknown-option'; readonly args: { readonly option: string } }
  | {
      readonly code: 'unknown-option-suggest';
      readonly args: { readonly option: string; readonly suggestion: string };
    }
  | { readonly code: 'option-value-missing'; readonly args: { readonly option: string } }
  | {
      readonly code: 'option-value-invalid';
      readonly args: { readonly option: string; readonly value: string };
    }
  | {
      readonly code: 'option-value-choices';
      readonly args: { readonly option: string; readonly value: string; readonly choices: string };
    }
  | { readonly code: 'option-macro-name'; readonly args: { readonly option: string } }
  | { readonly code: 'option-unterminated-quote'; readonly args: Readonly<Record<never, never>> };

export interface ParsedOptions {
  readonly options: CompilerOptions;
  /** Errors: each makes the options invalid (CL_INVALID_BUILD_OPTIONS). */
  readonly problems: readonly OptionProblem[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Flag = {
  [K in keyof LanguageOptions]: LanguageOptions[K] extends boolean ? K : never;
}[keyof LanguageOptions];

/** Options without a value, and their effect. */
const FLAGS: Readonly<Record<string, readonly Flag[] | undefined>> = {
  '-cl-single-precision-constant': ['singlePrecisionConstant'],
  '-cl-denorms-are-zero': ['denormsAreZero'],
  '-cl-fp32-correctly-rounded-divide-sqrt': ['correctlyRoundedDivideSqrt'],
  '-cl-opt-disable': ['optDisable'],
  '-O0': ['optDisable'],
  '-cl-strict-aliasing': [],
  '-cl-uniform-work-group-size': ['uniformWorkGroupSize'],
  '-cl-no-subgroup-ifp': [],
  '-cl-mad-enable': ['madEnable'],
  '-cl-no-signed-zeros': ['noSignedZeros'],
  '-cl-unsafe-math-optimizations': ['unsafeMathOptimizations', 'noSignedZeros', 'madEnable'],
  '-cl-finite-math-only': ['finiteMathOnly'],
  '-cl-fast-relaxed-math': [
    'fastRelaxedMath',
    'finiteMathOnly',
    'unsafeMathOptimizations',
    'noSignedZeros',
    'madEnable',
  ],
  '-cl-kernel-arg-info': ['kernelArgInfo'],
  '-g': ['debugInfo'],
  '-anycl-checked': ['debugInfo', 'checked'],
};

const VERSIONS: Readonly<Record<string, LanguageOptions['version'] | undefined>> = {
  'CL1.0': 100,
  'CL1.1': 110,
  'CL1.2': 120,
  'CL2.0': 200,
  'CL3.0': 300,
  'CL3.1': 310,
};

/** An extension and the feature that is the same thing in OpenCL C 3.0. */
const TWINS: readonly (readonly [string, string])[] = [
  ['cl_khr_fp64', '__opencl_c_fp64'],
  ['cl_khr_3d_image_writes', '__opencl_c_3d_image_writes'],
  ['cl_khr_subgroups', '__opencl_c_subgroups'],
];

const ALL: ReadonlySet<string> = new Set<string>([...EXTENSIONS, ...FEATURES]);

/**
 * Reads an option string. `extensions` is `--cl-ext`'s list (`+name,-name`), `target` decides how wide pointers are.
 */
export function parseOptions(
  text: string,
  target: 'spir' | 'spir64' = 'spir64',
  extensions: string | undefined = undefined,
): ParsedOptions {
  const problems: OptionProblem[] = [];
  const language: Mutable<LanguageOptions> = {
    version: 120,
    addressBits: target === 'spir' ? 32 : 64,
    features: ALL,
    fastRelaxedMath: false,
    madEnable: false,
    denormsAreZero: false,
    correctlyRoundedDivideSqrt: false,
    noSignedZeros: false,
    finiteMathOnly: false,
    unsafeMathOptimizations: false,
    singlePrecisionConstant: false,
    optDisable: false,
    kernelArgInfo: false,
    uniformWorkGroupSize: false,
    debugInfo: false,
    checked: false,
  };
  const warnings = {
    none: false,
    asErrors: false,
    all: false,
    flags: new Map<string, boolean>(),
    errorFlags: new Map<string, boolean>(),
  };
  const includeDirectories: string[] = [];
  let commandLine = '';
  let createLibrary = false;
  let enableLinkOptions = false;
  let binaryInput = false;
  if (extensions !== undefined) language.features = withExtensions(language.features, extensions);

  const words = splitWords(text, problems);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    /** The value of an option that is followed by it or has it attached. */
    const value = (option: string): string | undefined => {
      if (word.length > option.length) return word.slice(option.length);
      const next = words[++i];
      if (next === undefined) problems.push({ code: 'option-value-missing', args: { option } });
      return next;
    };
    const flags = Object.hasOwn(FLAGS, word) ? FLAGS[word] : undefined;
    if (flags) {
      for (const flag of flags) language[flag] = true;
    } else if (word.startsWith('-D') || word.startsWith('-U')) {
      const macro = value(word.slice(0, 2));
      if (macro === undefined) continue;
      const line = word.startsWith('-D') ? definition(macro) : undefinition(macro);
      if (line === undefined)
        problems.push({ code: 'option-macro-name', args: { option: word.slice(0, 2) + macro } });
      else commandLine += line;
    } else if (word.startsWith('-I')) {
      const folder = value('-I');
      if (folder !== undefined) includeDirectories.push(folder);
    } else if (word.startsWith('-cl-std=')) {
      const name = word.slice('-cl-std='.length);
      const version = VERSIONS[name.toUpperCase()];
      if (version === undefined)
        problems.push({
          code: 'option-value-choices',
          args: { option: word, value: name, choices: Object.keys(VERSIONS).join(', ') },
        });
      else language.version = version;
    } else if (word.startsWith('-cl-ext=')) {
      language.features = withExtensions(language.features, word.slice('-cl-ext='.length));
    } else if (word === '-create-library') {
      createLibrary = true;
    } else if (word === '-enable-link-options') {
      enableLinkOptions = true;
    } else if (word === '-x') {
      const kind = value('-x');
      if (kind === 'spir') binaryInput = true;
      else if (kind !== undefined && kind !== 'cl') {
        problems.push({ code: 'option-value-invalid', args: { option: '-x', value: kind } });
      }
    } else if (word === '-w') {
      warnings.none = true;
    } else if (word === '-pedantic') {
      warnings.flags.set('pedantic', true);
    } else if (word.startsWith('-W')) {
      readWarning(word.slice(2), warnings);
    } else if (!IGNORED.test(word)) {
      problems.push(unknownOption(word));
    }
  }
  return {
    options: {
      language,
      warnings,
      commandLine,
      includeDirectories,
      createLibrary,
      enableLinkOptions,
      binaryInput,
    },
    problems,
  };
}

function unknownOption(option: string): OptionProblem {
  const suggestion = closest(option, Object.keys(FLAGS));
  return suggestion === undefined
    ? { code: 'unknown-option', args: { option } }
    : { code: 'unknown-option-suggest', args: { option, suggestion } };
}

/** Optimization levels and hints to one vendor's compiler: accepted, without effect. */
const IGNORED = /^-(?:O[123s]|O|spir-std=[\d.]+|cl-nv-.*|cl-intel-.*|fno-.*|s)$/;

function readWarning(
  name: string,
  warnings: {
    asErrors: boolean;
    all: boolean;
    flags: Map<string, boolean>;
    errorFlags: Map<string, boolean>;
  },
): void {
  if (name === 'error') warnings.asErrors = true;
  else if (name === 'no-error') warnings.asErrors = false;
  else if (name === 'everything') warnings.all = true;
  else if (name.startsWith('error=')) warnings.errorFlags.set(name.slice(6), true);
  else if (name.startsWith('no-error=')) warnings.errorFlags.set(name.slice(9), false);
  else if (name.startsWith('no-')) warnings.flags.set(name.slice(3), false);
  else warnings.flags.set(name, true);
}

const DEFINITION = /^([A-Za-z_$][\w$]*)(\([\w\s,.]*\))?(?:=([\s\S]*))?$/;

/** `NAME`, `NAME=VALUE` or `NAME(x)=VALUE` as a line. */
function definition(text: string): string | undefined {
  const match = DEFINITION.exec(text);
  if (!match) return undefined;
  const [, name, parameters = '', value = '1'] = match;
  return `#define ${name}${parameters} ${value.replace(/\\?\r?\n/g, ' ')}\n`;
}

function undefinition(name: string): string | undefined {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `#undef ${name}\n` : undefined;
}

function withExtensions(features: ReadonlySet<string>, list: string): ReadonlySet<string> {
  let result = new Set(features);
  for (const item of list.split(',')) {
    const off = item.startsWith('-');
    const name = item.replace(/^[+-]/, '').trim();
    if (name === 'all') result = off ? new Set() : new Set(ALL);
    else if (name !== '') {
      for (const each of [name, ...TWINS.filter((pair) => pair.includes(name)).flat()]) {
        if (off) result.delete(each);
        else result.add(each);
      }
    }
  }
  return result;
}

/** Splits at white space; quotes and backslashes before quotes, spaces and backslashes work as in a shell. */
function splitWords(text: string, problems: OptionProblem[]): string[] {
  const words: string[] = [];
  let word = '';
  let inWord = false;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (quote === '' && /\s/.test(character)) {
      if (inWord) words.push(word);
      word = '';
      inWord = false;
    } else if (character === '\\' && quote !== "'" && /["'\\\s]/.test(text[i + 1] ?? '')) {
      word += text[++i];
      inWord = true;
    } else if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      inWord = true;
    } else if (character === quote) {
      quote = '';
    } else if (character !== '\0') {
      word += character;
      inWord = true;
    }
  }
  if (quote !== '') problems.push({ code: 'option-unterminated-quote', args: {} });
  if (inWord) words.push(word);
  return words;
}
