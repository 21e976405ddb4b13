// SPDX-License-Identifier: MIT
//
// Links several modules into one (2.8, LinkageAttributes): ids are renumbered, equal types and constants are shared, and imports
// are resolved to the exports of their name.
import { DEVICE_FUNCTIONS } from '../base/checks';
import { requiredInterfaces } from './entry-interface';
import { AddressingModel, LinkageType, MemoryModel, Op } from './grammar.gen';
import { isUsed, type Linkage, linkagesOf, type Part, partOf, resultsOf, selectorWords } from './link-part';
import type { Block, FunctionDefinition, Id, Instruction, Module } from './module';
import { debugSetOf, forEachGlobalId, forEachId } from './operands';

/** Modules that cannot be linked: an error of the caller. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
}

export interface LinkOptions {
  /** The result is a library: imports may stay unresolved. */
  readonly library?: boolean;
}

/** A kernel that another module calls. Entry points must not be called (2.16.1), so calls refer to a copy of its function. */
interface CalledKernel {
  readonly part: Part;
  readonly definition: FunctionDefinition;
  /** The copy's id. */
  readonly id: Id;
}

export function link(modules: readonly Module[], options: LinkOptions = {}): Module {
  if (modules.length === 0) throw new LinkError('there is nothing to link');
  if (modules.length === 1) {
    for (const { id, name, type } of linkagesOf(modules[0]!))
      if (type === LinkageType.Import && !mayStayOpen(name, options) && isUsed(modules[0]!, id))
        throw undefinedSymbol(name);
    return modules[0]!;
  }
  return new Linker(modules, options).link();
}

const mayStayOpen = (name: string, { library }: LinkOptions) =>
  library === true || DEVICE_FUNCTIONS.has(name);
const undefinedSymbol = (name: string) => new LinkError(`'${name}' is used but defined in no module`);

class Linker {
  private readonly parts: Part[];
  private next = 1;
  private readonly out: Module;
  /** Types and constants by their identity. */
  private readonly shared = new Map<string, Id>();
  private readonly definitions = new Map<Id, Instruction>();
  private readonly calledKernels = new Map<string, CalledKernel>();

  constructor(
    modules: readonly Module[],
    private readonly options: LinkOptions,
  ) {
    this.parts = modules.map(partOf);
    const [first] = modules;
    for (const m of modules)
      if (m.addressing !== first!.addressing || m.memoryModel !== first!.memoryModel)
        throw new LinkError(
          `modules of different models cannot be linked: ${AddressingModel[first!.addressing]} ${MemoryModel[first!.memoryModel]} and ${AddressingModel[m.addressing]} ${MemoryModel[m.memoryModel]}`,
        );
    this.out = {
      version: Math.max(...modules.map((m) => m.version)),
      generator: first!.generator,
      bound: 0,
      capabilities: new Set(modules.flatMap((m) => [...m.capabilities])),
      extensions: new Set(modules.flatMap((m) => [...m.extensions])),
      extInstImports: new Map(),
      addressing: first!.addressing,
      memoryModel: first!.memoryModel,
      entryPoints: [],
      executionModes: [],
      debug: [],
      annotations: [],
      globals: [],
      functions: [],
    };
  }

  link(): Module {
    const { out } = this;
    const resolved = this.resolve();
    for (const part of this.parts) {
      for (const [name, id] of part.module.extInstImports) {
        const known = out.extInstImports.get(name);
        if (known) part.rename[id] = known;
        else out.extInstImports.set(name, this.idOf(part, id));
      }
      this.debugStrings(part);
    }
    const bodies: FunctionDefinition[] = [];
    const declarations: FunctionDefinition[] = [];
    for (const part of this.parts) {
      const replaced = resolved.get(part)!;
      for (const i of part.module.globals) if (!replaced.has(i.result)) this.global(part, i);
      for (const f of part.module.functions) {
        if (replaced.has(f.definition.result)) this.checkType(part, f.definition);
        else (f.blocks.length > 0 ? bodies : declarations).push(this.function(part, f));
      }
      for (const i of part.module.globals) if (replaced.has(i.result)) this.checkType(part, i);
    }
    for (const kernel of this.calledKernels.values()) bodies.push(this.copyOfKernel(kernel));
    out.functions = [...declarations, ...bodies];
    for (const part of this.parts) this.tables(part, resolved.get(part)!);
    this.completeInterfaces();
    this.order();
    out.bound = this.next;
    return out;
  }

  /** Numbers the exports and resolves the imports to them. Returns each part's ids that were replaced by others. */
  private resolve(): Map<Part, Set<Id>> {
    const exports = new Map<string, { part: Part; linkage: Linkage; id: Id }>();
    const replaced = new Map<Part, Set<Id>>(this.parts.map((part) => [part, new Set<Id>()]));
    for (const part of this.parts)
      for (const linkage of part.linkages) {
        if (linkage.type === LinkageType.Import) continue;
        const other = exports.get(linkage.name);
        if (!other) exports.set(linkage.name, { part, linkage, id: this.idOf(part, linkage.id) });
        else if (linkage.type === LinkageType.LinkOnceODR || other.linkage.type === LinkageType.LinkOnceODR) {
          part.rename[linkage.id] = other.id;
          replaced.get(part)!.add(linkage.id);
        } else throw new LinkError(`'${linkage.name}' is defined in more than one module`);
      }
    for (const part of this.parts)
      for (const linkage of part.linkages) {
        if (linkage.type !== LinkageType.Import || part.builtIns.has(linkage.id)) continue;
        const found = exports.get(linkage.name) ?? this.calledKernel(linkage.name);
        if (found) {
          part.rename[linkage.id] = found.id;
          replaced.get(part)!.add(linkage.id);
        } else if (!mayStayOpen(linkage.name, this.options) && isUsed(part.module, linkage.id))
          throw undefinedSymbol(linkage.name);
      }
    return replaced;
  }

  private calledKernel(name: string): CalledKernel | undefined {
    const known = this.calledKernels.get(name);
    if (known) return known;
    for (const part of this.parts) {
      const entry = part.module.entryPoints.find((e) => e.name === name);
      const definition = entry && part.module.functions.find((f) => f.definition.result === entry.function);
      if (!definition) continue;
      const kernel = { part, definition, id: this.next++ as Id };
      this.calledKernels.set(name, kernel);
      return kernel;
    }
    return undefined;
  }

  private copyOfKernel({ part, definition, id }: CalledKernel): FunctionDefinition {
    const { rename } = part;
    const own = new Set(resultsOf(definition));
    const before = [...own].map((result) => [result, rename[result]!] as const);
    for (const result of own) rename[result] = 0;
    rename[definition.definition.result] = id;
    const made = this.function(part, definition);
    for (const i of part.module.annotations)
      if (i.op === Op.Decorate && own.has(i.operands[0]! as Id))
        this.out.annotations.push(this.copy(part, i));
    for (const [result, to] of before) rename[result] = to;
    return made;
  }

  private idOf(part: Part, id: Id): Id {
    if (id === 0) return id;
    part.rename[id] ||= this.next++;
    return part.rename[id]! as Id;
  }

  /** A copy of an instruction with new ids. All ids that it names get one. */
  private copy(part: Part, i: Instruction, selectorWords = 1): Instruction {
    return this.withOperands(part, i, this.operands(part, i, selectorWords));
  }

  /** As `copy`, for an instruction outside of functions, whose debug information has literal operands. */
  private copyGlobal(part: Part, i: Instruction): Instruction {
    const operands = [...i.operands];
    forEachGlobalId(debugSetOf(part.module), i, (id, at) => {
      operands[at] = this.idOf(part, id);
    });
    return this.withOperands(part, i, operands);
  }

  private withOperands(part: Part, i: Instruction, operands: number[]): Instruction {
    const made: Instruction = {
      op: i.op,
      type: this.idOf(part, i.type),
      result: this.idOf(part, i.result),
      operands,
    };
    if (i.line) made.line = { ...i.line, file: this.idOf(part, i.line.file) };
    return made;
  }

  private operands(part: Part, i: Instruction, selectorWords = 1): number[] {
    const operands = [...i.operands];
    forEachId(
      i,
      (id, at) => {
        operands[at] = this.idOf(part, id);
      },
      selectorWords,
    );
    return operands;
  }

  private debugStrings(part: Part): void {
    for (const i of part.module.debug)
      if (i.op !== Op.Name && i.op !== Op.MemberName && i.op !== Op.ModuleProcessed)
        this.out.debug.push(this.copy(part, i));
  }

  private global(part: Part, i: Instruction): void {
    const key = this.keyOf(part, i);
    if (key !== undefined) {
      const known = this.shared.get(key);
      // An id that was used before its definition keeps its own definition.
      if (known && !part.rename[i.result]) {
        part.rename[i.result] = known;
        return;
      }
      const made = this.copyGlobal(part, i);
      if (!known) this.shared.set(key, made.result);
      this.define(made);
      return;
    }
    this.define(this.copyGlobal(part, i));
  }

  private define(i: Instruction): void {
    this.out.globals.push(i);
    if (i.result !== 0) this.definitions.set(i.result, i);
  }

  /** The identity of a definition; undefined for definitions that are never shared. */
  private keyOf(part: Part, i: Instruction): string | undefined {
    const builtIn = part.builtIns.get(i.result);
    const isType = Op[i.op]!.startsWith('Type') && i.op !== Op.TypeForwardPointer;
    const isConstant =
      i.op === Op.Constant ||
      i.op === Op.ConstantTrue ||
      i.op === Op.ConstantFalse ||
      i.op === Op.ConstantNull ||
      i.op === Op.ConstantComposite ||
      i.op === Op.ConstantSampler;
    if (!isType && !isConstant && builtIn === undefined) return undefined;
    const operands = this.operands(part, i);
    return `${i.op} ${this.idOf(part, i.type)} ${operands.join(' ')} ${builtIn ?? ''} ${part.identity.get(i.result) ?? ''}`;
  }

  private function(part: Part, f: FunctionDefinition): FunctionDefinition {
    const words = selectorWords(part.module, f);
    const definition = this.copy(part, f.definition);
    this.definitions.set(definition.result, definition);
    return {
      definition,
      parameters: f.parameters.map((p) => this.copy(part, p)),
      blocks: f.blocks.map(
        (b): Block => ({
          label: this.idOf(part, b.label),
          instructions: b.instructions.map((i) => this.copy(part, i, words(i))),
        }),
      ),
    };
  }

  private tables(part: Part, replaced: ReadonlySet<Id>): void {
    const { out } = this;
    const { module } = part;
    const seen = new Set(out.annotations.map(text));
    for (const i of module.annotations) {
      if (i.op !== Op.DecorationGroup && replaced.has(i.operands[0]! as Id)) continue;
      const made = this.copy(part, i);
      const key = text(made);
      if (seen.has(key)) continue;
      seen.add(key);
      out.annotations.push(made);
    }
    const named = new Set(out.debug.filter((i) => i.op === Op.Name || i.op === Op.MemberName).map(nameKey));
    for (const i of module.debug) {
      if ((i.op !== Op.Name && i.op !== Op.MemberName) || replaced.has(i.operands[0]! as Id)) continue;
      const made = this.copy(part, i);
      if (named.has(nameKey(made))) continue;
      named.add(nameKey(made));
      out.debug.push(made);
    }
    const entries = new Set(out.entryPoints.map(({ model, name }) => `${model} ${name}`));
    for (const e of module.entryPoints) {
      const key = `${e.model} ${e.name}`;
      if (entries.has(key)) throw new LinkError(`the kernel '${e.name}' is defined in more than one module`);
      out.entryPoints.push({
        ...e,
        function: this.idOf(part, e.function),
        interface: [...new Set(e.interface.map((id) => this.idOf(part, id)))],
      });
    }
    for (const m of module.executionModes)
      out.executionModes.push({
        ...m,
        function: this.idOf(part, m.function),
        operands: m.ids ? m.operands.map((id) => this.idOf(part, id as Id)) : [...m.operands],
      });
  }

  /** A kernel also reaches the variables of functions that another module defines. */
  private completeInterfaces(): void {
    const required = requiredInterfaces(this.out);
    this.out.entryPoints = this.out.entryPoints.map((entry) => ({
      ...entry,
      interface: [...new Set([...entry.interface, ...required(entry)])],
    }));
  }

  /** An import and its export must have the same type. */
  private checkType(part: Part, declared: Instruction): void {
    const isFunction = declared.op === Op.Function;
    if (!isFunction && declared.op !== Op.Variable) return;
    const type = this.idOf(part, isFunction ? (declared.operands[1]! as Id) : declared.type);
    const id = this.idOf(part, declared.result);
    this.pendingChecks.push({ type, id, isFunction });
  }

  private readonly pendingChecks: { type: Id; id: Id; isFunction: boolean }[] = [];

  /** Orders definitions before uses, as the definition of an import may come later. */
  private order(): void {
    for (const { type, id, isFunction } of this.pendingChecks) {
      const definition = this.definitions.get(id);
      const actual = definition && (isFunction ? (definition.operands[1]! as Id) : definition.type);
      if (!actual || !this.sameType(type, actual, new Set()))
        throw new LinkError(`'${this.nameOf(id)}' is declared with another type than it is defined with`);
    }
    const { out } = this;
    const position = new Map(out.globals.map((i) => [i.result, i]));
    const sorted: Instruction[] = [];
    const done = new Set<Instruction>();
    const visit = (start: Instruction) => {
      const stack = [{ i: start, next: 0 }];
      done.add(start);
      while (stack.length > 0) {
        const top = stack[stack.length - 1]!;
        const needs = top.i.op === Op.TypePointer ? [] : [top.i.type, ...top.i.operands];
        let pushed = false;
        while (top.next < needs.length) {
          const need = position.get(needs[top.next++]! as Id);
          // A literal may look like an id; this only adds an unnecessary order.
          if (need && !done.has(need) && need.op !== Op.TypeForwardPointer) {
            done.add(need);
            stack.push({ i: need, next: 0 });
            pushed = true;
            break;
          }
        }
        if (pushed) continue;
        sorted.push(top.i);
        stack.pop();
      }
    };
    if (this.pendingChecks.some((c) => !c.isFunction)) {
      for (const i of out.globals) if (!done.has(i)) visit(i);
      out.globals = sorted;
    }
    const rank = (i: Instruction) => (i.op === Op.Name || i.op === Op.MemberName ? 1 : 0);
    out.debug.sort((a, b) => rank(a) - rank(b));
  }

  private sameType(a: Id, b: Id, seen: Set<string>): boolean {
    if (a === b || seen.has(`${a} ${b}`)) return true;
    seen.add(`${a} ${b}`);
    const [x, y] = [this.definitions.get(a), this.definitions.get(b)];
    if (!x || !y || x.op !== y.op || x.operands.length !== y.operands.length) return false;
    return x.operands.every((operand, at) => {
      const other = y.operands[at]!;
      if (operand === other) return true;
      const [p, q] = [this.definitions.get(operand as Id), this.definitions.get(other as Id)];
      if (!p || !q || x.op === Op.TypeInt || x.op === Op.TypeFloat) return false;
      return p.op === Op.Constant
        ? q.op === Op.Constant && p.operands.join() === q.operands.join()
        : this.sameType(operand as Id, other as Id, seen);
    });
  }

  private nameOf(id: Id): string {
    for (const part of this.parts)
      for (const linkage of part.linkages) if (part.rename[linkage.id] === id) return linkage.name;
    return `%${id}`;
  }
}

const text = (i: Instruction) => `${i.op} ${i.result} ${i.operands.join(' ')}`;

/** An id has one name, and one for each member. */
const nameKey = (i: Instruction) =>
  i.op === Op.Name ? `${i.operands[0]}` : `${i.operands[0]}.${i.operands[1]}`;
