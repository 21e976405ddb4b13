// SPDX-License-Identifier: MIT
//
// Keeps halves as floats between operations. The front end converts each operand of an operation to a float and the result back to a
// half; here an operand that another operation has computed is that operation's float, rounded to a half (FRoundHalf). That costs less
// than two conversions. Loop variables become floats, too.
import { roundToHalf } from '../../base/half';
import { addParam, constantOf, Leaves, makeInst } from '../ir/build';
import { type Block, type BlockParam, type Func, Inst, Op, Type, type Value } from '../ir/ir';
import { mapUses } from '../ir/rewrite';

export function widenHalves(func: Func): boolean {
  const isWidening = (inst: Inst) => widenedBy(inst) !== undefined;
  if (!func.blocks.some(({ insts }) => insts.some(isWidening))) return false;
  return new Widening(func).run();
}

/** The half that an instruction converts to a float. */
function widenedBy({ op, type, operands }: Inst): Value | undefined {
  const half = operands[0];
  return op === Op.FConvert && type === Type.F32 && half?.type === Type.F16 ? half : undefined;
}

/** The float that a half was converted from. */
function sourceOf(half: Value): Value | undefined {
  if (half.kind !== 'inst' || half.op !== Op.FConvert) return undefined;
  const [from] = half.operands as [Value];
  return from.type === Type.F32 ? from : undefined;
}

/** The operation on floats that an operation on a half's bits is. */
const ON_BITS = [
  { op: Op.Xor, mask: -0x8000, float: Op.FNeg },
  { op: Op.And, mask: 0x7fff, float: Op.FAbs },
] as const;

/** The half, and the operation, if a half is another one with its sign changed. */
function signChange(half: Value): { float: Op; of: Value } | undefined {
  const bits = half.kind === 'inst' && half.op === Op.Bitcast ? half.operands[0]! : undefined;
  if (bits?.kind !== 'inst') return undefined;
  const [from, mask] = bits.operands;
  const row = ON_BITS.find(({ op, mask: m }) => op === bits.op && mask && constantOf(mask) === m);
  if (!row || from?.kind !== 'inst' || from.op !== Op.Bitcast || from.operands[0]!.type !== Type.F16)
    return undefined;
  return { float: row.float, of: from.operands[0]! };
}

class Widening {
  private readonly leaves: Leaves;
  /** Block parameters that become floats. */
  private readonly params = new Map<Value, BlockParam>();
  private readonly widened = new Map<Value, Value>();
  /** New instructions, by the value that they come after. */
  private readonly after = new Map<Value, Inst[]>();
  private changed = false;

  constructor(private readonly func: Func) {
    this.leaves = new Leaves(func);
  }

  run(): boolean {
    const replaced = new Map<Value, Value>();
    const widenings = this.func.blocks.flatMap(({ insts }) => insts.filter((inst) => widenedBy(inst)));
    this.chooseParams(widenings);
    for (const inst of widenings) {
      const float = this.widen(widenedBy(inst)!);
      if (float) replaced.set(inst, float);
    }
    this.passFloats(replaced);
    this.changed ||= replaced.size > 0;
    if (!this.changed) return false;
    for (const block of this.func.blocks) {
      this.place(block);
      mapUses(block, (value) => replaced.get(value) ?? value);
    }
    return true;
  }

  /**
   * A parameter becomes a float if it is widened, and either nothing uses its bits or all that it may be is computed: a half that is only
   * moved must keep the bits of a signaling NaN.
   */
  private chooseParams(widenings: readonly Inst[]): void {
    const arriving = new Map<Value, Value[]>();
    const usedAsBits = new Set<Value>();
    const passedTo = new Map<Value, Value[]>();
    for (const { insts, terminator, targets } of this.func.blocks) {
      for (const inst of [...insts, terminator])
        if (!widenedBy(inst)) for (const operand of inst.operands) usedAsBits.add(operand);
      for (const { block, arguments: args } of targets)
        args.forEach((arg, at) => {
          const param = block.params[at]!;
          if (param.type !== Type.F16) return;
          listOf(arriving, param).push(arg);
          listOf(passedTo, arg).push(param);
        });
    }
    const chosen = new Set(arriving.keys());
    const isComputed = (half: Value): boolean =>
      chosen.has(half) ||
      sourceOf(half) !== undefined ||
      !Number.isNaN(Number(constantOf(half) ?? Number.NaN));
    const isValid = (param: Value): boolean =>
      arriving.get(param)!.every(isComputed) ||
      (!usedAsBits.has(param) && (passedTo.get(param) ?? []).every((to) => chosen.has(to)));
    for (let removed = true; removed; ) {
      removed = false;
      for (const param of chosen) if (!isValid(param)) removed = chosen.delete(param);
    }
    // Those that nothing widens may stay halves, unless one that is widened gets them.
    const wanted = widenings.map((inst) => widenedBy(inst)!).filter((half) => chosen.has(half));
    for (const param of wanted) {
      if (this.params.has(param)) continue;
      this.replaceParam(param as BlockParam);
      wanted.push(...arriving.get(param)!.filter((half) => chosen.has(half)));
    }
  }

  /** Adds a parameter for the float, from which the half is made where it is still needed. */
  private replaceParam(param: BlockParam): void {
    const float = addParam(this.func, param.block, Type.F32);
    this.params.set(param, float);
    this.widened.set(param, float);
    this.changed = true;
  }

  /** Gives the new parameters their arguments, and removes the old ones. */
  private passFloats(replaced: Map<Value, Value>): void {
    for (const { targets } of this.func.blocks)
      for (const target of targets) {
        const { params } = target.block;
        const olds = params.filter((param) => this.params.has(param));
        if (olds.length === 0) continue;
        const kept = target.arguments.filter((_, at) => !this.params.has(params[at]!));
        const floats = olds.map((old) => {
          const half = target.arguments[params.indexOf(old)]!;
          return this.widen(half) ?? this.add(half, Op.FConvert, [half]);
        });
        target.arguments = [...kept, ...floats];
      }
    const olds = [...this.params.keys()] as BlockParam[];
    // The new parameters follow all others in the old ones' order.
    for (const block of new Set(olds.map((old) => old.block))) {
      const floats = block.params.filter((p) => this.params.has(p)).map((p) => this.params.get(p)!);
      const others = block.params.filter((p) => !this.params.has(p) && !floats.includes(p));
      block.params = [...others, ...floats];
    }
    for (const old of olds) {
      const float = this.params.get(old)!;
      const half = makeInst(this.func, old.block, Op.FConvert, Type.F16, [float]);
      listOf(this.after, float).push(half);
      replaced.set(old, half);
    }
  }

  /** A half as a float, without a conversion from F16; undefined if that is not possible. */
  private widen(half: Value): Value | undefined {
    const known = this.widened.get(half);
    if (known) return known;
    const float = this.create(half);
    if (float) this.widened.set(half, float);
    return float;
  }

  private create(half: Value): Value | undefined {
    const constant = constantOf(half);
    if (constant !== undefined) return this.leaves.constant(Type.F32, constant);
    const source = sourceOf(half);
    if (source) return isHalf(source) ? source : this.add(half, Op.FRoundHalf, [source]);
    const change = signChange(half);
    if (change) {
      const of = this.widen(change.of);
      return of && this.add(half, change.float, [of]);
    }
    if (half.kind !== 'inst' || half.op !== Op.Select) return undefined;
    const [condition, ...sides] = half.operands as [Value, Value, Value];
    const floats = sides.map((side) => this.widen(side));
    return floats.every((float) => float !== undefined)
      ? this.add(half, Op.Select, [condition, ...(floats as Value[])])
      : undefined;
  }

  private add(after: Value, op: Op, operands: Value[]): Inst {
    const position = after instanceof Inst ? after.position : undefined;
    const inst = makeInst(this.func, after.block, op, Type.F32, operands, {}, position);
    listOf(this.after, after).push(inst);
    return inst;
  }

  /** Puts the new instructions into a block. */
  private place(block: Block): void {
    const { after } = this;
    const following = (value: Value): Inst[] => (after.get(value) ?? []).flatMap((i) => [i, ...following(i)]);
    const values = [...block.params, ...block.insts];
    if (!values.some((value) => after.has(value))) return;
    block.insts = values.flatMap((value) => [...(value.kind === 'inst' ? [value] : []), ...following(value)]);
  }
}

/** Operations whose result is a half if all operands are. */
const CLOSED: ReadonlySet<Op> = new Set([
  Op.FMin,
  Op.FMax,
  Op.FNeg,
  Op.FAbs,
  Op.FCopySign,
  Op.FFloor,
  Op.FCeil,
  Op.FTrunc,
  Op.FRint,
]);

/** Whether a float is certainly a half's value. */
function isHalf(float: Value): boolean {
  const constant = constantOf(float);
  if (constant !== undefined) return Object.is(roundToHalf(Number(constant)), constant);
  if (float.kind !== 'inst') return false;
  return widenedBy(float) !== undefined || (CLOSED.has(float.op) && float.operands.every(isHalf));
}

function listOf<K, V>(lists: Map<K, V[]>, key: K): V[] {
  let list = lists.get(key);
  if (!list) {
    list = [];
    lists.set(key, list);
  }
  return list;
}
