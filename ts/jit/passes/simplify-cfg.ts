// SPDX-License-Identifier: MIT
//
// Simplifies control flow: constant branches, empty blocks with a jump, parameters that always have one value, unreachable
// blocks, chains of blocks. Leaves the blocks in reverse postorder. A block is looked at again only when something about it
// has changed, and values are replaced once, at the end.
import { blankTable, Scratch } from '../../base/table';
import { constantOf, isUndefined } from '../ir/build';
import { edgesWithArguments, reversePostorder } from '../ir/cfg';
import { type Block, type BlockParam, type Func, Inst, Op, type Target, Type, type Value } from '../ir/ir';
import { Replacements } from '../ir/rewrite';

export function simplifyCfg(func: Func): boolean {
  func.blocks = reversePostorder(func);
  if (isSimple(func)) return false;
  const flow = new Flow(func);
  for (let again = true; again; ) {
    const seen: Block[] = [];
    for (let block = flow.next(); block; block = flow.next()) {
      foldBranch(flow, block);
      removeTrivialParams(flow, block);
      seen.push(block);
    }
    // The last ones first: so an edge that passes a chain of them is redirected once, and not once for each.
    seen.sort((a, b) => flow.positionOf(b) - flow.positionOf(a));
    for (let at = 0; at < seen.length; at++) if (seen[at] !== seen[at - 1]) skipForwarder(flow, seen[at]!);
    again = seen.length > 0;
  }
  mergeChains(flow);
  if (!flow.changed) return false;
  flow.replaced.apply(func);
  func.blocks = reversePostorder(func);
  return true;
}

/** Whether nothing can be simplified: a quick test, after which it is certain only where the answer is yes. */
function isSimple(func: Func): boolean {
  const { blocks, entry } = func;
  const edges = EDGES.zeros(func.idBound);
  for (const block of blocks) {
    if (takenTarget(block, itself) !== undefined) return false;
    const isJump = block.terminator.op === Op.Jump;
    if (isJump && block.insts.length === 0 && block !== entry) return false;
    for (const target of block.targets) edges[target.block.id]!++;
  }
  for (const block of blocks)
    if (block.terminator.op === Op.Jump && block !== entry && edges[block.targets[0]!.block.id] === 1)
      return false;
  for (const [{ params }, incoming] of edgesWithArguments(func))
    if (params.some((param, at) => single(itself, param, at, incoming))) return false;
  return true;
}

const itself = (value: Value): Value => value;

/** By a block's id: the number of edges to it. */
const EDGES = new Scratch();
const POSITIONS = new Scratch();
const USES = new Scratch();

interface Edge {
  readonly target: Target;
  readonly from: Block;
}

/** The current control flow, and the blocks that remain to be simplified. */
class Flow {
  readonly replaced: Replacements;
  readonly order: readonly Block[];
  changed = false;
  /** By a block's id: its position in the initial reverse postorder. */
  private readonly positions: Int32Array;
  /** By position: the edges to each block; undefined for blocks that cannot be reached any more. */
  private readonly incoming: (Edge[] | undefined)[];
  private readonly work: Block[] = [];
  private at = 0;
  /** By position: whether a block is among those to simplify. */
  private readonly queued: boolean[];
  /** By a parameter's id: blocks to simplify again when it is replaced. */
  private dependents: (Block[] | undefined)[] | undefined;
  /** By a parameter's id: the number of uses. Counted on first use, because that visits the whole function. */
  private uses: Int32Array | undefined;

  constructor(readonly func: Func) {
    const order = func.blocks;
    this.order = order;
    this.replaced = new Replacements(func);
    this.positions = POSITIONS.zeros(func.idBound);
    for (let at = 0; at < order.length; at++) this.positions[order[at]!.id] = at;
    this.incoming = order.map(() => []);
    this.queued = order.map(() => false);
    for (const block of order) {
      this.lookAgain(block);
      const [condition] = block.terminator.operands;
      if (condition) this.depend(condition, block);
      for (const target of block.targets) this.addEdge(block, target);
    }
  }

  positionOf(block: Block): number {
    return this.positions[block.id]!;
  }

  /** The edges to a block; undefined if it cannot be reached any more. */
  edgesTo(block: Block): readonly Edge[] | undefined {
    return this.incoming[this.positionOf(block)];
  }

  /** The next block to simplify. */
  next(): Block | undefined {
    while (this.at < this.work.length) {
      const block = this.work[this.at++]!;
      this.queued[this.positionOf(block)] = false;
      if (this.edgesTo(block)) return block;
    }
    return undefined;
  }

  lookAgain(block: Block): void {
    const at = this.positionOf(block);
    if (this.queued[at]) return;
    this.queued[at] = true;
    this.work.push(block);
  }

  of(value: Value): Value {
    return this.replaced.get(value);
  }

  replace(param: BlockParam, value: Value): void {
    this.replaced.set(param, value);
    this.changed = true;
    const own = this.dependents?.[param.id] ?? [];
    for (const block of own) this.lookAgain(block);
    if (value.kind !== 'param') return;
    if (this.uses) this.uses[value.id]! += this.uses[param.id]!;
    this.dependents ??= blankTable(this.func.idBound);
    const others = this.dependents[value.id] ?? [];
    const [longer, shorter] = own.length > others.length ? [own, others] : [others, own];
    for (const block of shorter) longer.push(block);
    this.dependents[value.id] = longer;
  }

  addEdge(from: Block, target: Target): void {
    this.incoming[this.positionOf(target.block)]!.push({ target, from });
    for (const argument of target.arguments) {
      this.depend(argument, target.block);
      this.depend(argument, from);
      this.count(argument, 1);
    }
  }

  /** Changes the target of an edge. */
  redirect(edge: Target, from: Block, to: Block, args: readonly Value[]): void {
    const { block, arguments: before } = edge;
    edge.block = to;
    edge.arguments = args;
    this.addEdge(from, edge);
    this.lookAgain(from);
    this.lookAgain(to);
    this.leave(edge, block, before);
  }

  removeEdge(edge: Target): void {
    this.leave(edge, edge.block, edge.arguments);
  }

  /** Removes an edge to a block, and blocks that become unreachable. */
  private leave(edge: Target, block: Block, args: readonly Value[]): void {
    this.changed = true;
    const gone = [block];
    this.take(edge, block, args);
    for (let from = gone.pop(); from; from = gone.pop()) {
      if (this.edgesTo(from)?.length !== 0) continue;
      this.forget(from);
      for (const onwards of from.targets) {
        this.take(onwards, onwards.block, onwards.arguments);
        gone.push(onwards.block);
      }
    }
  }

  private take(edge: Target, block: Block, args: readonly Value[]): void {
    const edges = this.incoming[this.positionOf(block)];
    const at = edges?.findIndex(({ target }) => target === edge) ?? -1;
    if (at < 0) return;
    edges!.splice(at, 1);
    for (const argument of args) this.count(argument, -1);
    this.lookAgain(block);
  }

  private forget(block: Block): void {
    this.incoming[this.positionOf(block)] = undefined;
    if (!this.uses) return;
    for (const inst of block.insts) for (const operand of inst.operands) this.count(operand, -1);
    for (const operand of block.terminator.operands) this.count(operand, -1);
  }

  usesOf(param: BlockParam): number {
    this.uses ??= this.countUses();
    return this.uses[param.id]!;
  }

  private countUses(): Int32Array {
    this.uses = USES.zeros(this.func.idBound);
    for (const block of this.order) {
      if (!this.edgesTo(block)) continue;
      for (const inst of block.insts) for (const operand of inst.operands) this.count(operand, 1);
      for (const operand of block.terminator.operands) this.count(operand, 1);
      for (const target of block.targets) for (const argument of target.arguments) this.count(argument, 1);
    }
    return this.uses;
  }

  private count(value: Value, by: 1 | -1): void {
    if (!this.uses) return;
    const now = this.of(value);
    if (now.kind !== 'param') return;
    this.uses[now.id]! += by;
    // Without other uses, its block may be skipped.
    if (by < 0) this.lookAgain(now.block);
  }

  private depend(value: Value, block: Block): void {
    const now = this.of(value);
    if (now.kind !== 'param') return;
    this.dependents ??= blankTable(this.func.idBound);
    const known = this.dependents[now.id];
    if (known) known.push(block);
    else this.dependents[now.id] = [block];
  }
}

function foldBranch(flow: Flow, block: Block): void {
  const taken = takenTarget(block, (value) => flow.of(value));
  if (taken !== undefined) jumpTo(flow, block, taken);
}

/** The only possible target of a branch or switch. */
function takenTarget({ terminator, targets }: Block, of: (value: Value) => Value): number | undefined {
  if (terminator.op === Op.Branch) {
    const condition = constantOf(of(terminator.operands[0]!));
    if (condition !== undefined) return condition ? 0 : 1;
    const [then, otherwise] = targets as [Target, Target];
    const isSame =
      then.block === otherwise.block &&
      then.arguments.every((value, i) => of(value) === of(otherwise.arguments[i]!));
    return isSame ? 0 : undefined;
  }
  if (terminator.op !== Op.Switch) return undefined;
  const cases = terminator.facts.cases!;
  if (cases.length === 0) return 0;
  const value = constantOf(of(terminator.operands[0]!));
  return value === undefined ? undefined : cases.indexOf(BigInt(value)) + 1;
}

function jumpTo(flow: Flow, block: Block, taken: number): void {
  const { terminator: end, targets } = block;
  const { unroll } = end.facts;
  const jump = new Inst(end.id, Op.Jump, Type.Void, [], unroll === undefined ? {} : { unroll });
  jump.block = block;
  if (end.position) jump.position = end.position;
  block.terminator = jump;
  block.targets = [targets[taken]!];
  targets.forEach((target, at) => {
    if (at !== taken) flow.removeEdge(target);
  });
}

/** A parameter that gets one value from all edges (or itself) is that value. */
function removeTrivialParams(flow: Flow, block: Block): void {
  const { params } = block;
  const edges = flow.edgesTo(block);
  if (params.length === 0 || !edges) return;
  const targets = edges.map(({ target }) => target);
  const keep: number[] = [];
  for (let at = 0; at < params.length; at++) {
    const only = single((value) => flow.of(value), params[at]!, at, targets);
    if (only) flow.replace(params[at]!, only);
    else keep.push(at);
  }
  if (keep.length === params.length) return;
  block.params = keep.map((at) => params[at]!);
  for (const { target, from } of edges) {
    target.arguments = keep.map((at) => target.arguments[at]!);
    flow.lookAgain(from);
  }
}

/** The value that all edges pass to a parameter. */
function single(
  of: (value: Value) => Value,
  param: BlockParam,
  at: number,
  edges: readonly Target[],
): Value | undefined {
  let only: Value | undefined;
  let undef: Value | undefined;
  for (const edge of edges) {
    const value = of(edge.arguments[at]!);
    if (value === param) continue;
    if (isUndefined(value)) undef = value;
    else if (only && only !== value) return undefined;
    else only = value;
  }
  // An undefined value may be any value, but its replacement must dominate the parameter.
  if (undef && only && constantOf(only) === undefined) return undefined;
  return only ?? undef;
}

/** A jump to a block with only a jump gets that jump's target. */
function skipForwarder(flow: Flow, block: Block): void {
  const edges = flow.edgesTo(block);
  if (!edges || edges.length === 0 || block === flow.func.entry) return;
  if (block.insts.length > 0 || block.terminator.op !== Op.Jump) return;
  const [onwards] = block.targets as [Target];
  const { block: to } = onwards;
  if (to === block || block.terminator.facts.unroll !== undefined) return;
  // A loop must keep a single latch.
  if (flow.positionOf(to) <= flow.positionOf(block) && edges.length > 1) return;
  const args = onwards.arguments.map((arg) => flow.of(arg));
  // Parameters that are used beyond the jump need their block.
  if (block.params.some((p) => flow.usesOf(p) > args.filter((arg) => arg === p).length)) return;
  const places = args.map((arg) => block.params.indexOf(arg as BlockParam));
  for (const { target, from } of [...edges]) {
    const given = target.arguments;
    flow.redirect(
      target,
      from,
      to,
      args.map((arg, i) => (places[i]! < 0 ? arg : given[places[i]!]!)),
    );
  }
}

/** A block with one successor of which it is the only predecessor continues in it. */
function mergeChains(flow: Flow): void {
  const gone = new Set<Block>();
  for (const block of flow.order) {
    if (block === flow.func.entry || !flow.edgesTo(block) || gone.has(block)) continue;
    while (block.terminator.op === Op.Jump) {
      const next = block.targets[0]!.block;
      if (next === block || flow.edgesTo(next)!.length !== 1) break;
      continueIn(block, next);
      gone.add(next);
      flow.changed = true;
    }
  }
}

/** The parameters of a block with one predecessor have been replaced. */
function continueIn(block: Block, next: Block): void {
  for (const inst of next.insts) {
    inst.block = block;
    block.insts.push(inst);
  }
  const { unroll } = block.terminator.facts;
  const end = next.terminator;
  end.block = block;
  // The author's unroll hint remains at the loop's header.
  if (unroll !== undefined) end.facts = { unroll, ...end.facts };
  block.terminator = end;
  block.targets = next.targets;
}
