// SPDX-License-Identifier: MIT
//
// Variables and typedefs: where they may lie, how they are initialized, and declaring them again (6.5, 6.8, 6.9).
import type { Location } from '../../diagnostics/diagnostic';
import { note } from '../../diagnostics/reporter';
import type { Expr, VariableDecl } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { predefinedType } from '../predefined-types';
import { type AddressSpace, type QualType, sameType, type Type } from '../types';
import { AttributeChecker } from './attributes';
import { spell } from './spelling';
import type { FunctionState } from './symbols';
import { contains, isComplete, type TypeUse } from './type-rules';
import { warnUnsequenced } from './warnings/sequencing';

/** A variable until its declaration is complete. */
export interface VariableEntity extends VariableDecl {
  type: QualType;
  storage: VariableDecl['storage'];
  init: Expr | undefined;
}

export abstract class DeclarationChecker extends AttributeChecker {
  protected abstract prototype(
    specifiers: Syntax.Specifiers,
    declarator: Syntax.InitDeclarator,
    base: TypeUse,
  ): void;

  /** Their initializers are wrong. */
  private readonly uninitialized = new WeakSet<VariableDecl>();

  /** The variables that live on the stack; all others go to the unit's. */
  protected localDeclaration(declaration: Syntax.Declaration): VariableDecl[] {
    return this.declaration(declaration).filter((variable) => variable.storage === 'local-scope');
  }

  protected declaration(declaration: Syntax.Declaration): VariableDecl[] {
    const { specifiers, declarators } = declaration;
    if (specifiers.type.kind === 'auto') return this.autoDeclaration(declaration);
    const base = this.baseType(specifiers);
    if (base === undefined) {
      for (const { declarator } of declarators) this.broken(declarator.name);
      return [];
    }
    if (declarators.length === 0) {
      const { kind } = specifiers.type;
      const declares =
        (kind === 'record' || kind === 'enum') &&
        !(base.type.kind === 'record' && base.type.name === undefined);
      if (specifiers.inline) this.reporter.report('inline-not-function', specifiers.location);
      else if (specifiers.noreturn) this.reporter.report('noreturn-not-function', specifiers.location);
      else if (specifiers.storage === 'typedef')
        this.reporter.report('typedef-nameless', declaration.location);
      else if (!declares) this.reporter.report('declares-nothing', declaration.location);
      else this.ignoredSpecifiers(specifiers);
      return [];
    }
    const variables: VariableDecl[] = [];
    for (const each of declarators) {
      const variable = this.declarator(specifiers, each, base);
      if (variable !== undefined) variables.push(variable);
    }
    return variables;
  }

  /** Qualifiers of a declaration that declares a tag alone. */
  private ignoredSpecifiers({ storage, storageLocation, qualifiers, location }: Syntax.Specifiers): void {
    if (storage !== undefined)
      this.reporter.report('specifier-ignored', storageLocation, { specifier: storage });
    for (const specifier of ['const', 'volatile', 'restrict'] as const)
      if (qualifiers[specifier]) this.reporter.report('specifier-ignored', location, { specifier });
  }

  protected broken(name: string | undefined): void {
    if (name !== undefined && this.symbols.values.here(name) === undefined) {
      this.symbols.values.set(name, { kind: 'broken' });
    }
  }

  private declarator(
    specifiers: Syntax.Specifiers,
    init: Syntax.InitDeclarator,
    base: TypeUse,
  ): VariableDecl | undefined {
    const { declarator } = init;
    const name = declarator.name!;
    const declared = this.declared(base, declarator);
    if (declared === undefined) {
      this.broken(name);
      return undefined;
    }
    if (specifiers.storage === 'typedef') {
      if (specifiers.inline) this.reporter.report('inline-not-function', specifiers.location);
      if (specifiers.kernel) this.reporter.report('kernel-not-function', specifiers.location);
      if (declarator.parts.length === 0 && this.deviceSizedNames.has(specifiers.spelling)) {
        this.deviceSizedNames.add(name);
      }
      this.typedefName(name, declared.use, init);
      return undefined;
    }
    if (declared.use.type.kind === 'function') {
      this.prototype(specifiers, init, base);
      return undefined;
    }
    return this.variable(specifiers, init, this.vectorOfAttributes(init, declared.use));
  }

  private vectorOfAttributes(init: Syntax.InitDeclarator, use: TypeUse): TypeUse {
    return init.attributes.length === 0 ? use : this.vectorAttribute(init.attributes, use);
  }

  private typedefName(name: string, declared: TypeUse, init: Syntax.InitDeclarator): void {
    const { location } = init.declarator;
    const use = this.vectorOfAttributes(init, declared);
    const predefined = this.symbols.depth === 0 ? predefinedType(name, this.language) : undefined;
    if (predefined !== undefined && !sameType(predefined, use.type)) {
      const types = { name, type: spell(use.type), before: spell(predefined) };
      this.reporter.report('typedef-redefinition', location, types);
      return;
    }
    if (init.init !== undefined) this.reporter.report('typedef-initializer', location);
    const before = this.symbols.values.here(name);
    if (before !== undefined) {
      if (before.kind === 'broken') return;
      if (before.kind !== 'typedef') this.reporter.report('redefinition-kind', location, { name });
      else if (!this.sameUse(before.use, use)) {
        const types = { name, type: spell(use.type), before: spell(before.use.type) };
        const notes = [note('previous-definition', before.location)];
        this.reporter.report('typedef-redefinition', location, types, { notes });
      } else {
        this.reporter.report('typedef-again', location, { name });
      }
      return;
    }
    if (init.attributes.length > 0) this.alignAttribute(init.attributes);
    this.attributeSubjects(init.attributes, 'typedef');
    this.symbols.values.set(name, { kind: 'typedef', use, location });
  }

  private autoDeclaration(declaration: Syntax.Declaration): VariableDecl[] {
    const variables: VariableDecl[] = [];
    for (const each of declaration.declarators) {
      const raw = each.init && each.init.kind !== 'init-list' ? this.expression(each.init) : undefined;
      if (raw === undefined) {
        if (each.init === undefined)
          this.reporter.report('auto-type-without-initializer', each.declarator.location);
        this.broken(each.declarator.name);
        continue;
      }
      const { type } = this.value(raw);
      const { qualifiers } = declaration.specifiers;
      const use: TypeUse = {
        type,
        const: qualifiers.const,
        volatile: qualifiers.volatile,
        restrict: false,
        space: qualifiers.space,
      };
      const variable = this.variable(declaration.specifiers, each, use);
      if (variable !== undefined) variables.push(variable);
    }
    return variables;
  }

  // ---- variables

  private variable(
    specifiers: Syntax.Specifiers,
    init: Syntax.InitDeclarator,
    use: TypeUse,
  ): VariableDecl | undefined {
    const { declarator } = init;
    const { location } = declarator;
    const name = declarator.name!;
    const placed = this.place(specifiers, use, declarator);
    if (placed === undefined || !this.mayBeVariable(use.type, placed, init)) {
      this.broken(name);
      if (init.init !== undefined && init.init.kind !== 'init-list' && placed !== undefined)
        this.expression(init.init);
      return undefined;
    }
    if (specifiers.kernel) this.reporter.report('kernel-not-function', specifiers.location);
    if (specifiers.inline) this.reporter.report('inline-not-function', specifiers.location);
    if (specifiers.noreturn) this.reporter.report('noreturn-not-function', specifiers.location);
    if (this.isPredefined(name, location) || this.isBuiltinName(name, location)) return undefined;
    const { space, storage } = placed;
    const before = this.symbols.values.here(name);
    const all = [...specifiers.attributes, ...init.attributes];
    const attributes = this.attributes(all, storage === 'local-scope' ? 'local' : 'global');
    if (all.length > 0 && isComplete(use.type)) this.checkAlignas(all, this.alignOfType(use.type), use.type);
    const made: VariableEntity = {
      kind: 'variable',
      name,
      location,
      type: { ...use, space },
      storage,
      external: (storage === 'program' || storage === 'extern') && specifiers.storage !== 'static',
      attributes,
      init: undefined,
      typeName: specifiers.spelling,
    };
    let variable = made;
    if (before !== undefined) {
      const merged = this.redeclared(before, made, init, specifiers);
      if (merged === undefined) return undefined;
      variable = merged;
    } else {
      const owner: FunctionState | undefined = this.current?.state;
      this.symbols.values.set(name, { kind: 'variable', variable, owner });
      if (storage !== 'local-scope') this.variables.push(variable);
    }
    this.initialize(variable, init, specifiers);
    return variable;
  }

  /** At file scope a name may not be one that the language gives to a type; reports it if it is. */
  protected isPredefined(name: string, location: Location): boolean {
    if (this.symbols.depth > 0 || predefinedType(name, this.language) === undefined) return false;
    this.reporter.report('redefinition-kind', location, { name });
    return true;
  }

  /** … nor may a variable be called as a built-in function. */
  private isBuiltinName(name: string, location: Location): boolean {
    if (this.symbols.depth > 0) return false;
    const resolution = this.resolve(name, [], this.language);
    if (!resolution.ok && resolution.problem === 'unknown') return false;
    this.reporter.report('redefinition-kind', location, { name });
    return true;
  }

  /** A second declaration at file scope completes the first. */
  private redeclared(
    before: NonNullable<ReturnType<typeof this.symbols.values.here>>,
    made: VariableEntity,
    init: Syntax.InitDeclarator,
    specifiers: Syntax.Specifiers,
  ): VariableEntity | undefined {
    const { name, location } = made;
    if (before.kind === 'broken') return undefined;
    if (before.kind !== 'variable') {
      const notes = before.kind === 'function' ? [] : [note('previous-definition', before.location)];
      this.reporter.report('redefinition-kind', location, { name }, { notes });
      return undefined;
    }
    const first = before.variable as VariableEntity;
    const notes = [note('previous-definition', first.location)];
    const shared = (storage: VariableDecl['storage']) => storage === 'program' || storage === 'extern';
    if (!shared(made.storage) || !shared(first.storage)) {
      this.reporter.report('redefinition', location, { name }, { notes });
      return undefined;
    }
    const sameArray =
      made.type.type.kind === 'array' &&
      first.type.type.kind === 'array' &&
      sameType(made.type.type.element.type, first.type.type.element.type) &&
      (made.type.type.count === undefined || first.type.type.count === undefined);
    if (!sameArray && (!sameType(made.type.type, first.type.type) || made.type.space !== first.type.space)) {
      const types = { name, type: spell(made.type.type), before: spell(first.type.type) };
      this.reporter.report('redefinition-type', location, types, { notes });
      return undefined;
    }
    if (init.init !== undefined && first.init !== undefined) {
      this.reporter.report('redefinition', location, { name }, { notes });
      return undefined;
    }
    if (sameArray && made.type.type.kind === 'array' && made.type.type.count !== undefined)
      first.type = made.type;
    if (made.storage === 'program') first.storage = 'program';
    if (first.external && !made.external && made.storage === 'program') {
      this.reporter.report('static-after-extern', location, { name }, { notes });
    } else if (!first.external && made.external && specifiers.storage !== 'extern') {
      this.reporter.report('extern-after-static', location, { name }, { notes });
    }
    return first;
  }

  private initialize(
    variable: VariableEntity,
    init: Syntax.InitDeclarator,
    specifiers: Syntax.Specifiers,
  ): void {
    const { location, name } = variable;
    const { space, type } = variable.type;
    if (init.init === undefined) {
      if (space === 'constant' && specifiers.storage !== 'extern') {
        this.reporter.report('constant-uninitialized', location);
      }
      return;
    }
    if (space === 'local') {
      this.reporter.report('local-initializer', location);
      return;
    }
    if (specifiers.storage === 'extern' && this.current !== undefined) {
      this.reporter.report('extern-initializer', location, { name });
      return;
    }
    if (type.kind === 'atomic' && space !== 'global') {
      this.reporter.report('atomic-assign', location, { what: 'initialized' });
      return;
    }
    if (specifiers.storage === 'extern') this.reporter.report('extern-with-initializer', location);
    if (variable.storage === 'extern') variable.storage = 'program';
    warnUnsequenced(this.reporter, init.init);
    const value = this.initializer(init.init, type);
    if (value === undefined) {
      this.uninitialized.add(variable);
      return;
    }
    if (type.kind === 'array' && type.count === undefined) {
      variable.type = { ...variable.type, type: value.type };
    }
    variable.init = value;
    if (variable.storage !== 'local-scope' && !this.isConstant(value)) {
      this.reporter.report('initializer-not-constant', init.init.begin, {}, this.underline(init.init));
    }
  }

  /** Variables whose type was never completed; and arrays whose size no declaration said have one element (C99, 6.9.2). */
  protected completeTentative(): void {
    for (const each of this.variables) {
      const variable = each as VariableEntity;
      const { type } = variable.type;
      if (variable.storage === 'program' && type.kind !== 'array' && !isComplete(type))
        this.reporter.report('never-completed', variable.location, { type: spell(type) });
      if (variable.storage !== 'program' || type.kind !== 'array' || type.count !== undefined) continue;
      if (variable.init !== undefined || this.uninitialized.has(variable)) continue;
      this.reporter.report('tentative-array', variable.location);
      variable.type = { ...variable.type, type: { ...type, count: 1 } };
    }
  }

  /** The address space and storage of a variable; undefined, and reported, if it may not be there. */
  private place(
    specifiers: Syntax.Specifiers,
    use: TypeUse,
    declarator: Syntax.Declarator,
  ): { space: AddressSpace; storage: VariableDecl['storage'] } | undefined {
    const { location } = declarator;
    const { space } = use;
    const { current } = this;
    const { storage } = specifiers;
    if (space === 'generic') {
      this.reporter.report('variable-space', location, { space });
      return undefined;
    }
    if (storage === 'static' && current !== undefined && this.language.version < 200) {
      this.reporter.report('static-in-function', location);
      return undefined;
    }
    const isStatic = storage === 'static' || storage === 'extern';
    if (current === undefined || isStatic) {
      const kind = storage === 'extern' ? 'extern' : current === undefined ? 'program' : 'static';
      if (isSampler(use.type)) {
        if (use.const || space === 'constant' || current !== undefined)
          return { space: 'constant', storage: kind };
        this.reporter.report('sampler-space', location);
        return undefined;
      }
      if (space === 'constant') return { space, storage: kind };
      if (this.hasProgramScopeVariables && (space === undefined || space === 'global')) {
        return { space: 'global', storage: kind };
      }
      const where =
        current === undefined ? 'program scope' : storage === 'static' ? 'static local' : 'extern';
      const spaces = this.hasProgramScopeVariables ? 'global or constant' : 'constant';
      this.reporter.report('program-scope-space', location, { where, spaces });
      return undefined;
    }
    if (space === undefined || space === 'private') return { space: 'private', storage: 'local-scope' };
    if (space === 'global') {
      this.reporter.report('variable-space', location, { space });
      return undefined;
    }
    if (!current.isKernel) {
      this.reporter.report('non-kernel-variable', location, { space });
      return undefined;
    }
    if (this.symbols.depth !== current.depth) {
      this.reporter.report('local-not-outermost', location, { space });
      return undefined;
    }
    return { space, storage: 'static' };
  }

  private mayBeVariable(
    type: Type,
    placed: { readonly storage: VariableDecl['storage']; readonly space: AddressSpace },
    init: Syntax.InitDeclarator,
  ): boolean {
    const { location } = init.declarator;
    if (contains(type, (each) => each.kind === 'image' || each.kind === 'pipe')) {
      this.reporter.report('opaque-variable', location, { type: spell(type) });
      return false;
    }
    if (type.kind === 'opaque' && placed.space === 'local' && /^(?:sampler|event)_t$/.test(type.name)) {
      this.reporter.report('opaque-in-local', location, { type: type.name });
      return false;
    }
    if (!this.hasHalf() && isHalf(type)) {
      this.reporter.report('half-not-allowed', location, { what: 'variable' });
      return false;
    }
    if (type.kind === 'opaque' && NOT_IN_PROGRAM_SCOPE.has(type.name) && this.current === undefined) {
      this.reporter.report('event-variable', location, { type: type.name });
      return false;
    }
    if (type.kind === 'array' && type.count === undefined) {
      // At file scope a later declaration may still say the size.
      if (placed.storage === 'extern' || placed.storage === 'program' || init.init !== undefined) return true;
      this.reporter.report('array-needs-size', location);
      return false;
    }
    // At file scope the type may still be completed.
    const isTentative =
      placed.storage === 'program' &&
      init.init === undefined &&
      (type.kind === 'record' || type.kind === 'enum');
    if (!isComplete(type) && placed.storage !== 'extern' && !isTentative) {
      this.reporter.report('variable-incomplete', location, { type: spell(type) });
      return false;
    }
    if (type.kind === 'block' && init.init === undefined) {
      this.reporter.report('block-needs-initializer', location);
      return false;
    }
    return true;
  }

  protected staticAssert(declaration: Syntax.StaticAssert): void {
    const value = this.constantInteger(declaration.condition);
    if (declaration.message === undefined)
      this.reporter.report('static-assert-without-message', declaration.location);
    if (value !== 0n) return;
    const text = declaration.message ? `: ${new TextDecoder().decode(declaration.message.bytes)}` : '';
    this.reporter.report(
      'static-assert-failed',
      declaration.condition.begin,
      { text },
      this.underline(declaration.condition),
    );
  }
}

/** Handles of what lives as long as a kernel runs. */
const NOT_IN_PROGRAM_SCOPE: ReadonlySet<string> = new Set([
  'event_t',
  'clk_event_t',
  'queue_t',
  'reserve_id_t',
]);

function isHalf(type: Type): boolean {
  if (type.kind === 'array') return isHalf(type.element.type);
  return type.kind === 'scalar' && type.scalar === 'half';
}

const isSampler = (type: Type): boolean => type.kind === 'opaque' && type.name === 'sampler_t';
