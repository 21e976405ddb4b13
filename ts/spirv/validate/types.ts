// SPDX-License-Identifier: MIT
//
// Types and constants (3.42.6, 3.42.7).
import { Capability, Op, StorageClass } from '../grammar.gen';
import type { Instruction } from '../module';
import { type Context, isConstantOp, isTypeOp } from './context';

export function checkTypes(c: Context): void {
  const seen = new Set<string>();
  /** By struct: how deep structs nest in it. */
  const depths = new Map<number, number>();
  const standard = c.module.extInstImports.get('OpenCL.std');
  for (const i of c.module.globals) {
    if (isTypeOp(i.op)) {
      TYPES[i.op]?.(c, i);
      if (i.op === Op.TypeStruct) checkNesting(c, i, depths);
      if (!AGGREGATE.has(i.op)) {
        const key = `${i.op} ${i.operands.join(' ')}`;
        if (seen.has(key)) c.fail(i, 'types that are not aggregates are declared once');
        seen.add(key);
      }
    } else if (isConstantOp(i.op)) constant(c, i);
    else if (i.op === Op.Variable && i.operands[0] === StorageClass.Function)
      c.fail(i, 'variables of storage class Function stand in functions');
    else if (!GLOBAL.has(i.op)) c.fail(i, 'it stands in a function');
    else if (i.op === Op.ExtInst && i.operands[0] === standard)
      c.fail(i, 'instructions of OpenCL.std stand in functions');
  }
  c.eachInstruction((i) => {
    if (isTypeOp(i.op) || isConstantOp(i.op)) c.fail(i, 'types and constants stand before the functions');
  });
}

/** The members of a struct are declared before it. */
function checkNesting(c: Context, struct: Instruction, depths: Map<number, number>): void {
  let depth = 1;
  for (const member of struct.operands) {
    let type = c.find(member);
    while (type?.op === Op.TypeArray) type = c.find(type.operands[0]!);
    if (type) depth = Math.max(depth, 1 + (depths.get(type.result) ?? 0));
  }
  depths.set(struct.result, depth);
  if (depth > DEEPEST_STRUCT) c.fail(struct, `structs nest ${DEEPEST_STRUCT} deep at most, not ${depth}`);
}

/** Universal limit (2.17). */
const DEEPEST_STRUCT = 255;
const AGGREGATE: ReadonlySet<Op> = new Set([
  Op.TypeArray,
  Op.TypeRuntimeArray,
  Op.TypeStruct,
  Op.TypePointer,
  Op.TypeForwardPointer,
]);

/** Other instructions in the section of types. */
const GLOBAL: ReadonlySet<Op> = new Set([
  Op.Variable,
  Op.Undef,
  Op.ExtInst,
  Op.ExtInstWithForwardRefsKHR,
  Op.ConstantFunctionPointerINTEL,
  Op.ConstantPipeStorage,
  Op.ConstantCompositeReplicateEXT,
  Op.SpecConstantCompositeReplicateEXT,
  Op.ConstantCompositeContinuedINTEL,
  Op.SpecConstantCompositeContinuedINTEL,
  Op.TypeStructContinuedINTEL,
  Op.SizeOf,
]);

type Check = (c: Context, i: Instruction) => void;

const TYPES: Partial<Record<Op, Check>> = {
  [Op.TypeInt](c, i) {
    const [width, signedness] = i.operands;
    const has = (capability: Capability) => c.module.capabilities.has(capability);
    const widths: Record<number, boolean> = {
      8: has(Capability.Int8),
      16: has(Capability.Int16),
      32: true,
      64: has(Capability.Int64),
    };
    if (!widths[width!] && !has(Capability.ArbitraryPrecisionIntegersALTERA))
      c.fail(i, `integers have 8, 16, 32 or 64 bits and the capability for it; not ${width}`);
    if (signedness! > 1) c.fail(i, `signedness is 0 or 1, not ${signedness}`);
    if (signedness === 1 && has(Capability.Kernel))
      c.fail(i, 'signedness is 0 where the Kernel capability is used');
  },
  [Op.TypeFloat](c, i) {
    if (i.operands.length > 1) return;
    if (![16, 32, 64].includes(i.operands[0]!)) c.fail(i, 'floats have 16, 32 or 64 bits');
    const has = (capability: Capability) => c.module.capabilities.has(capability);
    if (i.operands[0] === 64 && !has(Capability.Float64))
      c.fail(i, 'floats of 64 bits require the capability Float64');
    if (i.operands[0] === 16 && !has(Capability.Float16) && !has(Capability.Float16Buffer))
      c.fail(i, 'floats of 16 bits require the capability Float16 or Float16Buffer');
  },
  [Op.TypeVector](c, i) {
    const component = c.find(i.operands[0]!)?.op;
    if (component !== Op.TypeInt && component !== Op.TypeFloat && component !== Op.TypeBool)
      if (component !== Op.TypePointer) c.fail(i, 'components are scalars');
    const count = i.operands[1]!;
    if (![2, 3, 4, 8, 16].includes(count))
      c.fail(i, `vectors have 2, 3, 4, 8 or 16 components, not ${count}`);
    if (count > 4 && !c.module.capabilities.has(Capability.Vector16))
      c.fail(i, `${count} components require the capability Vector16`);
  },
  [Op.TypeArray](c, i) {
    element(c, i, i.operands[0]!);
    const length = c.find(i.operands[1]!);
    if (!length || !isConstantOp(length.op) || !c.isInt(length.type))
      c.fail(i, 'its length is a constant of integer type');
    if (length!.op === Op.Constant && c.integer(length!.result) === 0) c.fail(i, 'its length is at least 1');
  },
  [Op.TypeStruct](c, i) {
    for (const member of i.operands) {
      const type = c.find(member);
      if (!type || (!isTypeOp(type.op) && type.op !== Op.TypeForwardPointer))
        c.fail(i, `member %${member} is not a type`);
      if (type!.op === Op.TypeVoid) c.fail(i, 'a member cannot be void');
    }
  },
  [Op.TypePointer](c, i) {
    const pointee = c.type(i.operands[1]!);
    if (!isTypeOp(pointee.op)) c.fail(i, `%${i.operands[1]} is not a type`);
    if (pointee.op === Op.TypeFunction && !c.module.capabilities.has(Capability.FunctionPointersINTEL))
      c.fail(i, 'pointers to functions require the capability FunctionPointersINTEL');
  },
  [Op.TypeFunction](c, i) {
    i.operands.forEach((id, at) => {
      const type = c.type(id);
      if (!isTypeOp(type.op)) c.fail(i, `%${id} is not a type`);
      if (at > 0 && type.op === Op.TypeVoid) c.fail(i, 'a parameter cannot be void');
    });
  },
  [Op.TypeImage](c, i) {
    const [, , depth, arrayed, multisampled, sampled] = i.operands;
    if (depth! > 2) c.fail(i, `Depth is 0, 1 or 2, not ${depth}`);
    if (arrayed! > 1) c.fail(i, `Arrayed is 0 or 1, not ${arrayed}`);
    if (multisampled! > 1) c.fail(i, `MS is 0 or 1, not ${multisampled}`);
    if (sampled! > 2) c.fail(i, `Sampled is 0, 1 or 2, not ${sampled}`);
  },
  [Op.TypeSampledImage](c, i) {
    if (c.type(i.operands[0]!).op !== Op.TypeImage) c.fail(i, 'it is made of an OpTypeImage');
  },
};

function element(c: Context, i: Instruction, id: number): void {
  const type = c.type(id);
  if (!isTypeOp(type.op) || type.op === Op.TypeVoid) c.fail(i, `elements cannot be of %${id}`);
}

function constant(c: Context, i: Instruction): void {
  const type = c.type(i.type);
  switch (i.op) {
    case Op.ConstantTrue:
    case Op.ConstantFalse:
    case Op.SpecConstantTrue:
    case Op.SpecConstantFalse:
      if (type.op !== Op.TypeBool) c.fail(i, 'its type is OpTypeBool');
      return;
    case Op.Constant:
    case Op.SpecConstant:
      if (type.op !== Op.TypeInt && type.op !== Op.TypeFloat)
        c.fail(i, 'its type is an integer or float scalar');
      narrow(c, i, type);
      return;
    case Op.ConstantComposite:
    case Op.SpecConstantComposite:
      composite(c, i, type);
      return;
    case Op.ConstantSampler:
      if (type.op !== Op.TypeSampler) c.fail(i, 'its type is OpTypeSampler');
      return;
    case Op.ConstantNull:
      if (type.op === Op.TypeVoid || type.op === Op.TypeFunction || type.op === Op.TypeImage)
        c.fail(i, `there is no null of Op${Op[type.op]}`);
      return;
  }
}

/** Literals narrower than a word are extended to it (2.2.1): floats and unsigned integers by zeros. */
function narrow(c: Context, i: Instruction, type: Instruction): void {
  const [width, signedness] = type.operands;
  if (width! >= 32) return;
  const word = i.operands[0]!;
  const isSigned = type.op === Op.TypeInt && signedness === 1;
  const shift = 32 - width!;
  const extended = isSigned ? ((word << shift) >> shift) >>> 0 : (word << shift) >>> shift;
  if (word !== extended)
    c.fail(i, `its literal of ${width} bits is ${isSigned ? 'sign' : 'zero'}-extended to a word`);
}

function composite(c: Context, i: Instruction, type: Instruction): void {
  let want: (at: number) => number;
  let count: number | undefined;
  switch (type.op) {
    case Op.TypeVector:
    case Op.TypeMatrix:
      want = () => type.operands[0]!;
      count = type.operands[1]!;
      break;
    case Op.TypeArray: {
      want = () => type.operands[0]!;
      const length = c.find(type.operands[1]!);
      // A length that is specialized is not known yet.
      count = length?.op === Op.Constant ? c.integer(length.result) : undefined;
      break;
    }
    case Op.TypeStruct:
      want = (at) => type.operands[at]!;
      count = type.operands.length;
      break;
    default:
      c.fail(i, 'its type is a composite');
  }
  if (count !== undefined && i.operands.length !== count)
    c.fail(i, `its type has ${count} constituents, it has ${i.operands.length}`);
  i.operands.forEach((id, at) => {
    const part = c.find(id);
    const mayStand =
      part &&
      (isConstantOp(part.op) || part.op === Op.Undef || part.op === Op.Variable || GLOBAL.has(part.op));
    if (!mayStand) c.fail(i, `constituent %${id} is not a constant`);
    if (part!.type !== want(at))
      c.fail(i, `constituent %${id} does not have the type of the composite's part ${at}`);
  });
}
