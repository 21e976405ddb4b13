// SPDX-License-Identifier: MIT
//
// The compiler's driver: options, then preprocess -> parse -> check -> lower -> optimize. One call, one translation unit.
import { finish, type Steps } from '../base/steps';
import type { Builder } from '../spirv/builder';
import type { Module } from '../spirv/module';
import { optimizeSteps } from '../spirv/optimize';
import type { CompileInput, CompileResult } from './compiled';
import type { Diagnostic } from './diagnostics/diagnostic';
import { render } from './diagnostics/render';
import { Reporter } from './diagnostics/reporter';
import { SourceMap } from './diagnostics/source-map';
import type { Unit } from './frontend/ast/checked';
import { resolve as resolveBuiltin } from './frontend/builtins';
import { checkSteps } from './frontend/check/check-unit';
import type { LanguageOptions } from './frontend/language';
import type { Token } from './frontend/lex/token';
import type { NameObserver } from './frontend/name-observer';
import { type ParsedUnit, parseUnit } from './frontend/parse/parse-unit';
import { decodeSource } from './frontend/preprocess/includes';
import { preprocess } from './frontend/preprocess/preprocessor';
import { printTokens } from './frontend/preprocess/print';
import { lowerUnit, VersionError } from './lower/unit';
import { UnsupportedError } from './lower/unsupported';
import { type CompilerOptions, parseOptions } from './options';

export interface PreprocessResult {
  /** Undefined if there was an error. */
  readonly text: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly log: string;
}

/** Compiles a translation unit to a SPIR-V module. Never throws because of the source or the options. */
export const compile = (input: CompileInput): CompileResult => finish(compileSteps(input));

/** `compile` in steps: the stages, and in them the declarations and functions. */
export function* compileSteps(input: CompileInput): Steps<CompileResult> {
  const run = new Compilation(input);
  const module = yield* run.guarded(function* () {
    const unit = yield* run.checked();
    yield;
    const builder = unit && (yield* run.lower(unit));
    yield;
    return builder && (yield* run.optimize(builder));
  });
  const { diagnostics } = run.reporter;
  const result = { module, diagnostics, log: render(diagnostics) };
  return run.badOptions ? { ...result, badOptions: true } : result;
}

/** Only preprocesses: the text has `#line` markers and is valid source. */
export function preprocessOnly(input: CompileInput): PreprocessResult {
  const run = new Compilation(input);
  const tokens = run.preprocess();
  const { reporter } = run;
  const text = tokens && reporter.errors === 0 ? printTokens(tokens, reporter.sources) : undefined;
  return { text, diagnostics: reporter.diagnostics, log: render(reporter.diagnostics) };
}

export interface AstResult {
  /** Undefined if there was an error. */
  readonly unit: Unit | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly log: string;
}

/** Compiles up to the checked AST, for inspection. */
export function compileToAst(input: CompileInput): AstResult {
  const run = new Compilation(input);
  const unit = finish(run.guarded(() => run.checked()));
  const { diagnostics } = run.reporter;
  return { unit, diagnostics, log: render(diagnostics) };
}

export interface AnalyzeResult {
  readonly diagnostics: readonly Diagnostic[];
  /** What the observer's locations mean. */
  readonly sources: SourceMap;
  readonly language: LanguageOptions;
}

/** Compiles up to the checked AST and tells `observer` each name, also of a source with errors. */
export function analyze(input: CompileInput, observer: NameObserver): AnalyzeResult {
  const run = new Compilation(input, observer);
  finish(run.guarded(() => run.checked()));
  const { diagnostics, sources } = run.reporter;
  return { diagnostics, sources, language: run.language };
}

/** The stages over one input. Each returns undefined if the compilation ends there; the reporter has the reason. */
class Compilation {
  readonly reporter: Reporter;
  readonly badOptions: boolean;
  private readonly options: CompilerOptions;

  constructor(
    private readonly input: CompileInput,
    private readonly observer?: NameObserver,
  ) {
    const { options, problems } = parseOptions(input.options, input.target, input.extensions);
    this.options = options;
    this.reporter = new Reporter(new SourceMap(), options.warnings);
    for (const { code, args } of problems) this.reporter.report(code, 0, args as never);
    this.badOptions = this.reporter.errors > 0;
  }

  get language(): LanguageOptions {
    return this.options.language;
  }

  /**
   * Every kind of nesting has a limit, within which it fits the stack. All kinds together may exceed the stack, or the caller may
   * have left too little of it. That is reported and does not throw.
   */
  *guarded<T>(stages: () => Steps<T>): Steps<T | undefined> {
    try {
      return yield* stages();
    } catch (error) {
      if (!(error instanceof RangeError && /call stack/.test(error.message))) throw error;
      this.reporter.report('stack-exhausted', 0, {});
      return undefined;
    }
  }

  /** The stages up to the checked AST. */
  *checked(): Steps<Unit | undefined> {
    const tokens = this.preprocess();
    yield;
    const parsed = tokens && this.parse(tokens);
    return parsed && (yield* this.check(parsed));
  }

  preprocess(): readonly Token[] | undefined {
    const { input, options, reporter } = this;
    if (this.badOptions) return undefined;
    const source = {
      name: input.name,
      text: typeof input.text === 'string' ? input.text : decodeSource(input.text),
      headers: input.headers,
      readFile: input.readFile,
      includeDirectories: options.includeDirectories,
      commandLine: options.commandLine,
    };
    return preprocess(source, options.language, reporter, this.observer);
  }

  /** Declarations are parsed when the checker requests them. */
  parse(tokens: readonly Token[]): ParsedUnit | undefined {
    if (this.reporter.stopped) return undefined;
    return parseUnit(tokens, this.options.language, this.reporter);
  }

  check(parsed: ParsedUnit): Steps<Unit | undefined> {
    return checkSteps(parsed, this.options.language, this.reporter, resolveBuiltin, this.observer);
  }

  *lower(unit: Unit): Steps<Builder | undefined> {
    const { options, reporter } = this;
    const spirvVersion = versionNumber(this.input.spirvVersion);
    try {
      return yield* lowerUnit(
        unit,
        { language: options.language, ...(spirvVersion !== undefined && { spirvVersion }) },
        reporter.sources,
      );
    } catch (error) {
      if (error instanceof VersionError) {
        const needed = `${error.needed >> 16}.${(error.needed >> 8) & 255}`;
        reporter.report('spirv-version', 0, {
          needed,
          feature: error.feature,
          given: this.input.spirvVersion!,
        });
      } else if (error instanceof UnsupportedError) {
        reporter.report('unsupported', error.location, { what: error.what });
      } else throw error;
      return undefined;
    }
  }

  *optimize(builder: Builder): Steps<Module> {
    yield* optimizeSteps(builder, { cleanOnly: this.options.language.optDisable });
    return builder.module;
  }
}

/** `1.4` in the form of SPIR-V's header. */
function versionNumber(version: CompileInput['spirvVersion']): number | undefined {
  if (version === undefined) return undefined;
  const [major, minor] = version.split('.').map(Number);
  return (major! << 16) | (minor! << 8);
}
