// SPDX-License-Identifier: MIT
//
// The build options of clBuildProgram, clCompileProgram and clLinkProgram, one string, and `--cl-ext`.
import { closest, editDistance } from '../base/suggestions';
import { warningFlags } from './diagnostics/messages';
import type { WarningOptions } from './diagnostics/reporter';
import { groupNames } from './diagnostics/warning-groups';
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

/** What is wrong with an option: a row of the message table and its values. */
type OptionProblem =
  | {
      readonly code: 'unknown-warning-option';
      readonly args: { readonly option: string; readonly suggestion: string };
    }
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
  | {
      readonly code: 'option-unterminated-quote' | 'option-nul';
      readonly args: Readonly<Record<never, never>>;
    };

interface ParsedOptions {
  readonly options: CompilerOptions;
  /** Each that is an error makes the options invalid (CL_INVALID_BUILD_OPTIONS). */
  readonly problems: readonly OptionProblem[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** Options while they are read. */
interface OpenOptions extends Mutable<Omit<CompilerOptions, 'language' | 'warnings' | 'includeDirectories'>> {
  readonly language: Mutable<LanguageOptions>;
  readonly warnings: OpenWarnings;
  readonly includeDirectories: string[];
}
interface OpenWarnings extends Mutable<Omit<WarningOptions, 'flags' | 'errorFlags'>> {
  readonly flags: Map<string, boolean>;
  readonly errorFlags: Map<string, boolean>;
}
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
  const reader = new OptionReader(target);
  if (extensions !== undefined) addExtensions(reader, extensions);
  reader.words = splitWords(text, reader.problems);
  for (let word = reader.next(); word !== undefined; word = reader.next()) readOption(reader, word);
  return { options: reader.options, problems: reader.problems };
}

/** The words that are still to be read, and the options so far. */
class OptionReader {
  readonly problems: OptionProblem[] = [];
  readonly options: OpenOptions;
  words: readonly string[] = [];
  private at = 0;

  constructor(target: 'spir' | 'spir64') {
    this.options = {
      language: { ...DEFAULT_LANGUAGE, addressBits: target === 'spir' ? 32 : 64 },
      warnings: { none: false, asErrors: false, all: false, flags: new Map(), errorFlags: new Map() },
      commandLine: '',
      includeDirectories: [],
      createLibrary: false,
      enableLinkOptions: false,
      binaryInput: false,
    };
  }

  next(): string | undefined {
    return this.words[this.at++];
  }

  /** The value of an option: the rest of its word, or the next word. A missing one is a problem. */
  value(word: string, option: string): string | undefined {
    if (word.length > option.length) return word.slice(option.length);
    const next = this.next();
    if (next === undefined) this.problems.push({ code: 'option-value-missing', args: { option } });
    return next;
  }
}

const DEFAULT_LANGUAGE: LanguageOptions = {
  version: 120,
  addressBits: 64,
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

type ReadOption = (reader: OptionReader, word: string) => void;

function readOption(reader: OptionReader, word: string): void {
  const flags = Object.hasOwn(FLAGS, word) ? FLAGS[word] : undefined;
  if (flags) {
    for (const flag of flags) reader.options.language[flag] = true;
    return;
  }
  const read = Object.hasOwn(WORDS, word)
    ? WORDS[word]
    : PREFIXES.find(([prefix]) => word.startsWith(prefix))?.[1];
  if (read) read(reader, word);
  else if (!IGNORED.test(word)) reader.problems.push(unknownOption(word));
}

/** Options that are one word, and what they do. */
const WORDS: Readonly<Record<string, ReadOption>> = {
  '-create-library': ({ options }) => {
    options.createLibrary = true;
  },
  '-enable-link-options': ({ options }) => {
    options.enableLinkOptions = true;
  },
  '-w': ({ options }) => {
    options.warnings.none = true;
  },
  '-pedantic': ({ options }) => {
    options.warnings.flags.set('pedantic', true);
  },
  '-x': readInputLanguage,
};

/** Options that begin so and have a value. */
const PREFIXES: readonly (readonly [prefix: string, read: ReadOption])[] = [
  ['-D', (reader, word) => readMacro(reader, word, '-D', definition)],
  ['-U', (reader, word) => readMacro(reader, word, '-U', undefinition)],
  ['-I', readIncludeDirectory],
  ['-cl-std=', readVersion],
  ['-cl-ext=', (reader, word) => addExtensions(reader, word.slice('-cl-ext='.length))],
  ['-W', readWarningOption],
];

function readMacro(
  reader: OptionReader,
  word: string,
  option: '-D' | '-U',
  lineOf: (macro: string) => string | undefined,
): void {
  const macro = reader.value(word, option);
  if (macro === undefined) return;
  const line = lineOf(macro);
  if (line === undefined)
    reader.problems.push({ code: 'option-macro-name', args: { option: option + macro } });
  else reader.options.commandLine += line;
}

function readIncludeDirectory(reader: OptionReader, word: string): void {
  const folder = reader.value(word, '-I');
  if (folder !== undefined) reader.options.includeDirectories.push(folder);
}

function readVersion({ options, problems }: OptionReader, word: string): void {
  const name = word.slice('-cl-std='.length);
  const version = VERSIONS[name.toUpperCase()];
  if (version !== undefined) options.language.version = version;
  else {
    const choices = Object.keys(VERSIONS).join(', ');
    problems.push({ code: 'option-value-choices', args: { option: word, value: name, choices } });
  }
}

function readInputLanguage(reader: OptionReader, word: string): void {
  const language = reader.value(word, '-x');
  if (language === 'spir') reader.options.binaryInput = true;
  else if (language !== undefined && language !== 'cl')
    reader.problems.push({ code: 'option-value-invalid', args: { option: '-x', value: language } });
}

function addExtensions({ options: { language } }: OptionReader, list: string): void {
  language.features = withExtensions(language.features, list);
}

function unknownOption(option: string): OptionProblem {
  const suggestion = closest(option, Object.keys(FLAGS));
  return suggestion === undefined
    ? { code: 'unknown-option', args: { option } }
    : { code: 'unknown-option-suggest', args: { option, suggestion } };
}

/** Optimization levels and hints to one vendor's compiler: accepted, without effect. */
const IGNORED = /^-(?:O[123s]|O|spir-std=[\d.]+|cl-nv-.*|cl-intel-.*|fno-.*|s)$/;

function readWarningOption({ options, problems }: OptionReader, word: string): void {
  readWarning(word.slice('-W'.length), options.warnings);
  const [, prefix = '', name = ''] = /^(-W(?:(?:no-)?error=|no-)?)(.*)$/.exec(word) ?? [];
  const meant = misspelt(name);
  if (meant !== undefined)
    problems.push({
      code: 'unknown-warning-option',
      args: { option: word, suggestion: prefix + meant },
    });
}

/** Names without a warning of their own here. */
const GENERAL = ['error', 'extra', 'everything', 'pedantic', 'system-headers', 'spirv-compat'];

/**
 * The `-W` name that was probably meant, one edit away. Others are taken for those of clang, which has many hundreds
 * more than this compiler.
 */
function misspelt(name: string): string | undefined {
  if (GENERAL.includes(name)) return undefined;
  const known = new Set([...GENERAL, ...groupNames(), ...warningFlags()]);
  if (known.has(name)) return undefined;
  const meant = closest(name, known);
  return meant !== undefined && editDistance(name, meant, 2) === 1 ? meant : undefined;
}

function readWarning(name: string, warnings: OpenWarnings): void {
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
    const isOff = item.startsWith('-');
    const name = item.replace(/^[+-]/, '').trim();
    if (name === 'all') result = isOff ? new Set() : new Set(ALL);
    else for (const each of withTwin(name)) isOff ? result.delete(each) : result.add(each);
  }
  return result;
}

/** A name and its twin; none for the empty text. */
const withTwin = (name: string): readonly string[] =>
  name === '' ? [] : [name, ...TWINS.filter((pair) => pair.includes(name)).flat()];

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
    } else {
      word += character;
      inWord = true;
    }
  }
  if (text.includes('\0')) problems.push({ code: 'option-nul', args: {} });
  if (quote !== '') problems.push({ code: 'option-unterminated-quote', args: {} });
  if (inWord) words.push(word);
  return words;
}
