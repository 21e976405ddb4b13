// SPDX-License-Identifier: MIT
//
// Variables of a function that are only loaded and stored as a whole become values: SSA construction over dominance frontiers
// (Cytron et al.). Dead-code elimination removes unused phis.
import { immediateDominators } from '../../base/dominators';
import type { Builder } from '../builder';
import { OpenCLDebugInfo as Debug, Op, StorageClass } from '../grammar.gen';
import { type FunctionDefinition, type Id, type Instruction, NO_ID, type SourceLine } from '../module';
import { forEachId } from '../operands';
import { type ControlFlow, controlFlowOf, type RemovedIds } from './control-flow';

const VOLATILE = 1;

export function promoteVariables(
  b: Builder,
  definition: FunctionDefinition,
  selectorWords: (selector: Id) => 1 | 2,
  removed: RemovedIds,
): void {
  const variables = candidates(b, definition);
  if (variables.ids.length === 0) return;
  const flow = controlFlowOf(definition, selectorWords);
  const dominators = immediateDominators(flow.predecessors);
  const phis = placePhis(b, flow, dominators, variables);
  new Renaming(b, flow, dominators, variables, phis, selectorWords, removed).run();
  for (const id of variables.ids) removed.add(id);
}

interface Variables {
  readonly ids: readonly Id[];
  /** The type of each variable's value. */
  readonly types: readonly Id[];
  readonly indexOf: ReadonlyMap<number, number>;
  /** The debug information of each variable, if it has any: DebugLocalVariable and DebugExpression. */
  readonly described: ReadonlyMap<number, readonly [variable: number, expression: number]>;
}

function candidates(b: Builder, definition: FunctionDefinition): Variables {
  const found = new Map<number, Id>();
  for (const instruction of definition.blocks[0]!.instructions) {
    if (instruction.op !== Op.Variable) break;
    if (instruction.operands[0] === StorageClass.Function && instruction.operands.length === 1)
      found.set(instruction.result, b.pointeeOf(instruction.type));
  }
  const described = new Map<number, readonly [number, number]>();
  if (found.size === 0) return { ids: [], types: [], indexOf: new Map(), described };
  const escapes = (id: Id) => found.delete(id);
  /** Consumers expect an ND-range to be stored to memory. */
  const ranges = new Set<number>();
  for (const block of definition.blocks) {
    for (const instruction of block.instructions) {
      const { op, operands } = instruction;
      if (op === Op.Variable) continue;
      if (op === Op.Load) {
        if (((operands[1] ?? 0) & VOLATILE) !== 0 || found.get(operands[0]!) !== instruction.type)
          found.delete(operands[0]!);
      } else if (op === Op.Store) {
        found.delete(operands[1]!);
        if (((operands[2] ?? 0) & VOLATILE) !== 0 || ranges.has(operands[1]!)) found.delete(operands[0]!);
      } else if (op !== Op.ExtInst || !isDebug(b, operands[0] as Id)) {
        if (op === Op.BuildNDRange) ranges.add(instruction.result);
        forEachId(instruction, escapes);
      } else if (operands[1] === Debug.DebugDeclare) {
        described.set(operands[3]!, [operands[2]!, operands[4]!]);
      }
    }
  }
  const indexOf = new Map<number, number>();
  const ids = [...found.keys()] as Id[];
  ids.forEach((id, i) => {
    indexOf.set(id, i);
  });
  const byIndex = new Map<number, readonly [number, number]>();
  for (const [id, description] of described) if (found.has(id)) byIndex.set(indexOf.get(id)!, description);
  return { ids, types: [...found.values()], indexOf, described: byIndex };
}

const DEBUG_SET = 'OpenCL.DebugInfo.100';
const isDebug = (b: Builder, set: Id): boolean => b.module.extInstImports.get(DEBUG_SET) === set;
/** Whether an instruction belongs to the start of a block: phis, variables, the scope. */
const isHead = ({ op, operands }: Instruction): boolean =>
  op === Op.Phi || op === Op.Variable || (op === Op.ExtInst && operands[1] === Debug.DebugScope);

interface PlacedPhi {
  readonly variable: number;
  readonly instruction: Instruction;
}

/** The phis of each block. */
function placePhis(
  b: Builder,
  flow: ControlFlow,
  dominators: Int32Array,
  variables: Variables,
): PlacedPhi[][] {
  const { order } = flow;
  const count = variables.ids.length;
  const definedIn: number[][] = Array.from({ length: count }, () => []);
  /** Variables that some block reads before it stores to them; others need no phis. */
  const isRead = new Uint8Array(count);
  const lastDefined = new Int32Array(count).fill(-1);
  for (let block = 0; block < order.length; block++) {
    for (const { op, operands } of order[block]!.instructions) {
      if (op !== Op.Load && op !== Op.Store) continue;
      const variable = variables.indexOf.get(operands[0]!);
      if (variable === undefined) continue;
      if (op === Op.Store) {
        if (lastDefined[variable] !== block) definedIn[variable]!.push(block);
        lastDefined[variable] = block;
      } else if (lastDefined[variable] !== block) isRead[variable] = 1;
    }
  }
  const phis: PlacedPhi[][] = order.map(() => []);
  let frontiers: readonly number[][] | undefined;
  const has = new Int32Array(order.length).fill(-1);
  for (let variable = 0; variable < count; variable++) {
    if (isRead[variable] === 0) continue;
    frontiers ??= dominanceFrontiers(flow, dominators);
    const work = definedIn[variable]!.slice();
    for (let block = work.pop(); block !== undefined; block = work.pop()) {
      for (const join of frontiers[block]!) {
        if (has[join] === variable) continue;
        has[join] = variable;
        const type = variables.types[variable]!;
        const instruction: Instruction = { op: Op.Phi, type, result: b.value(type), operands: [] };
        phis[join]!.push({ variable, instruction });
        work.push(join);
      }
    }
  }
  return phis;
}

function dominanceFrontiers({ order, predecessors }: ControlFlow, dominators: Int32Array): number[][] {
  const frontiers: number[][] = order.map(() => []);
  for (let block = 0; block < order.length; block++) {
    const from = predecessors[block]!;
    if (from.length < 2 && !(block === 0 && from.length === 1)) continue;
    for (let runner of from) {
      for (;;) {
        if (runner === dominators[block] && block !== 0) break;
        const frontier = frontiers[runner]!;
        if (frontier[frontier.length - 1] !== block) frontier.push(block);
        if (runner === 0) break;
        runner = dominators[runner]!;
      }
    }
  }
  return frontiers;
}

/** Walks the dominator tree and replaces loads of variables by values. */
class Renaming {
  private readonly current: Id[];
  /** Pairs of variable and value to restore when a subtree is left. */
  private readonly undo: number[] = [];
  private readonly replacement = new Map<number, Id>();
  private readonly oldPhis: Instruction[] = [];
  private readonly children: number[][];

  constructor(
    private readonly b: Builder,
    private readonly flow: ControlFlow,
    dominators: Int32Array,
    private readonly variables: Variables,
    private readonly phis: readonly (readonly PlacedPhi[])[],
    private readonly selectorWords: (selector: Id) => 1 | 2,
    private readonly removed: RemovedIds,
  ) {
    this.current = new Array<Id>(variables.ids.length).fill(NO_ID);
    this.children = flow.order.map(() => []);
    for (let block = 1; block < flow.order.length; block++) this.children[dominators[block]!]!.push(block);
  }

  run(): void {
    // Pairs: a block to enter, or the length of the undo list when a subtree is left.
    const stack: { readonly block: number; readonly leave: number }[] = [{ block: 0, leave: -1 }];
    for (let top = stack.pop(); top; top = stack.pop()) {
      if (top.leave >= 0) {
        this.restore(top.leave);
        continue;
      }
      stack.push({ block: -1, leave: this.undo.length });
      this.rename(top.block);
      for (const child of this.children[top.block]!) stack.push({ block: child, leave: -1 });
    }
    // An operand of a phi may come from a block that was renamed after it.
    for (const phi of this.oldPhis) this.renameOperands(phi);
  }

  private restore(length: number): void {
    const { undo } = this;
    while (undo.length > length) {
      const value = undo.pop()!;
      this.current[undo.pop()!] = value as Id;
    }
  }

  private set(variable: number, value: Id): void {
    this.undo.push(variable, this.current[variable]!);
    this.current[variable] = value;
  }

  private valueOf(variable: number): Id {
    const value = this.current[variable]!;
    return value === NO_ID ? this.b.undef(this.variables.types[variable]!) : value;
  }

  private rename(index: number): void {
    const block = this.flow.order[index]!;
    const kept: Instruction[] = [];
    /** Phis without debug information yet: it comes after all phis and the scope. */
    let untold: PlacedPhi[] = [];
    for (const phi of this.phis[index]!) {
      kept.push(phi.instruction);
      this.set(phi.variable, phi.instruction.result);
      if (this.variables.described.has(phi.variable)) untold.push(phi);
    }
    const { indexOf } = this.variables;
    for (const instruction of block.instructions) {
      const { op, operands } = instruction;
      if (untold.length > 0 && !isHead(instruction)) {
        for (const phi of untold) this.tell(kept, phi.variable, phi.instruction.result, instruction.line);
        untold = [];
      }
      if (op === Op.Phi) this.oldPhis.push(instruction);
      else if (op === Op.Variable) {
        if (indexOf.has(instruction.result)) continue;
      } else if (op === Op.Load) {
        const variable = indexOf.get(operands[0]!);
        if (variable !== undefined) {
          this.replacement.set(instruction.result, this.valueOf(variable));
          this.removed.add(instruction.result);
          continue;
        }
        this.renameOperands(instruction);
      } else if (op === Op.Store) {
        const variable = indexOf.get(operands[0]!);
        if (variable !== undefined) {
          const value = this.replacement.get(operands[1]!) ?? (operands[1] as Id);
          this.set(variable, value);
          this.tell(kept, variable, value, instruction.line);
          continue;
        }
        this.renameOperands(instruction);
      } else if (op === Op.ExtInst && indexOf.has(operands[3]!) && isDebug(this.b, operands[0] as Id)) {
        // The variable is no longer in memory; `tell` emits its values instead.
        this.removed.add(instruction.result);
        continue;
      } else this.renameOperands(instruction);
      kept.push(instruction);
    }
    block.instructions = kept;
    for (const successor of this.flow.successors[index]!)
      for (const { variable, instruction } of this.phis[successor]!)
        instruction.operands.push(this.valueOf(variable), block.label);
  }

  /** Emits the debug information for a variable's value from here on. */
  private tell(kept: Instruction[], variable: number, value: Id, line: SourceLine | undefined): void {
    const description = this.variables.described.get(variable);
    if (description === undefined) return;
    const type = this.b.void();
    const set = this.b.module.extInstImports.get(DEBUG_SET)!;
    const operands = [set, Debug.DebugValue, description[0], value, description[1]];
    kept.push({ op: Op.ExtInst, type, result: this.b.value(type), operands, ...(line && { line }) });
  }

  private readonly renameOperands = (instruction: Instruction): void => {
    const { operands } = instruction;
    const words = instruction.op === Op.Switch ? this.selectorWords(operands[0] as Id) : 1;
    forEachId(
      instruction,
      (id, at) => {
        const to = this.replacement.get(id);
        if (to !== undefined) operands[at] = to;
      },
      words,
    );
  };
}
