// SPDX-License-Identifier: MIT
//
// The kernel IR's rules. Run between passes in tests and under ANYCL_DEBUG=verify: a violation is our bug.
import { InvariantError } from '../../base/invariant';
import { isPrologueOp } from './build';
import { Dominators } from './cfg';
import { type Block, type Func, type Inst, Op, Type, type Value } from './ir';
import { print } from './print';
import { typeError } from './type-rules';

/** Throws an `InvariantError` that names the first violation and shows the function. */
export function verify(func: Func, after = 'an unnamed step'): void {
  new Verifier(func, after).run();
}

const EDGES: Partial<Record<Op, number>> = {
  [Op.Jump]: 1,
  [Op.Branch]: 2,
  [Op.Switch]: 0,
  [Op.Return]: 0,
  [Op.Unreachable]: 0,
};

class Verifier {
  private readonly blocks: ReadonlySet<Block>;
  /** By id. */
  private readonly values: (Value | undefined)[];
  /** By id: the position in the value's block; -1 for block parameters. */
  private readonly positions: Int32Array;
  /** Instructions, jumps and their lists; each must have one owner. */
  private readonly owned = new Set<object>();

  constructor(
    private readonly func: Func,
    private readonly after: string,
  ) {
    this.blocks = new Set(func.blocks);
    this.values = new Array<Value | undefined>(func.idBound).fill(undefined);
    this.positions = new Int32Array(func.idBound);
  }

  run(): void {
    const { func } = this;
    if (this.blocks.size !== func.blocks.length) this.fail('a block is listed twice');
    if (func.entry.params.length > 0) this.fail('the entry block has parameters');
    for (const block of func.blocks) {
      this.definitions(block);
      this.terminator(block);
      this.jumps(block);
    }
    for (const inst of func.entry.insts)
      if (!isPrologueOp(inst.op)) this.fail(`${Op[inst.op]} is in the prologue`);
    if (func.entry.terminator.op !== Op.Jump) this.fail('the prologue does not end with a jump');
    const dominators = new Dominators(func);
    if (func.isOrdered) this.listOrder(dominators);
    for (const block of dominators.order) this.uses(block, dominators);
  }

  private listOrder(dominators: Dominators): void {
    const listed = new Set<Block>();
    for (const block of this.func.blocks) {
      if (!dominators.index.has(block)) this.fail(`block ${block.id} is unreachable`);
      const dominator = dominators.idomOf(block);
      if (dominator && !listed.has(dominator))
        this.fail(`block ${block.id} is listed before block ${dominator.id}, which dominates it`);
      listed.add(block);
    }
  }

  private fail(message: string): never {
    throw new InvariantError(`kernel IR after ${this.after}: ${message}\n${print(this.func)}`);
  }

  /** Whether no other owner was found before. */
  private own(what: object): boolean {
    const { size } = this.owned;
    return this.owned.add(what).size > size;
  }

  /** Before anything else reads them. */
  private ownOperands(inst: Inst): void {
    const missing = missingAt(inst.operands);
    if (missing >= 0) this.fail(`${Op[inst.op]} (value ${inst.id}) lacks operand ${missing}`);
    if (inst.operands.length > 0 && !this.own(inst.operands))
      this.fail(`${Op[inst.op]} (value ${inst.id}) shares its list of operands`);
  }

  private define(value: Value, block: Block, at: number): void {
    const { id } = value;
    if (id >= this.func.idBound) this.fail(`value ${id} has no id of this function`);
    const known = this.values[id];
    if (known) this.fail(known === value ? `value ${id} is defined twice` : `two values have the id ${id}`);
    if (value.block !== block) this.fail(`value ${id} does not know its block`);
    this.values[id] = value;
    this.positions[id] = at;
  }

  private definitions(block: Block): void {
    for (const param of block.params) {
      this.define(param, block, -1);
      if (param.type === Type.Void) this.fail(`the parameter ${param.id} has the type void`);
    }
    block.insts.forEach((inst, at) => {
      this.define(inst, block, at);
      this.ownOperands(inst);
      if (inst.op >= Op.Jump) this.fail(`${Op[inst.op]} is before the end of block ${block.id}`);
      if (block !== this.func.entry && isPrologueOp(inst.op))
        this.fail(`${Op[inst.op]} is outside of the prologue`);
      const wrong = typeError(inst, this.func.addressBits);
      if (wrong) this.fail(`${Op[inst.op]} (value ${inst.id}): ${wrong}`);
    });
  }

  private terminator(block: Block): void {
    const { terminator, targets } = block;
    if (!terminator) this.fail(`block ${block.id} has no terminator`);
    if (!this.own(terminator)) this.fail(`block ${block.id} ends with another block's terminator`);
    this.ownOperands(terminator);
    if (terminator.block !== block) this.fail(`the terminator of block ${block.id} does not know its block`);
    const { op, operands, facts } = terminator;
    const expected = EDGES[op];
    if (expected === undefined) this.fail(`${Op[op]} is not a terminator`);
    const edges = op === Op.Switch ? (facts.cases?.length ?? -1) + 1 : expected;
    if (targets.length !== edges) this.fail(`${Op[op]} has ${targets.length} targets, not ${edges}`);
    const wrong = typeError(terminator, this.func.addressBits);
    if (wrong) this.fail(`${Op[op]}: ${wrong}`);
    if (op !== Op.Return) return;
    const { results } = this.func;
    if (operands.length !== results.length || operands.some(({ type }, at) => type !== results[at]))
      this.fail(
        `Return gives something else than ${results.map((type) => Type[type]).join(', ') || Type[Type.Void]}`,
      );
  }

  private jumps(block: Block): void {
    for (const target of block.targets) {
      const { block: to, arguments: args } = target;
      if (!this.own(target)) this.fail(`a jump of block ${block.id} belongs to another place, too`);
      if (args.length > 0 && !this.own(args))
        this.fail(`a jump of block ${block.id} shares its list of arguments`);
      if (!this.blocks.has(to)) this.fail(`block ${block.id} jumps out of the function`);
      if (to === this.func.entry) this.fail('a jump to the entry block');
      if (args.length !== to.params.length)
        this.fail(
          `a jump to block ${to.id} passes ${args.length} arguments for ${to.params.length} parameters`,
        );
      const missing = missingAt(args);
      if (missing >= 0) this.fail(`a jump to block ${to.id} lacks argument ${missing}`);
      args.forEach((arg, i) => {
        if (arg.type !== to.params[i]!.type)
          this.fail(`a jump to block ${to.id} passes ${Type[arg.type]} for ${Type[to.params[i]!.type]}`);
      });
    }
  }

  private uses(block: Block, dominators: Dominators): void {
    const use = (value: Value, at: number, by: Op | undefined) => {
      const { id, type } = value;
      const isBefore =
        value.block === block ? this.positions[id]! < at : dominators.dominates(value.block, block);
      if (this.values[id] === value && type !== Type.Void && isBefore) return;
      const user = by === undefined ? 'a jump' : Op[by];
      if (this.values[id] !== value) this.fail(`${user} uses value ${id}, which is nowhere`);
      if (type === Type.Void) this.fail(`${user} uses a value of type void`);
      this.fail(`${user} uses value ${id}, whose definition does not dominate it`);
    };
    block.insts.forEach((inst, at) => {
      for (const operand of inst.operands) use(operand, at, inst.op);
    });
    const { terminator, targets } = block;
    const end = block.insts.length;
    for (const operand of terminator.operands) use(operand, end, terminator.op);
    for (const target of targets) for (const arg of target.arguments) use(arg, end, undefined);
  }
}

/** The place of a value that is not there, though the types say that it is; -1 if all are. */
function missingAt(values: readonly (Value | undefined)[]): number {
  return values.indexOf(undefined);
}
