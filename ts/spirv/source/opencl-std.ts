// SPDX-License-Identifier: MIT
//
// OpenCL.std's instructions are OpenCL C's functions: by their own name, without the prefix for the sign and the suffix for the
// size.
import { FPRoundingMode, Op, OpenCLStd } from '../grammar.gen';
import type { Id, Instruction } from '../module';
import type { Body, Statement, Statements } from './body';
import { inexpressible } from './tables';

const E = OpenCLStd;

const NAMES: Partial<Record<OpenCLStd, string>> = {
  [E.fmax_common]: 'max',
  [E.fmin_common]: 'min',
  [E.fclamp]: 'clamp',
};

/** Operands that are signed although the name does not say so, by index; for a pointer, its pointee. */
const SIGNED_OPERANDS: Partial<Record<OpenCLStd, number>> = {
  [E.ldexp]: 1,
  [E.pown]: 1,
  [E.rootn]: 1,
  [E.frexp]: 1,
  [E.lgamma_r]: 1,
  [E.remquo]: 2,
};

/** Instructions that write or read memory through a pointer, or have another effect. */
const WITH_EFFECTS: ReadonlySet<OpenCLStd> = new Set([
  E.frexp,
  E.lgamma_r,
  E.remquo,
  E.modf,
  E.fract,
  E.sincos,
  E.prefetch,
]);

function signedOperand(b: Body, id: number): string {
  const type = b.typeOf(id);
  if (b.info(type).kind !== 'pointer') return b.signed(id);
  const { types } = b.t;
  return `(${types.signed(types.pointee(type))} ${types.space(types.storage(type))} *)${b.get(id)}`;
}

function named(b: Body, i: Instruction, inst: OpenCLStd, args: readonly number[]): void {
  const original = OpenCLStd[inst];
  if (original === undefined) inexpressible(`instruction ${inst} of OpenCL.std`);
  const isSigned = original.startsWith('s_');
  const name = NAMES[inst] ?? original.replace(/^[su]_/, '');
  const texts = args.map((id, at) => {
    if (SIGNED_OPERANDS[inst] === at) return signedOperand(b, id);
    // The low half of an upsampled number has no sign.
    return isSigned && !(inst === E.s_upsample && at === 1) ? b.signed(id) : b.get(id);
  });
  const call = `${b.t.builtin(name)}(${texts.join(', ')})`;
  const text = isSigned || inst === E.ilogb ? b.unsigned(i.type, call) : call;
  if (WITH_EFFECTS.has(inst)) b.set(i, text);
  else b.define(i, text);
}

const size = (count: number): string => (count > 1 ? `${count}` : '');

const ROUNDING = (mode: FPRoundingMode): string => `_${FPRoundingMode[mode]!.toLowerCase()}`;

/** vload and vstore: the size is in the name. A rounding mode follows the pointer. */
function vector(b: Body, i: Instruction, inst: OpenCLStd, args: readonly number[]): void {
  switch (inst) {
    case E.vloadn:
    case E.vload_half:
    case E.vload_halfn:
    case E.vloada_halfn: {
      const name = OpenCLStd[inst].replace(/n$/, '') + size(b.info(i.type).count);
      b.set(i, `${b.t.builtin(name)}(${b.get(args[0]!)}, ${b.get(args[1]!)})`);
      return;
    }
    default: {
      const rounded = args.length > 3;
      const name =
        OpenCLStd[inst].replace(/n?(_r)?$/, '') +
        size(b.info(b.typeOf(args[0]!)).count) +
        (rounded ? ROUNDING(args[3]!) : '');
      b.line(`${b.t.builtin(name)}(${b.gets(args.slice(0, 3)).join(', ')});`);
    }
  }
}

/** The characters that a pointer points to, through address computations, where that is a constant string. */
function stringAt(b: Body, id: number): string | undefined {
  const i = b.t.tables.definition(id);
  switch (i.op) {
    case Op.Bitcast:
    case Op.PtrCastToGeneric:
      return stringAt(b, i.operands[0]!);
    case Op.AccessChain:
    case Op.InBoundsAccessChain:
    case Op.PtrAccessChain:
    case Op.InBoundsPtrAccessChain:
      return i.operands.slice(1).every((index) => b.t.tables.integer(index) === 0)
        ? stringAt(b, i.operands[0]!)
        : undefined;
    case Op.SpecConstantOp:
      return i.operands.slice(2).every((index) => b.t.tables.integer(index) === 0)
        ? stringAt(b, i.operands[1]!)
        : undefined;
    case Op.Variable:
      return i.operands[1] === undefined ? undefined : characters(b, i.operands[1]);
    default:
      return undefined;
  }
}

function characters(b: Body, id: number): string | undefined {
  const i = b.t.tables.definition(id);
  if (i.op === Op.ConstantNull) return '';
  if (i.op !== Op.ConstantComposite) return undefined;
  const codes: number[] = [];
  for (const part of i.operands) {
    const code = b.t.tables.integer(part);
    if (code === undefined) return undefined;
    if (code === 0) break;
    codes.push(code & 0xff);
  }
  return codes.map(escaped).join('');
}

function escaped(code: number): string {
  if (code === 0x22 || code === 0x5c) return `\\${String.fromCharCode(code)}`;
  // A question mark is escaped, because it may begin a trigraph.
  return code >= 0x20 && code < 0x7f && code !== 0x3f
    ? String.fromCharCode(code)
    : `\\${code.toString(8).padStart(3, '0')}`;
}

function printf(b: Body, i: Instruction, args: readonly number[]): void {
  const [format, ...rest] = args;
  const text = stringAt(b, format!) ?? inexpressible('a format of printf that is not a constant string');
  const values = rest.map((id) => {
    const isPointer = b.info(b.typeOf(id)).kind === 'pointer';
    const string = isPointer ? stringAt(b, id) : undefined;
    return string === undefined ? b.get(id) : `"${string}"`;
  });
  b.set(i, `printf(${[`"${text}"`, ...values].join(', ')})`);
}

const VECTORS: ReadonlySet<OpenCLStd> = new Set([
  E.vloadn,
  E.vstoren,
  E.vload_half,
  E.vload_halfn,
  E.vstore_half,
  E.vstore_half_r,
  E.vstore_halfn,
  E.vstore_halfn_r,
  E.vloada_halfn,
  E.vstorea_halfn,
  E.vstorea_halfn_r,
]);

const extended: Statement = (b, i) => {
  const [set, inst, ...args] = i.operands as [Id, OpenCLStd, ...number[]];
  const name = b.t.tables.extInstSets.get(set) ?? '';
  if (name.startsWith('OpenCL.DebugInfo') || name.startsWith('NonSemantic.')) return;
  if (name !== 'OpenCL.std') inexpressible(`the instructions of ${name}`);
  if (inst === E.printf) printf(b, i, args);
  else if (VECTORS.has(inst)) vector(b, i, inst, args);
  else named(b, i, inst, args);
};

export const EXTENDED: Statements = { [Op.ExtInst]: extended };
