// SPDX-License-Identifier: MIT
//
// Types of operands and results of instructions about groups, bits, carries, dot products and pipes (3.42.13, 3.42.14, 3.42.21,
// 3.42.23, 3.42.24), as a table of signatures.
import { GroupOperation, Op } from '../grammar.gen';
import type { Instruction } from '../module';
import type { Context } from './context';

interface Kind {
  readonly name: string;
  readonly fits: (c: Context, type: number, i: Instruction) => boolean;
}

const definition = (op: Op, name: string): Kind => ({ name, fits: (c, type) => c.find(type)?.op === op });
const isWord = (c: Context, type: number) => c.isInt(type) && c.width(type) === 32;

const KINDS = {
  truth: { name: 'a boolean scalar', fits: (c, t) => c.isBool(t) && c.isScalar(t) },
  truths: { name: 'a boolean scalar or vector', fits: (c, t) => c.isBool(t) },
  integer: { name: 'an integer scalar', fits: (c, t) => c.isInt(t) && c.isScalar(t) },
  integers: { name: 'an integer scalar or vector', fits: (c, t) => c.isInt(t) },
  floats: { name: 'a float scalar or vector', fits: (c, t) => c.isFloat(t) },
  values: {
    name: 'a scalar or vector of numbers or booleans',
    fits: (c, t) => c.isInt(t) || c.isFloat(t) || c.isBool(t),
  },
  numbers: { name: 'a scalar or vector of numbers', fits: (c, t) => c.isInt(t) || c.isFloat(t) },
  word: { name: 'an integer of 32 bits', fits: (c, t) => isWord(c, t) && c.isScalar(t) },
  ballot: {
    name: 'a vector of four integers of 32 bits',
    fits: (c, t) => isWord(c, t) && c.dimension(t) === 4,
  },
  time: {
    name: 'an integer of 64 bits or a vector of two integers of 32 bits',
    fits: (c, t) => c.isInt(t) && c.width(t) * c.dimension(t) === 64 && c.dimension(t) <= 2,
  },
  pointer: { name: 'a pointer', fits: (c, t) => c.isPointer(t) },
  pipe: definition(Op.TypePipe, 'a pipe'),
  reservation: definition(Op.TypeReserveId, 'a reservation'),
  event: definition(Op.TypeEvent, 'an event'),
  same: { name: "of the result's type", fits: (_, t, i) => t === i.type },
  /** Two members of the operands' type. */
  pair: {
    name: "a structure of two members of the operands' type",
    fits: (c, t, i) => {
      const struct = c.find(t);
      const [low, high] = struct?.operands ?? [];
      return (
        struct?.op === Op.TypeStruct &&
        struct.operands.length === 2 &&
        low === high &&
        low === c.typeOf(i.operands[0]!)
      );
    },
  },
  /** A vector of integers, or four bytes in a word. */
  factors: {
    name: 'a vector of integers, or an integer of 32 bits that holds four',
    fits: (c, t) => c.isInt(t) && (!c.isScalar(t) || c.width(t) === 32),
  },
  operation: {
    name: 'a reduction or scan, or a clustered reduction with the size of its clusters',
    fits: (_, __, i) => i.operands[1] !== GroupOperation.ClusteredReduce || i.operands.length > 3,
  },
  /** An operand that is not a value, or that others check. */
  any: { name: '', fits: () => true },
} satisfies Record<string, Kind>;

type KindName = keyof typeof KINDS;

/** The result's kind, or `-` for none, and those of the operands; the last ones may be missing. */
const SIGNATURES: Readonly<Record<string, readonly Op[]>> = {
  'truth word truth': [Op.GroupAll, Op.GroupAny, Op.GroupNonUniformAll, Op.GroupNonUniformAny],
  'values word same integers': [Op.GroupBroadcast],
  'integers word operation same integer': [
    Op.GroupIAdd,
    Op.GroupUMin,
    Op.GroupSMin,
    Op.GroupUMax,
    Op.GroupSMax,
    Op.GroupIMulKHR,
    Op.GroupBitwiseAndKHR,
    Op.GroupBitwiseOrKHR,
    Op.GroupBitwiseXorKHR,
    Op.GroupNonUniformIAdd,
    Op.GroupNonUniformIMul,
    Op.GroupNonUniformSMin,
    Op.GroupNonUniformUMin,
    Op.GroupNonUniformSMax,
    Op.GroupNonUniformUMax,
    Op.GroupNonUniformBitwiseAnd,
    Op.GroupNonUniformBitwiseOr,
    Op.GroupNonUniformBitwiseXor,
  ],
  'floats word operation same integer': [
    Op.GroupFAdd,
    Op.GroupFMin,
    Op.GroupFMax,
    Op.GroupFMulKHR,
    Op.GroupNonUniformFAdd,
    Op.GroupNonUniformFMul,
    Op.GroupNonUniformFMin,
    Op.GroupNonUniformFMax,
  ],
  'truths word operation same integer': [
    Op.GroupLogicalAndKHR,
    Op.GroupLogicalOrKHR,
    Op.GroupLogicalXorKHR,
    Op.GroupNonUniformLogicalAnd,
    Op.GroupNonUniformLogicalOr,
    Op.GroupNonUniformLogicalXor,
  ],
  'truth word': [Op.GroupNonUniformElect],
  'truth word values': [Op.GroupNonUniformAllEqual],
  'values word same integer integer': [
    Op.GroupNonUniformBroadcast,
    Op.GroupNonUniformShuffle,
    Op.GroupNonUniformShuffleXor,
    Op.GroupNonUniformShuffleUp,
    Op.GroupNonUniformShuffleDown,
    Op.GroupNonUniformRotateKHR,
  ],
  'values word same': [Op.GroupNonUniformBroadcastFirst],
  'ballot word truth': [Op.GroupNonUniformBallot],
  'truth word ballot': [Op.GroupNonUniformInverseBallot],
  'truth word ballot integer': [Op.GroupNonUniformBallotBitExtract],
  'integer word operation ballot': [Op.GroupNonUniformBallotBitCount],
  'integer word ballot': [Op.GroupNonUniformBallotFindLSB, Op.GroupNonUniformBallotFindMSB],
  'event word pointer pointer integer integer event': [Op.GroupAsyncCopy],
  '- word integer pointer': [Op.GroupWaitEvents],
  'time word': [Op.ReadClockKHR],
  'ballot truth': [Op.SubgroupBallotKHR],
  'values same': [Op.SubgroupFirstInvocationKHR, Op.ExpectKHR],
  'truth truth': [Op.SubgroupAllKHR, Op.SubgroupAnyKHR],
  'values same integer': [Op.SubgroupReadInvocationKHR, Op.SubgroupShuffleINTEL, Op.SubgroupShuffleXorINTEL],
  'values same same integer': [Op.SubgroupShuffleDownINTEL, Op.SubgroupShuffleUpINTEL],
  'numbers pointer': [Op.SubgroupBlockReadINTEL],
  '- pointer numbers': [Op.SubgroupBlockWriteINTEL],
  '- truth': [Op.AssumeTrueKHR],

  'integers same': [Op.BitReverse],
  'integers same same integer integer': [Op.BitFieldInsert],
  'integers same integer integer': [Op.BitFieldSExtract, Op.BitFieldUExtract],
  'pair integers integers': [Op.IAddCarry, Op.ISubBorrow, Op.UMulExtended, Op.SMulExtended],
  'integer factors factors any': [Op.SDot, Op.UDot, Op.SUDot],
  'integer factors factors same any': [Op.SDotAccSat, Op.UDotAccSat, Op.SUDotAccSat],

  'integer pipe pointer integer integer': [Op.ReadPipe, Op.WritePipe],
  'integer pipe reservation integer pointer integer integer': [Op.ReservedReadPipe, Op.ReservedWritePipe],
  'reservation pipe integer integer integer': [Op.ReserveReadPipePackets, Op.ReserveWritePipePackets],
  'reservation word pipe integer integer integer': [
    Op.GroupReserveReadPipePackets,
    Op.GroupReserveWritePipePackets,
  ],
  '- pipe reservation integer integer': [Op.CommitReadPipe, Op.CommitWritePipe],
  '- word pipe reservation integer integer': [Op.GroupCommitReadPipe, Op.GroupCommitWritePipe],
  'truth reservation': [Op.IsValidReserveId],
  'integer pipe integer integer': [Op.GetNumPipePackets, Op.GetMaxPipePackets],

  'truth pointer pointer': [Op.PtrEqual, Op.PtrNotEqual],
  'integer pointer pointer': [Op.PtrDiff],
  'integer pointer': [Op.GenericPtrMemSemantics],
  'pointer pointer any': [Op.GenericCastToPtrExplicit],
};

/** Operands that have one type, besides those that have the result's. */
const ALIKE: ReadonlySet<Op> = new Set([
  Op.IAddCarry,
  Op.ISubBorrow,
  Op.UMulExtended,
  Op.SMulExtended,
  Op.PtrEqual,
  Op.PtrNotEqual,
  Op.PtrDiff,
]);

type Signature = readonly [Kind | undefined, readonly Kind[]];

const BY_OP: ReadonlyMap<Op, Signature> = new Map(
  Object.entries(SIGNATURES).flatMap(([text, ops]) => {
    const [result, ...operands] = text
      .split(' ')
      .map((word) => (word === '-' ? undefined : KINDS[word as KindName]));
    return ops.map((op) => [op, [result, operands as Kind[]]] as const);
  }),
);

export function checkSignatures(c: Context): void {
  c.eachInstruction((i) => {
    const signature = BY_OP.get(i.op);
    if (!signature) return;
    const [result, operands] = signature;
    if (result && !result.fits(c, i.type, i)) c.fail(i, `its result is ${result.name}`);
    operands.forEach((kind, at) => {
      const id = i.operands[at];
      if (id !== undefined && !kind.fits(c, c.typeOf(id), i))
        c.fail(i, `its operand ${at + 1} is ${kind.name}`);
    });
    if (ALIKE.has(i.op) && c.typeOf(i.operands[0]!) !== c.typeOf(i.operands[1]!))
      c.fail(i, 'its operands have one type');
  });
}
