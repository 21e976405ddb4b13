// SPDX-License-Identifier: MIT
//
// Function declarations and definitions, and what kernels may look like (6.9, 6.11).
import type { Location } from '../../diagnostics/diagnostic';
import { note } from '../../diagnostics/reporter';
import type { VariableDecl } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { type FunctionType, type QualType, sameType, type Type } from '../types';
import { isOverloadable } from './attributes';
import type { CurrentFunction } from './base';
import { DeclarationChecker } from './declarations';
import { mangle } from './mangling';
import { spell } from './spelling';
import type { FunctionEntity, FunctionState, FunctionSymbol, Overload } from './symbols';
import { contains, isComplete, type TypeUse } from './type-rules';

interface FunctionHead {
  readonly specifiers: Syntax.Specifiers;
  readonly declarator: Syntax.Declarator;
  readonly attributes: readonly Syntax.Attribute[];
  readonly type: FunctionType;
  readonly parameters: readonly Syntax.Parameter[];
  readonly isDefinition: boolean;
}

export abstract class FunctionChecker extends DeclarationChecker {
  /** Who calls whom, to find recursion. */
  private readonly calls = new Map<FunctionEntity, ReadonlySet<FunctionEntity>>();

  protected prototype(specifiers: Syntax.Specifiers, init: Syntax.InitDeclarator, base: TypeUse): void {
    const head = this.head(specifiers, init.declarator, init.attributes, base, false);
    if (specifiers.storage === 'static' && this.symbols.depth > 0) {
      this.reporter.report('static-function-in-block', init.declarator.location);
    }
    const outermost = init.declarator.parts.at(-1);
    const isBroken = outermost?.kind === 'function' && outermost.isBroken === true;
    if (head !== undefined && !isBroken && this.checkNames(head.parameters)) {
      const entity = this.declareFunction(head);
      if (specifiers.kernel && entity) this.checkKernel(head, entity);
    } else if (init.declarator.name !== 'printf') this.broken(init.declarator.name);
    if (init.init !== undefined) this.reporter.report('function-initializer', init.declarator.location);
  }

  protected define(definition: Syntax.FunctionDefinition): void {
    const { specifiers, declarator, attributes, body } = definition;
    const base = this.baseType(specifiers);
    const outermost = declarator.parts.at(-1);
    const isBroken = outermost?.kind === 'function' && outermost.isBroken === true;
    const head = base && this.head(specifiers, declarator, attributes, base, true);
    const entity =
      head && !isBroken && this.checkNames(head.parameters) ? this.declareFunction(head) : undefined;
    if (head === undefined || entity === undefined) {
      this.bodyOfBrokenHead(definition);
      return;
    }
    if (outermost?.kind === 'function' && outermost.names !== undefined) {
      this.reporter.report('function-without-prototype', declarator.location);
      entity.isOldStyle = true;
    }
    const state: FunctionState = { outer: undefined, captures: new Map() };
    this.symbols.push();
    const current: CurrentFunction = {
      state,
      entity,
      result: head.type.result,
      isKernel: entity.isKernel,
      isBlock: false,
      callees: new Set(),
      depth: this.symbols.depth,
    };
    entity.parameters = this.declareParameters(head.parameters, head.type, current);
    for (const { declarator: each } of head.parameters)
      if (each.name === undefined) this.reporter.report('parameter-name-omitted', each.location);
    if (entity.isKernel) this.checkKernel(head, entity);
    if (!isComplete(head.type.result) && head.type.result.kind !== 'void') {
      this.reporter.report('incomplete-result', declarator.location, { type: spell(head.type.result) });
    }
    entity.body = this.body(body, current);
    this.symbols.pop();
    this.calls.set(entity, current.callees);
  }

  /** A function whose declaration is wrong: its body is checked all the same, and calls of it pass in silence. */
  private bodyOfBrokenHead({ declarator, body }: Syntax.FunctionDefinition): void {
    const { name } = declarator;
    if (name !== undefined && this.symbols.values.here(name) === undefined) {
      this.symbols.values.set(name, { kind: 'broken' });
    }
    this.symbols.push();
    const last = declarator.parts.at(-1);
    const lacksParameters = last?.kind === 'function' && last.isBroken === true;
    for (const parameter of (last?.kind === 'function' && last.parameters) || []) {
      const type = this.parameterType(parameter);
      const { name: parameterName, location } = parameter.declarator;
      if (parameterName === undefined) continue;
      if (type === undefined) this.symbols.values.set(parameterName, { kind: 'broken' });
      else {
        const variable = { ...anonymousParameter(type), name: parameterName, location };
        this.symbols.values.set(parameterName, { kind: 'variable', variable, owner: undefined });
      }
    }
    const state: FunctionState = { outer: undefined, captures: new Map() };
    const depth = this.symbols.depth;
    this.body(body, {
      state,
      entity: undefined,
      result: undefined,
      isKernel: true,
      isBlock: true,
      isBroken: true,
      lacksParameters,
      callees: new Set(),
      depth,
    });
    this.symbols.pop();
  }

  /** No two parameters may share a name. */
  private checkNames(parameters: readonly Syntax.Parameter[]): boolean {
    // One name cannot be shared.
    if (parameters.length < 2) return true;
    let right = true;
    const seen = new Map<string, Location>();
    for (const { declarator } of parameters) {
      const { name, location } = declarator;
      if (name === undefined) continue;
      const first = seen.get(name);
      if (first === undefined) seen.set(name, location);
      else {
        const notes = [note('previous-declaration', first)];
        this.reporter.report('redefinition-parameter', location, { name }, { notes });
        right = false;
      }
    }
    return right;
  }

  private head(
    specifiers: Syntax.Specifiers,
    declarator: Syntax.Declarator,
    attributes: readonly Syntax.Attribute[],
    base: TypeUse,
    isDefinition: boolean,
  ): FunctionHead | undefined {
    const declared = this.declared(base, declarator);
    const type = declared?.use.type;
    if (declared === undefined || type?.kind !== 'function') return undefined;
    if (type.variadic) {
      // A program may declare printf, which is there anyway.
      if (declarator.name === 'printf' && !isDefinition) return undefined;
      this.reporter.report('variadic-function', declarator.location);
      return undefined;
    }
    if (type.result.kind === 'scalar' && type.result.scalar === 'half' && !this.hasHalf()) {
      this.reporter.report('half-not-allowed', declarator.location, { what: 'function return value' });
      return undefined;
    }
    if (
      contains(
        type.result,
        (each) =>
          each.kind === 'image' ||
          each.kind === 'pipe' ||
          (each.kind === 'opaque' && each.name === 'sampler_t'),
      )
    ) {
      this.reporter.report('opaque-result', declarator.location, { type: spell(type.result) });
      return undefined;
    }
    const all = [...specifiers.attributes, ...attributes];
    const parameters = type.parameters.length === 0 ? [] : (declared.parameters ?? []);
    return {
      specifiers,
      declarator,
      attributes: all,
      type,
      parameters,
      isDefinition,
    };
  }

  // ---- declaring

  private declareFunction(head: FunctionHead): FunctionEntity | undefined {
    const name = head.declarator.name!;
    const { location } = head.declarator;
    const before = this.symbols.values.here(name);
    if (name === 'main' && !head.specifiers.kernel) this.reporter.report('function-main', location);
    if (before === undefined && this.isPredefined(name, location)) return undefined;
    if (before === undefined) {
      if (this.conflictsWithBuiltin(head)) return undefined;
      return this.addOverload(this.newSymbol(name), head);
    }
    if (before.kind === 'broken') return undefined;
    if (before.kind !== 'function') {
      this.reporter.report('redefinition-kind', location, { name });
      return undefined;
    }
    const same = before.overloads.find((each) => sameSignature(each.entity.type, head.type));
    if (same !== undefined) {
      if (same.overloadable && !isOverloadable(head.attributes)) {
        const notes = [note('previous-declaration', same.entity.location)];
        this.reporter.report('overloadable-missing', location, { name }, { notes });
        return undefined;
      }
      return this.merge(before, same, head);
    }
    const [first] = before.overloads;
    const bare = before.overloads.find((each) => !each.overloadable);
    if (!isOverloadable(head.attributes) && bare !== undefined && before.overloads.length > 1) {
      const notes = [note('previous-declaration', bare.entity.location)];
      this.reporter.report('overload-lacks-attribute', location, { name }, { notes });
      return undefined;
    }
    if (isOverloadable(head.attributes) || before.overloads.some((each) => each.overloadable)) {
      return this.addOverload(before, head);
    }
    const notes = [note('previous-declaration', first!.entity.location)];
    this.reporter.report('conflicting-types', location, { name }, { notes });
    return undefined;
  }

  /** A built-in function with the same parameters and another result: the two could not be told apart. */
  private conflictsWithBuiltin({ declarator, type }: FunctionHead): boolean {
    const name = declarator.name!;
    const args = type.parameters.map((each) => ({
      type: each.type,
      isNull: false,
      isIntegerConstant: false,
    }));
    const found = this.resolve(name, args, this.language);
    // Those that clang's header does not know yet are left to the program.
    if (!found.ok || found.builtin.lowering.kind !== 'extended') return false;
    const { parameters, result } = found.builtin;
    if (!parameters.every((each, i) => sameType(each, args[i]!.type))) return false;
    if (sameType(result, type.result)) return false;
    this.reporter.report('conflicting-types', declarator.location, { name });
    return true;
  }

  private newSymbol(name: string): FunctionSymbol {
    const symbol: FunctionSymbol = { kind: 'function', name, overloads: [] };
    this.symbols.values.set(name, symbol);
    return symbol;
  }

  private addOverload(symbol: FunctionSymbol, head: FunctionHead): FunctionEntity {
    const { specifiers, declarator, type } = head;
    const overloadable = isOverloadable(head.attributes);
    const isKernel = specifiers.kernel;
    const entity: FunctionEntity = {
      kind: 'function',
      name: overloadable && !isKernel ? mangle(symbol.name, type) : symbol.name,
      location: declarator.location,
      type,
      parameters: [],
      isKernel,
      external: specifiers.storage !== 'static',
      inlineOnly: isInlineOnly(specifiers),
      attributes: {
        ...this.attributes(head.attributes, isKernel ? 'kernel' : 'function'),
        ...(specifiers.noreturn && { noReturn: true }),
      },
      body: undefined,
    };
    if (entity.attributes.mustUse && type.result.kind === 'void') {
      const { location } = head.attributes.find(({ name }) => name === 'warn_unused_result')!;
      this.reporter.report('must-use-void', location);
    }
    entity.parameters = this.parameterDecls(head.parameters, type);
    this.parameterAttributes(head.attributes, type.parameters);
    symbol.overloads.push({ entity, overloadable });
    this.functions.push(entity);
    return entity;
  }

  private merge(symbol: FunctionSymbol, overload: Overload, head: FunctionHead): FunctionEntity | undefined {
    const { entity } = overload;
    const { specifiers, declarator, type } = head;
    const { name } = symbol;
    const notes = [note('previous-declaration', entity.location)];
    if (!sameType(entity.type.result, type.result)) {
      this.reporter.report('conflicting-types', declarator.location, { name }, { notes });
      return undefined;
    }
    if (head.isDefinition && entity.body !== undefined) {
      const definition = [note('previous-definition', entity.location)];
      this.reporter.report('redefinition', declarator.location, { name }, { notes: definition });
      return undefined;
    }
    if (specifiers.storage === 'static' && entity.external && !entity.inlineOnly) {
      this.reporter.report('static-after-extern', declarator.location, { name }, { notes });
    }
    if (specifiers.storage === 'static') entity.external = false;
    if (!isInlineOnly(specifiers) && specifiers.storage !== 'static') entity.inlineOnly = false;
    if (specifiers.kernel) entity.isKernel = true;
    if (head.attributes.length > 0) {
      entity.attributes = {
        ...entity.attributes,
        ...this.attributes(head.attributes, entity.isKernel ? 'kernel' : 'function'),
      };
    }
    if (head.isDefinition) {
      entity.location = declarator.location;
      entity.type = type;
    }
    return entity;
  }

  private parameterDecls(parameters: readonly Syntax.Parameter[], type: FunctionType): VariableDecl[] {
    return type.parameters.map((parameterType, i) => {
      const parameter = parameters[i];
      // A function declared by a typedef has no names for its parameters.
      if (parameter === undefined) return anonymousParameter(parameterType);
      const { specifiers, declarator } = parameter;
      const stars = declarator.parts.filter(
        (part) => part.kind === 'pointer' || part.kind === 'array',
      ).length;
      const variable: VariableDecl = {
        kind: 'variable',
        name: declarator.name ?? '',
        location: declarator.location,
        type: parameterType,
        storage: 'parameter',
        external: false,
        attributes: this.attributes([...specifiers.attributes, ...parameter.attributes], 'parameter'),
        init: undefined,
        typeName: specifiers.spelling + '*'.repeat(stars),
      };
      const array = this.declaredArrays.get(declarator);
      if (array !== undefined) this.arrayParameters.set(variable, array);
      return variable;
    });
  }

  protected declareParameters(
    parameters: readonly Syntax.Parameter[],
    type: FunctionType,
    current: CurrentFunction,
  ): VariableDecl[] {
    const declared = this.parameterDecls(parameters, type);
    for (const variable of declared) {
      const { name, location } = variable;
      if (name === '') continue;
      const before = this.symbols.values.here(name);
      if (before?.kind === 'variable') {
        const notes = [note('previous-declaration', before.variable.location)];
        this.reporter.report('redefinition-parameter', location, { name }, { notes });
        this.symbols.values.set(name, { kind: 'broken' });
        continue;
      }
      if (!isComplete(variable.type.type)) {
        this.reporter.report('variable-incomplete', location, { type: spell(variable.type.type) });
      }
      this.symbols.values.set(name, { kind: 'variable', variable, owner: current.state });
    }
    return declared;
  }

  // ---- kernels

  private checkKernel(head: FunctionHead, entity: FunctionEntity): void {
    const { specifiers, declarator, type } = head;
    if (type.result.kind !== 'void') this.reporter.report('kernel-result', declarator.location);
    if (declarator.name === 'main') this.reporter.report('kernel-main', declarator.location);
    if (specifiers.storage === 'static') this.reporter.report('static-kernel', declarator.location);
    for (let i = 0; i < entity.parameters.length; i++) {
      this.checkKernelParameter(entity.parameters[i]!, head.parameters[i]!);
    }
  }

  private checkKernelParameter(variable: VariableDecl, syntax: Syntax.Parameter): void {
    const { location } = variable;
    const { type } = variable.type;
    const invalid = (what: string) => this.reporter.report('kernel-parameter-type', location, { type: what });
    if (type.kind === 'pointer') {
      const { pointee, space } = type;
      if (space === 'private' || space === 'generic') {
        this.reporter.report('kernel-parameter-space', location);
        return;
      }
      if (pointee.type.kind === 'pointer' && this.language.version < 200) {
        this.reporter.report('kernel-parameter-pointer-pointer', location);
      } else if (
        pointee.type.kind === 'pointer' &&
        (pointee.type.space === 'private' || pointee.type.space === 'generic')
      ) {
        this.reporter.report('kernel-parameter-space', location);
      }
      return;
    }
    if (syntax.declarator.parts.length === 0 && this.deviceSizedNames.has(syntax.specifiers.spelling)) {
      invalid(syntax.specifiers.spelling);
      return;
    }
    if (contains(type, isForbiddenInKernel)) {
      if (type.kind === 'record')
        this.reporter.report('kernel-parameter-record', location, { type: spell(type) });
      else invalid(spell(type));
      return;
    }
    if (type.kind === 'scalar' && type.scalar === 'half' && !this.has('cl_khr_fp16')) invalid('half');
    const notForHost = (each: Type) =>
      each.kind === 'pointer' ||
      (each.kind === 'scalar' && each.scalar === 'half' && !this.hasHalf()) ||
      (each.kind === 'record' && this.deviceSized.has(each));
    if (type.kind === 'record' && contains(type, notForHost)) {
      this.reporter.report('kernel-parameter-record', location, { type: spell(type) });
    }
  }

  // ---- the call graph

  /** Recursion is not allowed (6.9.i): says so at each function that closes a circle. */
  protected checkRecursion(): void {
    const done = new Set<FunctionEntity>();
    const active = new Set<FunctionEntity>();
    const visit = (entity: FunctionEntity): void => {
      if (done.has(entity)) return;
      active.add(entity);
      for (const callee of this.calls.get(entity) ?? []) {
        if (active.has(callee)) this.reporter.report('recursion', callee.location, { name: callee.name });
        else visit(callee);
      }
      active.delete(entity);
      done.add(entity);
    };
    for (const entity of this.calls.keys()) visit(entity);
  }
}

const anonymousParameter = (type: QualType): VariableDecl => ({
  kind: 'variable',
  name: '',
  location: 0,
  type,
  storage: 'parameter',
  external: false,
  attributes: {},
  init: undefined,
  typeName: '',
});

function isForbiddenInKernel(type: Type): boolean {
  if (type.kind === 'scalar') return type.scalar === 'bool';
  if (type.kind === 'block') return true;
  return (
    type.kind === 'opaque' &&
    (type.name === 'event_t' || type.name === 'reserve_id_t' || type.name === 'ndrange_t')
  );
}

const isInlineOnly = (specifiers: Syntax.Specifiers): boolean =>
  specifiers.inline && specifiers.storage === undefined;

function sameSignature(a: FunctionType, b: FunctionType): boolean {
  return (
    a.parameters.length === b.parameters.length &&
    a.parameters.every((parameter, i) => sameType(parameter.type, b.parameters[i]!.type))
  );
}
