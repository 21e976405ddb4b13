// SPDX-License-Identifier: MIT
//
// Calls: of the program's functions, of built-ins, and of blocks.
import { type Note, note } from '../../diagnostics/reporter';
import type { Expr } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import type { ArgumentType, Resolution } from '../builtins/builtin';
import { type Conversion, compareConversions, convert } from '../builtins/convert';
import { allBuiltinNames } from '../builtins/index';
import { type BlockType, type FunctionType, scalarOf } from '../types';
import { stripParentheses } from './access';
import { type Argument, CompilerFunctionChecker, NOT_OURS } from './compiler-functions';
import { spell } from './spelling';
import { closest } from './suggestions';
import type { FunctionSymbol, Overload } from './symbols';
import { asScalar, isComplete, promoted } from './type-rules';

/** As clang shows by default. */
const CANDIDATE_LIMIT = 4;

export abstract class CallChecker extends CompilerFunctionChecker {
  protected call(expr: Syntax.CallExpr): Expr | undefined {
    const callee = stripParentheses(expr.callee);
    const args = this.arguments(expr.arguments);
    if (callee.kind === 'name') {
      const symbol = this.symbols.values.get(callee.name);
      if (symbol === undefined) {
        if (args === undefined) return undefined;
        const own = this.compilerFunction(callee, args, expr);
        return own === NOT_OURS ? this.builtin(callee, args, expr) : own;
      }
      if (symbol.kind === 'function') {
        if (callee !== expr.callee) {
          this.reporter.report('function-address', callee.location, { name: callee.name });
          return undefined;
        }
        return args && this.userCall(symbol, args, callee, expr);
      }
      if (symbol.kind === 'broken') return undefined;
    }
    const raw = this.expression(callee);
    if (raw === undefined || args === undefined) return undefined;
    const block = this.value(raw);
    if (block.type.kind !== 'block') {
      this.reporter.report(
        'not-callable',
        expr.location,
        { type: spell(block.type) },
        this.underline(callee),
      );
      return undefined;
    }
    return this.blockCall(block, block.type, args, expr);
  }

  private arguments(list: readonly Syntax.Expr[]): Argument[] | undefined {
    const args: Argument[] = [];
    let broken = false;
    for (const syntax of list) {
      const raw = this.expression(syntax);
      if (raw === undefined) broken = true;
      else args.push({ value: this.value(raw), syntax });
    }
    return broken ? undefined : args;
  }

  private blockCall(
    block: Expr,
    type: BlockType,
    args: readonly Argument[],
    expr: Syntax.CallExpr,
  ): Expr | undefined {
    const converted = this.passAll(type.signature, args, expr, 'block', undefined);
    return (
      converted && {
        kind: 'block-call',
        block,
        arguments: converted,
        type: type.signature.result,
        location: expr.location,
      }
    );
  }

  // ---- the program's functions

  private userCall(
    symbol: FunctionSymbol,
    args: readonly Argument[],
    callee: Syntax.NameExpr,
    expr: Syntax.CallExpr,
  ): Expr | undefined {
    const [only] = symbol.overloads;
    let chosen: Overload | undefined = only;
    if (symbol.overloads.length > 1 || only?.overloadable) {
      chosen = this.chooseOverload(symbol, args, callee);
      if (chosen === undefined) return undefined;
    }
    if (chosen === undefined) return undefined;
    const { entity } = chosen;
    const notes = [note('declared-here', entity.location, { name: callee.name })];
    const given = entity.isOldStyle ? this.oldStyleArguments(entity.type, args, callee, expr) : args;
    const converted = this.passAll(entity.type, given, expr, 'function', notes);
    if (converted === undefined) return undefined;
    if (entity.isKernel && this.current?.entity === entity) {
      this.reporter.report('recursion', callee.location, { name: callee.name });
    }
    this.current?.callees.add(entity);
    const { result } = entity.type;
    if (result.kind !== 'void' && !isComplete(result)) {
      const message = { name: callee.name, type: spell(result) };
      this.reporter.report('call-incomplete-result', callee.location, message, { notes });
      return undefined;
    }
    const { deprecated, noReturn } = entity.attributes;
    if (deprecated !== undefined) {
      const args = { name: callee.name, message: deprecated };
      this.reporter.report('deprecated', callee.location, args, { notes });
    }
    const call: Expr = {
      kind: 'call',
      callee: entity,
      arguments: converted,
      type: entity.type.result,
      location: callee.location,
    };
    if (noReturn) this.endless.add(call);
    return call;
  }

  /** Without a prototype what is missing is anything, here 0, and what is too much is dropped. */
  private oldStyleArguments(
    { parameters }: FunctionType,
    args: readonly Argument[],
    { name }: Syntax.NameExpr,
    expr: Syntax.CallExpr,
  ): readonly Argument[] {
    const { location } = expr;
    const missing = parameters.slice(args.length);
    if (args.length > parameters.length) {
      const at = args[parameters.length]!.syntax.begin;
      this.reporter.report('old-style-arguments', at, { what: 'many', name });
    } else if (missing.length > 0) {
      this.reporter.report('old-style-arguments', expr.end - 1, { what: 'few', name });
    }
    // Only arithmetic types and pointers have a 0 to pass.
    if (missing.some(({ type }) => asScalar(type) === undefined && type.kind !== 'pointer')) return args;
    const zeros = missing.map(() => ({ value: this.zero(location), syntax: expr }));
    return [...args.slice(0, parameters.length), ...zeros];
  }

  private chooseOverload(
    symbol: FunctionSymbol,
    args: readonly Argument[],
    callee: Syntax.NameExpr,
  ): Overload | undefined {
    const types = args.map((each) => this.argumentType(each.value));
    const viable: { overload: Overload; conversions: Conversion[] }[] = [];
    for (const overload of symbol.overloads) {
      const { parameters } = overload.entity.type;
      if (parameters.length !== args.length) continue;
      const conversions: Conversion[] = [];
      for (let i = 0; i < parameters.length; i++) {
        const conversion = convert(types[i]!, parameters[i]!.type);
        if (conversion === undefined) break;
        conversions.push(conversion);
      }
      if (conversions.length === parameters.length) viable.push({ overload, conversions });
    }
    const best = viable.filter((a) => viable.every((b) => a === b || isBetter(a.conversions, b.conversions)));
    if (best.length === 1) return best[0]!.overload;
    const shown = viable.length > 0 ? viable.map((each) => each.overload) : symbol.overloads;
    const notes = shown
      .slice(0, CANDIDATE_LIMIT)
      .map(({ entity }) => note('candidate-function', entity.location, { reason: '' }));
    const code = viable.length > 0 ? 'ambiguous-call' : 'no-matching-function';
    this.reporter.report(code, callee.location, { name: callee.name }, { ...this.underline(callee), notes });
    return undefined;
  }

  /** Converts the arguments to the parameters' types. */
  private passAll(
    type: FunctionType,
    args: readonly Argument[],
    expr: Syntax.CallExpr,
    what: 'function' | 'block',
    notes: readonly Note[] | undefined,
  ): Expr[] | undefined {
    const { parameters } = type;
    if (args.length !== parameters.length && !(type.variadic && args.length > parameters.length)) {
      const few = args.length < parameters.length;
      const at = few ? expr.end - 1 : args[parameters.length]!.syntax.begin;
      const counts = { what, expected: parameters.length, have: args.length };
      this.reporter.report(few ? 'too-few-arguments' : 'too-many-arguments', at, counts, {
        ...this.underline(expr.callee),
        ...(notes && { notes }),
      });
      return undefined;
    }
    const converted: Expr[] = [];
    let broken = false;
    for (let i = 0; i < args.length; i++) {
      const { value, syntax } = args[i]!;
      const parameter = parameters[i];
      const passed =
        parameter === undefined
          ? this.promoteVariadic(value)
          : this.assignable(value, parameter.type, PASS, syntax);
      if (passed === undefined) broken = true;
      else converted.push(passed);
    }
    return broken ? undefined : converted;
  }

  private promoteVariadic(value: Expr): Expr {
    const scalar = asScalar(value.type);
    if (scalar === undefined) return value;
    if (scalar.scalar === 'float' || scalar.scalar === 'half') {
      return this.hasDouble()
        ? this.castScalar(value, scalarOf('double'))
        : this.castScalar(value, scalarOf('float'));
    }
    const kind = promoted(scalar.scalar);
    return this.castScalar(value, scalarOf(kind));
  }

  // ---- built-ins

  private argumentType(value: Expr): ArgumentType {
    const isIntegerConstant = value.kind === 'integer' && value.type.kind !== 'pointer';
    return { type: value.type, isNull: this.isNull(value), isIntegerConstant };
  }

  private resolveBuiltin(name: string, args: readonly Argument[]): Resolution {
    return this.resolve(
      name,
      args.map((each) => this.argumentType(each.value)),
      this.language,
    );
  }

  protected builtin(
    callee: Syntax.NameExpr,
    args: readonly Argument[],
    expr: Syntax.CallExpr,
  ): Expr | undefined {
    const resolution = this.resolveBuiltin(callee.name, args);
    if (resolution.ok) return this.builtinCall(resolution, args, callee, expr);
    const { name, location } = callee;
    if (resolution.problem === 'unknown') {
      this.unknownFunction(callee, resolution.needs);
      return undefined;
    }
    const { candidates } = resolution;
    const notes = candidates
      .slice(0, CANDIDATE_LIMIT)
      .map(({ prototype, reason }) =>
        reason === ''
          ? note('candidate-viable', 0, { prototype })
          : note('candidate-builtin', 0, { prototype, reason }),
      );
    if (candidates.length > CANDIDATE_LIMIT) {
      notes.push(note('candidates-omitted', 0, { count: candidates.length - CANDIDATE_LIMIT }));
    }
    const code = resolution.problem === 'ambiguous' ? 'ambiguous-call' : 'no-matching-function';
    const { argument } = resolution;
    const wrong = argument === undefined ? undefined : args[argument]?.syntax;
    this.reporter.report(
      code,
      wrong?.begin ?? location,
      { name },
      { ...this.underline(wrong ?? callee), notes },
    );
    return undefined;
  }

  private unknownFunction(callee: Syntax.NameExpr, needs: string | undefined): void {
    const { name, location } = callee;
    if (needs !== undefined) {
      const notes = [note('function-needs', 0, { name, needs })];
      this.reporter.report('implicit-function', location, { name }, { notes });
      return;
    }
    const suggestion = closest(name, this.symbols.values.names()) ?? closest(name, allBuiltinNames());
    if (suggestion === undefined) this.reporter.report('implicit-function', location, { name });
    else {
      const notes = [note('did-you-mean', location, { suggestion })];
      this.reporter.report('implicit-function', location, { name }, { notes });
    }
  }

  private builtinCall(
    resolution: Resolution & { ok: true },
    args: readonly Argument[],
    callee: Syntax.NameExpr,
    expr: Syntax.CallExpr,
  ): Expr | undefined {
    const { builtin } = resolution;
    const converted: Expr[] = [];
    for (let i = 0; i < args.length; i++) {
      const { value, syntax } = args[i]!;
      const parameter = builtin.parameters[i];
      const passed =
        parameter === undefined
          ? this.promoteVariadic(value)
          : this.assignable(value, parameter, PASS, syntax);
      if (passed === undefined) return undefined;
      converted.push(passed);
    }
    if (builtin.name === 'printf')
      this.checkPrintf(
        args.map((each) => each.value),
        expr,
      );
    return {
      kind: 'builtin-call',
      builtin,
      arguments: converted,
      contract: this.contract,
      type: builtin.result,
      location: callee.location,
    };
  }

  protected abstract checkPrintf(args: readonly Expr[], expr: Syntax.CallExpr): void;
}

const PASS = { what: 'pass', parameter: '' } as const;

function isBetter(a: readonly Conversion[], b: readonly Conversion[]): boolean {
  let better = false;
  for (let i = 0; i < a.length; i++) {
    const order = compareConversions(a[i]!, b[i]!);
    if (order > 0) return false;
    if (order < 0) better = true;
  }
  return better;
}
