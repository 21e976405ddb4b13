// SPDX-License-Identifier: MIT
//
// What all work-items of a group do together: barriers with local memory between them, collective functions, and
// sub-groups that are whole.
import { index } from './leaves';
import { isFloat, isScalarInteger, type Place, scalar, type Variable } from './model';
import { wholeSubGroupHelpers } from './sub-groups';
import type { Writer } from './writer';

const BARRIER = 'barrier(CLK_LOCAL_MEM_FENCE);';

interface Targets {
  /** An integer that may differ from work-item to work-item. */
  readonly varying: Variable;
  /** Any integer that is the same in the whole group. */
  readonly any: Variable;
}

type Form = (w: Writer, targets: Targets) => string;

const assignTo = ({ name, type }: Variable, value: string) => `${name} = (${type.base})${value};`;
const number = (w: Writer) => w.expression(scalar('uint'), 2);

const store = (w: Writer) =>
  w.chance.with(0.3) ? `if (${w.condition(1)}) loc[lid] = ${number(w)};` : `loc[lid] = ${number(w)};`;

const treeSum: Form = (w, { varying }) =>
  `${BARRIER} loc[lid] = ${number(w)}; ${BARRIER} for (uint s = 64; s > 0; s >>= 1) { if (lid < s && lid + s < LS) loc[lid] += loc[lid + s]; ${BARRIER} } ${assignTo(varying, 'loc[0]')}`;

const localAtomics: Form = (w, { varying }) =>
  `${BARRIER} loc[lid] = 0; ${BARRIER} atomic_add(&loc[(${number(w)}) % LS], ${number(w)}); ${BARRIER} ${assignTo(varying, 'loc[lid]')}`;

const exchange: Form = (w, { varying }) => {
  const read = w.chance.pick([
    `loc[(lid + ${w.chance.integer(1, 9)}) % LS]`,
    'loc[LS - 1 - lid]',
    `loc[(${index(w, 64, 'any')}) % LS]`,
    'loc[0]',
  ]);
  return `${BARRIER} loc[lid] = lid; ${BARRIER} ${store(w)} ${BARRIER} ${assignTo(varying, read)}`;
};

const readAll: Form = (w, { varying: { name, type } }) =>
  `${BARRIER} ${store(w)} ${BARRIER} for (uint s = 0; s < LS; s++) ${name} ^= (${type.base})(loc[s] * (s + ${w.chance.pick(['1', 'x', 'ly'])}));`;

const reduction: Form = (w, { any }) => {
  const type = w.chance.pick(['int', 'uint', 'long', 'ulong']);
  return assignTo(any, `work_group_reduce_${w.chance.pick(['add', 'min', 'max'])}((${type})${number(w)})`);
};

const scan: Form = (w, { varying }) =>
  assignTo(
    varying,
    `work_group_scan_${w.chance.pick(['inclusive', 'exclusive'])}_${w.chance.pick(['add', 'min', 'max'])}(${number(w)})`,
  );

const broadcast: Form = (w, { any }) =>
  assignTo(any, `work_group_broadcast(${number(w)}, 0, get_local_size(1) - 1, 0)`);

const vote: Form = (w, { any }) =>
  assignTo(any, `work_group_${w.chance.pick(['any', 'all'])}(${w.condition(1)})`);

const wholeSubGroup: Form = (w, { varying: { name, type } }) =>
  `${name} = ${w.chance.pick(wholeSubGroupHelpers(isFloat(type.base)))}_${type.base}(${w.expression(type, 2)});`;

const LOCAL_FORMS: readonly Form[] = [() => BARRIER, treeSum, localAtomics, exchange, exchange, readAll];
const COLLECTIVE_FORMS: readonly Form[] = [reduction, scan, broadcast, vote];

/** For places in uniform control flow, where barriers are allowed. */
export function groupStatement(w: Writer, { indent }: Place): string {
  const { chance } = w;
  const integers = w.scope.filter((v) => v.writable && isScalarInteger(v.type));
  const targets = { varying: chance.pick(integers.filter((v) => !v.uniform)), any: chance.pick(integers) };
  const forms = [
    ...LOCAL_FORMS,
    // Drivers of OpenCL 1.2 and those of 3.0 without the feature have none.
    ...(w.portable ? [] : COLLECTIVE_FORMS),
    ...(w.subGroups ? [wholeSubGroup, wholeSubGroup] : []),
  ];
  return `${indent}${chance.pick(forms)(w, targets)}\n`;
}
