// SPDX-License-Identifier: MIT
//
// What a kernel accesses, as formulas over the sizes of its ND-range and its arguments. The JIT writes it (jit/proofs), and the
// backend computes it for a launch (backend/software/proofs): where it proves that no access can be a fault, the launch runs code
// without checks or clamps. See docs/adr/0036-launch-proofs.md.

const COMPARISONS = ['slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge', 'eq', 'ne'] as const;
export type Comparison = (typeof COMPARISONS)[number];

const ID_KINDS = [
  'global',
  'local',
  'group',
  'global-size',
  'local-size',
  'groups',
  'global-offset',
  'linear-local',
  'group-size',
] as const;
export type IdKind = (typeof ID_KINDS)[number];

/** Operations on integers; they wrap at the width of the node. */
const ARITHMETIC = [
  'add',
  'sub',
  'mul',
  'shl',
  'lshr',
  'ashr',
  'and',
  'or',
  'xor',
  'sdiv',
  'udiv',
  'srem',
  'urem',
  'smin',
  'smax',
  'umin',
  'umax',
] as const;
export type Arithmetic = (typeof ARITHMETIC)[number];

/** A number of a work-item. Operands are indexes of nodes. `width` is in bits; of a comparison, that of its operands. */
export type SummaryNode =
  | { readonly op: 'unknown'; readonly width: number }
  | { readonly op: 'constant'; readonly value: number; readonly width: number }
  /** The bytes at an offset in the dispatch block. */
  | { readonly op: 'argument'; readonly offset: number; readonly width: number }
  | { readonly op: 'id'; readonly of: IdKind; readonly dimension: number; readonly width: number }
  | { readonly op: Arithmetic; readonly a: number; readonly b: number; readonly width: number }
  /** Of the low bits of `a`, as many as its width or this one has. */
  | { readonly op: 'sext' | 'zext'; readonly a: number; readonly from: number; readonly width: number }
  | { readonly op: 'trunc'; readonly a: number; readonly width: number }
  | {
      readonly op: 'compare';
      readonly by: Comparison;
      readonly a: number;
      readonly b: number;
      readonly width: number;
    }
  /** `a` where a condition of the control flow holds. */
  | {
      readonly op: 'refine';
      readonly by: Comparison;
      readonly a: number;
      readonly b: number;
      readonly width: number;
    }
  /** `a - b` where a condition of the control flow says that `a` is not smaller, as signed or unsigned numbers. */
  | {
      readonly op: 'difference';
      readonly by: 'signed' | 'unsigned';
      readonly a: number;
      readonly b: number;
      readonly width: number;
    }
  /** One of several values. */
  | { readonly op: 'merge'; readonly of: readonly number[]; readonly width: number }
  /** A loop's variable: its values before the loop, and after an iteration, which depend on this node. */
  | {
      readonly op: 'loop';
      readonly first: readonly number[];
      readonly next: readonly number[];
      readonly width: number;
    };

/** A condition under which an access is done. */
export interface SummaryCondition {
  readonly by: Comparison;
  readonly a: number;
  readonly b: number;
  readonly width: number;
}

export interface SummaryAccess {
  readonly kind: 'read' | 'write' | 'atomic';
  /** The kernel's argument that the address is derived from; otherwise an object of `bytes`. */
  readonly argument?: number;
  readonly bytes?: number;
  /** The address relative to the object; `offset` is added to it. */
  readonly address: number;
  readonly offset: number;
  readonly size: number;
  readonly align: number;
  /** The global ids at the place of the access, as far as conditions there bound them. */
  readonly ids: readonly { readonly dimension: number; readonly id: number }[];
  /** Of stores to arguments: the access is done by exactly the work-items for which all of these hold. Absent: not known. */
  readonly when?: readonly SummaryCondition[];
  /** Of checked kernels' accesses to arguments: conditions that hold for all work-items that do the access. */
  readonly under?: readonly SummaryCondition[];
  /** Of checked kernels. */
  readonly pattern?: AccessPattern;
}

/**
 * What the pattern of an access depends on, as nodes: where they are the same for the work-items of each group, all groups do the
 * access equally often, at the same places between barriers.
 */
export interface AccessPattern {
  /** Whether it belongs to memory of a work-group or a work-item, which has no contents before. */
  readonly isFresh: boolean;
  readonly isPrivate: boolean;
  /** Whether no work-item does it more than once: it is in no loop. */
  readonly isOnce: boolean;
  /** Conditions that decide whether and how often it is done. */
  readonly reached: readonly number[];
  /** Conditions that decide which address it has. */
  readonly chosen: readonly number[];
  /** Conditions of branches that dominate it: it is done only where each of these nodes is 1, or 0. */
  readonly guards: readonly Guard[];
}

export interface Guard {
  readonly node: number;
  readonly holds: boolean;
}

export interface AccessSummary {
  readonly nodes: readonly SummaryNode[];
  readonly accesses: readonly SummaryAccess[];
  /** Nodes that must be 1: the conditions of the program's assertions, and of what the front end has added. */
  readonly assertions: readonly number[];
  /** What the summary says nothing about: a launch whose context asks for one of these is checked. */
  readonly unproven: readonly UnprovenCheck[];
  /** Of checked kernels: what the formulas say nothing about, but the patterns do. */
  readonly byPattern?: readonly UnprovenCheck[];
  /** Of each assertion, what its pattern depends on. */
  readonly assertionPatterns?: readonly Pick<AccessPattern, 'reached' | 'chosen' | 'guards'>[];
  /** The conditions that barriers and other operations of a group depend on. */
  readonly barriers?: readonly number[];
}
export type UnprovenCheck = 'races' | 'uninitialized' | 'barriers' | 'assertions';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);
const isDimension = (value: unknown) => value === 0 || value === 1 || value === 2;
const isAmong = (list: readonly string[], value: unknown) => list.includes(value as string);

/** Whether a value that was read from a file has the shape of a summary. */
export function isAccessSummary(value: unknown): value is AccessSummary {
  if (!isRecord(value)) return false;
  const { nodes, accesses, assertions, unproven } = value;
  if (![nodes, accesses, assertions, unproven].every(Array.isArray)) return false;
  const count = (nodes as unknown[]).length;
  const isNode = (index: unknown) => isNumber(index) && index >= 0 && index < count;
  const areNodes = (list: unknown) => Array.isArray(list) && list.every(isNode);
  return (
    (nodes as unknown[]).every(
      (node) => isRecord(node) && isNumber(node.width) && isFormula(node, isNode, areNodes),
    ) &&
    (accesses as unknown[]).every(
      (access) =>
        isRecord(access) &&
        isAmong(['read', 'write', 'atomic'], access.kind) &&
        (isNumber(access.argument) || isNumber(access.bytes)) &&
        isNode(access.address) &&
        [access.offset, access.size, access.align].every(isNumber) &&
        Array.isArray(access.ids) &&
        access.ids.every((each) => isRecord(each) && isDimension(each.dimension) && isNode(each.id)) &&
        (access.when === undefined ||
          (Array.isArray(access.when) && access.when.every((each) => isComparison(each, isNode)))),
    ) &&
    areNodes(assertions) &&
    (unproven as unknown[]).every((each) => typeof each === 'string')
  );
}

type Rule = (value: unknown) => boolean;

const isComparison = (value: unknown, isNode: Rule): boolean =>
  isRecord(value) &&
  isAmong(COMPARISONS, value.by) &&
  isNode(value.a) &&
  isNode(value.b) &&
  isNumber(value.width);

function isFormula(node: Record<string, unknown>, isNode: Rule, areNodes: Rule): boolean {
  switch (node.op) {
    case 'unknown':
      return true;
    case 'constant':
      return typeof node.value === 'number';
    case 'argument':
      return isNumber(node.offset);
    case 'id':
      return isAmong(ID_KINDS, node.of) && isDimension(node.dimension);
    case 'sext':
    case 'zext':
      return isNode(node.a) && isNumber(node.from);
    case 'difference':
      return isAmong(['signed', 'unsigned'], node.by) && isNode(node.a) && isNode(node.b);
    case 'trunc':
      return isNode(node.a);
    case 'merge':
      return areNodes(node.of);
    case 'loop':
      return areNodes(node.first) && areNodes(node.next);
    case 'compare':
    case 'refine':
      return isComparison(node, isNode);
    default:
      return isAmong(ARITHMETIC, node.op) && isNode(node.a) && isNode(node.b);
  }
}
