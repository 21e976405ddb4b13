// SPDX-License-Identifier: MIT
//
// Loop rotation: loops with the test at their start, such as `for` and `while`, get it at their end, after a guard that tests
// once: `if (c) do { ... } while (c)`. Then every path through the loop executes the body's invariants, and V8 hoists them,
// constants and splats included. It hoists nothing out of a body that may not be executed, and even sinks computations from
// before the loop into it. Divergent loops are not rotated, because the guard would be one more divergent branch.
import { addBlock, addParam, makeInst } from '../ir/build';
import { type Dominators, dominatorsOf, type Loop, naturalLoops, type OwnLoop } from '../ir/cfg';
import { type Block, type BlockParam, type Func, Inst, Op, Target, Type, type Value } from '../ir/ir';
import { isPure, mapUses } from '../ir/rewrite';
import { isGroupWide } from '../regions/split';

/** The most instructions that are duplicated. */
const MOST_INSTRUCTIONS = 6;
const DEEPEST = 8;

export function rotateLoops(func: Func): boolean {
  const dominators = dominatorsOf(func);
  if (!dominators.loops.some((loop) => isRotatable(loop, dominators))) return false;
  const loops = naturalLoops(dominators);
  const headers = new Map(loops.map((loop) => [loop.header, loop]));
  let graph: HeaderGraph | undefined;
  // Inner loops first: their new blocks belong to the loops around them.
  for (const loop of loops.reverse()) {
    if (
      !isRotatable(loop, dominators) ||
      !isUniform(loop.header.terminator.operands[0]!, headers, dominators)
    )
      continue;
    graph ??= new HeaderGraph(func, loops, dominators);
    rotate(func, loop, graph);
  }
  return graph !== undefined;
}

/** Which blocks use the values of the loops' headers, and which lead to the headers: a rotation visits no others. */
class HeaderGraph {
  private readonly users = new Map<Value, Set<Block>>();
  private readonly preds: ReadonlyMap<Block, Set<Block>>;

  constructor(func: Func, loops: readonly Loop[], dominators: Dominators) {
    this.preds = new Map(loops.map(({ header }) => [header, new Set(dominators.preds.get(header))]));
    for (const { header } of loops)
      for (const value of [...header.params, ...header.insts]) this.users.set(value, new Set());
    for (const block of func.blocks) this.add(block);
  }

  /** After a block was made. */
  add(block: Block): void {
    const use = (value: Value) => this.users.get(value)?.add(block);
    for (const inst of block.insts) inst.operands.forEach(use);
    block.terminator.operands.forEach(use);
    for (const target of block.targets) {
      target.arguments.forEach(use);
      this.preds.get(target.block)?.add(block);
    }
  }

  usersOf(values: readonly Value[]): ReadonlySet<Block> {
    return new Set(values.flatMap((value) => [...(this.users.get(value) ?? [])]));
  }

  predsOf(header: Block): Iterable<Block> {
    return this.preds.get(header) ?? [];
  }
}

/** Whether the header is the only exit, by a test of a few instructions, and there is one latch. */
function isRotatable(loop: Loop, dominators: Dominators): boolean {
  const { header, latches } = loop;
  if (latches.length !== 1 || latches[0] === header || latches[0]!.terminator.op !== Op.Jump) return false;
  if (header.terminator.op !== Op.Branch || header.insts.length > MOST_INSTRUCTIONS) return false;
  if (!header.insts.every((inst) => isPure(inst.op))) return false;
  const inside = header.targets.map((t) => loop.blocks.has(t.block));
  if (inside[0] === inside[1]) return false;
  for (const block of loop.blocks) {
    if (block !== header && block.targets.some((t) => !loop.blocks.has(t.block))) return false;
    if (block.insts.some(isGroupWide)) return false;
  }
  return dominators.preds.get(header)!.length > 1;
}

/** Whether a value is uniform, as far as that is evident without an analysis of the whole function. */
function isUniform(
  value: Value,
  headers: ReadonlyMap<Block, Loop>,
  dominators: Dominators,
  seen = new Set<Value>(),
): boolean {
  if (seen.has(value)) return true;
  if (seen.size > DEEPEST * 2) return false;
  seen.add(value);
  if (value.kind === 'param') {
    if (!headers.has(value.block)) return false;
    const at = value.block.params.indexOf(value);
    return dominators.preds
      .get(value.block)!
      .every((pred) =>
        pred.targets.every(
          (t) => t.block !== value.block || isUniform(t.arguments[at]!, headers, dominators, seen),
        ),
      );
  }
  switch (value.op) {
    case Op.GlobalId:
    case Op.LocalId:
    case Op.LocalLinearId:
    case Op.GlobalLinearId:
    case Op.SubGroupId:
    case Op.SubGroupLocalId:
    case Op.PrivateAlloca:
      return false;
    case Op.Load:
      if (value.facts.space === 'private' || value.facts.volatile) return false;
      break;
    default:
      if (!isPure(value.op)) return false;
  }
  return value.operands.every((o) => isUniform(o, headers, dominators, seen));
}

function rotate(func: Func, { header, blocks, parent }: OwnLoop, graph: HeaderGraph): void {
  const values: Value[] = [...header.params, ...header.insts];
  const { terminator } = header;
  const guard = addBlock(func);
  const start = addBlock(func);
  const exit = addBlock(func);

  // The guard: the header's test of the first values.
  const first = new Map<Value, Value>();
  for (const param of header.params) first.set(param, addParam(func, guard, param.type));
  const firstOf = (v: Value) => first.get(v) ?? v;
  for (const inst of header.insts) {
    const made = new Inst(func.freshId(), inst.op, inst.type, inst.operands.map(firstOf), inst.facts);
    made.block = guard;
    if (inst.position) made.position = inst.position;
    guard.insts.push(made);
    first.set(inst, made);
  }

  // The header's values as the body and the code after the loop use them.
  const inBody = new Map<Value, BlockParam>();
  const afterLoop = new Map<Value, BlockParam>();
  for (const v of values) {
    inBody.set(v, addParam(func, start, v.type));
    afterLoop.set(v, addParam(func, exit, v.type));
  }
  const forward = (from: Block, to: Target, seen: ReadonlyMap<Value, Value>) => {
    from.terminator = makeInst(func, from, Op.Jump, Type.Void, [], {}, terminator.position);
    from.targets = [
      new Target(
        to.block,
        to.arguments.map((a) => seen.get(a) ?? a),
      ),
    ];
  };
  const stays = blocks.has(header.targets[0]!.block) ? 0 : 1;
  forward(start, header.targets[stays]!, inBody);
  forward(exit, header.targets[1 - stays]!, afterLoop);
  const decide = (block: Block, given: (v: Value) => Value) => {
    const sides = [start, exit].map((to) => new Target(to, values.map(given)));
    block.targets = stays === 0 ? sides : sides.reverse();
  };
  for (const block of graph.usersOf(values)) {
    if (block === header) continue;
    const seen = blocks.has(block) ? inBody : afterLoop;
    mapUses(block, (value) => seen.get(value) ?? value);
  }
  for (const block of graph.predsOf(header)) {
    if (blocks.has(block)) continue;
    for (const target of block.targets) if (target.block === header) target.block = guard;
  }
  guard.terminator = makeInst(
    func,
    guard,
    Op.Branch,
    Type.Void,
    terminator.operands.map(firstOf),
    {},
    terminator.position,
  );
  decide(guard, firstOf);
  decide(header, (v) => v);
  for (const made of [guard, start, exit]) graph.add(made);
  blocks.add(start);
  for (let outer = parent; outer; outer = outer.parent)
    for (const made of [guard, start, exit]) outer.blocks.add(made);
}
