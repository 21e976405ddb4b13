// SPDX-License-Identifier: MIT
//
// Built-in functions of vendors' extensions.
import { Op, OpenCLStd } from '../../../spirv/grammar.gen';
import { type Builder, boolLike, type Emitter, type Id, integer, NO_ID, opcodeOf, vectorLike } from './site';

const binary = (op: Op) => (b: Builder, x: Id, y: Id) => b.emit(op, b.typeOf(x), [x, y]);
const and = binary(Op.BitwiseAnd);
const or = binary(Op.BitwiseOr);
const add = binary(Op.IAdd);
const subtract = binary(Op.ISub);
const shiftRight = binary(Op.ShiftRightLogical);
const shiftLeft = binary(Op.ShiftLeftLogical);
const likewise = (b: Builder, x: Id, value: number): Id => integer(b, b.typeOf(x), value);
const field = (b: Builder, x: Id, shift: number, mask: number): Id => {
  const low = shift === 0 ? x : shiftRight(b, x, likewise(b, x, shift));
  return and(b, low, likewise(b, x, mask));
};
const equal = (b: Builder, x: Id, value: number): Id =>
  b.emit(Op.IEqual, boolLike(b, b.typeOf(x)), [x, likewise(b, x, value)]);
const choose = (b: Builder, condition: Id, then: Id, otherwise: Id): Id =>
  b.emit(Op.Select, b.typeOf(then), [condition, then, otherwise]);
const absoluteDifference = (b: Builder, x: Id, y: Id): Id =>
  b.openClStd(OpenCLStd.u_abs_diff, b.typeOf(x), [x, y]);

/** The low 32 bits of (high:low) >> shift, the shift modulo 32. */
function align(b: Builder, high: Id, low: Id, shift: Id): Id {
  const rest = subtract(b, likewise(b, shift, 32), shift);
  const joined = or(b, shiftRight(b, low, shift), shiftLeft(b, high, rest));
  // A shift by 32 has no defined result.
  return choose(b, equal(b, shift, 0), low, joined);
}

const bitAlign: Emitter = ({ builder: b, args }) => {
  const [high, low, shift] = args as [Id, Id, Id];
  return align(b, high, low, field(b, shift, 0, 31));
};

const byteAlign: Emitter = ({ builder: b, args }) => {
  const [high, low, bytes] = args as [Id, Id, Id];
  return align(b, high, low, shiftLeft(b, field(b, bytes, 0, 3), likewise(b, bytes, 3)));
};

const BYTES = [0, 8, 16, 24];

/** Average of each byte, rounded up where the third operand's byte is odd. */
const lerp: Emitter = ({ builder: b, args }) => {
  const [x, y, round] = args as [Id, Id, Id];
  return BYTES.map((shift) => {
    const sum = add(b, add(b, field(b, x, shift, 0xff), field(b, y, shift, 0xff)), field(b, round, shift, 1));
    const half = shiftRight(b, sum, likewise(b, sum, 1));
    return shift === 0 ? half : shiftLeft(b, half, likewise(b, half, shift));
  }).reduce((joined, byte) => or(b, joined, byte));
};

/** Sum of the absolute differences of the fields of two words. */
const differences = (b: Builder, x: Id, y: Id, shifts: readonly number[], mask: number): Id =>
  shifts
    .map((shift) => absoluteDifference(b, field(b, x, shift, mask), field(b, y, shift, mask)))
    .reduce((sum, difference) => add(b, sum, difference));

const sad: Emitter = ({ builder: b, args }) => {
  const [x, y, sum] = args as [Id, Id, Id];
  return add(b, differences(b, x, y, BYTES, 0xff), sum);
};

/** Over the components of two vectors. */
const sad4: Emitter = ({ builder: b, args, type }) => {
  const [x, y, sum] = args as [Id, Id, Id];
  let total = sum;
  for (let i = 0; i < 4; i++) {
    const parts = [x, y].map((v) => b.emit(Op.CompositeExtract, type, [v, i])) as [Id, Id];
    total = add(b, total, differences(b, parts[0], parts[1], BYTES, 0xff));
  }
  return total;
};

const sadHigh: Emitter = ({ builder: b, args }) => {
  const [x, y, sum] = args as [Id, Id, Id];
  const total = differences(b, x, y, BYTES, 0xff);
  return add(b, shiftLeft(b, total, likewise(b, total, 16)), sum);
};

const sadWords: Emitter = ({ builder: b, args }) => {
  const [x, y, sum] = args as [Id, Id, Id];
  return add(b, differences(b, x, y, [0, 16], 0xffff), sum);
};

const sadDoubleWords: Emitter = ({ builder: b, args }) => {
  const [x, y, sum] = args as [Id, Id, Id];
  return add(b, absoluteDifference(b, x, y), sum);
};

/** As sad, without the bytes that are 0 in the reference, the second operand. */
function maskedDifferences(b: Builder, x: Id, reference: Id): Id {
  return BYTES.map((shift) => {
    const [byte, wanted] = [field(b, x, shift, 0xff), field(b, reference, shift, 0xff)];
    return choose(b, equal(b, wanted, 0), likewise(b, wanted, 0), absoluteDifference(b, byte, wanted));
  }).reduce((sum, difference) => add(b, sum, difference));
}

const maskedSad: Emitter = ({ builder: b, args }) => {
  const [x, reference, sum] = args as [Id, Id, Id];
  return add(b, maskedDifferences(b, x, reference), sum);
};

/** Four sums of 16 bits, over windows that move by one byte through the 64-bit operand. */
const quadSad =
  (windowDifferences: (b: Builder, x: Id, reference: Id) => Id): Emitter =>
  ({ builder: b, args, type }) => {
    const [window, reference, sums] = args as [Id, Id, Id];
    const narrow = b.typeOf(reference);
    return [0, 1, 2, 3]
      .map((step) => {
        const moved = step === 0 ? window : shiftRight(b, window, likewise(b, window, 8 * step));
        const difference = windowDifferences(b, b.emit(Op.UConvert, narrow, [moved]), reference);
        const wide = b.emit(Op.UConvert, type, [difference]);
        const total = field(b, add(b, wide, field(b, sums, 16 * step, 0xffff)), 0, 0xffff);
        return step === 0 ? total : shiftLeft(b, total, likewise(b, total, 16 * step));
      })
      .reduce((joined, part) => or(b, joined, part));
  };

/** Four floats, clamped to a byte and rounded to even. */
const pack: Emitter = ({ builder: b, args, type }) => {
  const vector = b.typeOf(args[0]!);
  const constant = (value: number) =>
    b.constantComposite(vector, new Array<Id>(4).fill(b.constantFloat(b.elementOf(vector), value)));
  const clamped = b.openClStd(OpenCLStd.fclamp, vector, [args[0]!, constant(0), constant(255)]);
  const rounded = b.openClStd(OpenCLStd.rint, vector, [clamped]);
  const bytes = b.emit(Op.ConvertFToU, vectorLike(b, type, vector), [rounded]);
  return BYTES.map((shift, i) => {
    const byte = b.emit(Op.CompositeExtract, type, [bytes, i]);
    return shift === 0 ? byte : shiftLeft(b, byte, likewise(b, byte, shift));
  }).reduce((joined, byte) => or(b, joined, byte));
};

const unpack: Emitter = ({ builder: b, args, type, data }) =>
  b.emit(Op.ConvertUToF, type, [field(b, args[0]!, 8 * Number(data[0]), 0xff)]);

/** Extracts `width` bits from `offset` on; data is the shift that extends the field. */
const extractBits: Emitter = ({ builder: b, args, type, data }) => {
  const [value, offset, width] = args as [Id, Id, Id];
  const [start, bits] = [field(b, offset, 0, 31), field(b, width, 0, 31)];
  const extend = binary(opcodeOf(data[0]!));
  const total = add(b, start, bits);
  const left = field(b, subtract(b, likewise(b, total, 32), total), 0, 31);
  const right = field(b, subtract(b, likewise(b, bits, 32), bits), 0, 31);
  const inside = extend(b, shiftLeft(b, value, left), right);
  // A field that reaches the top needs no shift to the left.
  const reaches = b.emit(Op.UGreaterThanEqual, boolLike(b, type), [total, likewise(b, total, 32)]);
  const result = choose(b, reaches, extend(b, value, start), inside);
  return choose(b, equal(b, bits, 0), integer(b, type, 0), result);
};

const bitMask: Emitter = ({ builder: b, args }) => {
  const [width, offset] = args as [Id, Id];
  const ones = subtract(
    b,
    shiftLeft(b, likewise(b, width, 1), field(b, width, 0, 31)),
    likewise(b, width, 1),
  );
  return shiftLeft(b, ones, field(b, offset, 0, 31));
};

/** min or max of the element type of `prefix`. */
const extreme = (b: Builder, which: 'min' | 'max', prefix: string, x: Id, y: Id): Id =>
  b.openClStd(OpenCLStd[`${prefix}${which}` as 's_min'], b.typeOf(x), [x, y]);
const extreme3 =
  (which: 'min' | 'max'): Emitter =>
  ({ builder: b, args, data }) => {
    const [x, y, z] = args as [Id, Id, Id];
    return extreme(b, which, data[0]!, extreme(b, which, data[0]!, x, y), z);
  };
const median: Emitter = ({ builder: b, args, data }) => {
  const [x, y, z] = args as [Id, Id, Id];
  const prefix = data[0]!;
  const low = extreme(b, 'min', prefix, x, y);
  const high = extreme(b, 'max', prefix, x, y);
  return extreme(b, 'max', prefix, low, extreme(b, 'min', prefix, high, z));
};

const intelShuffle: Emitter = ({ builder: b, args, type, data }) =>
  b.emit(opcodeOf(data[0]!), type, [...args]);

/** From a buffer (a pointer) or an image (with coordinates). */
const blockRead: Emitter = ({ builder: b, args, type }) =>
  b.emit(args.length === 1 ? Op.SubgroupBlockReadINTEL : Op.SubgroupImageBlockReadINTEL, type, [...args]);
const blockWrite: Emitter = ({ builder: b, args }) => {
  b.emitVoid(args.length === 2 ? Op.SubgroupBlockWriteINTEL : Op.SubgroupImageBlockWriteINTEL, [...args]);
  return NO_ID;
};

export const vendorEmitters = {
  amd_bitalign: bitAlign,
  amd_bytealign: byteAlign,
  amd_lerp: lerp,
  amd_sad: sad,
  amd_sad4: sad4,
  amd_sadhi: sadHigh,
  amd_sadw: sadWords,
  amd_sadd: sadDoubleWords,
  amd_msad: maskedSad,
  amd_qsad: quadSad((b, x, reference) => differences(b, x, reference, BYTES, 0xff)),
  amd_mqsad: quadSad(maskedDifferences),
  amd_pack: pack,
  amd_unpack: unpack,
  amd_bfe: extractBits,
  amd_bfm: bitMask,
  amd_min3: extreme3('min'),
  amd_max3: extreme3('max'),
  amd_median3: median,
  intel_shuffle: intelShuffle,
  intel_block_read: blockRead,
  intel_block_write: blockWrite,
};
