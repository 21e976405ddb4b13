// SPDX-License-Identifier: MIT
//
// Random kernels of control flow that no structured program has: labels anywhere, jumps to them from anywhere, also into loops and
// branches, cases inside loops and branches of a switch, loops with several tails. Barriers are where all work-items of a group come. Each statement
// is written as text and as instructions for a machine, which computes what work-items store.
import { Draft } from './draft';
import { PARAMETERS, type RandomKernel } from './model';
import { type Instruction, type Item, type Label, runGroup } from './odd-control-flow/machine';
import { assignment, condition, fueled, OUTPUTS, TABLE, value } from './odd-control-flow/values';

/** Code among whose labels jumps go: that of the group, or that of work-items on their own. */
interface Region {
  readonly labels: { readonly name: string; readonly label: Label }[];
  /** The jumps whose targets are chosen when all labels are known, by the mark in the text. */
  readonly jumps: { readonly mark: string; readonly instruction: { to: Label } }[];
}

/** Where a statement stands. */
interface Place {
  readonly indent: string;
  readonly depth: number;
  /** All work-items of the group come here, or none. */
  readonly uniform: boolean;
  readonly region: Region;
  readonly onBreak?: Label;
  readonly onContinue?: Label;
  /** The cases of the switch around, to which more may be added. */
  readonly cases?: Map<number, Label>;
  readonly lastCase?: number;
}

type Form = (w: Flow, place: Place) => string;

const FUEL = 24;
const DEEPEST = 5;

class Flow extends Draft {
  readonly code: Instruction[] = [];
  readonly exit: Label = { at: -1 };
  readonly returns: boolean;
  readonly barriers: boolean;
  counters = 0;
  /** The names of jumps' targets, by mark. */
  readonly targets = new Map<string, string>();

  constructor(seed: number) {
    super(seed ^ 0x0dd);
    this.budget = 22;
    this.returns = this.chance.with(0.3);
    this.barriers = this.chance.with(0.5);
  }

  here(label: Label): void {
    label.at = this.code.length;
  }
}

const label = (): Label => ({ at: -1 });
const newRegion = (): Region => ({ labels: [], jumps: [] });
const deeper = (place: Place, changed: Partial<Place> = {}): Place => ({
  ...place,
  indent: `${place.indent}  `,
  depth: place.depth + 1,
  ...changed,
});

function block(w: Flow, place: Place): string {
  let text = '';
  for (let i = w.chance.integer(1, 3); i > 0; i--) text += statement(w, place);
  return text;
}

function statement(w: Flow, place: Place): string {
  const isOver = w.budget-- <= 0 || place.depth > DEEPEST;
  return w.chance.pick(isOver ? SIMPLE : FORMS)(w, place);
}

// ---- statements

const assign: Form = (w, { indent, uniform }) => {
  const { text, run } = assignment(w.chance, uniform);
  w.code.push({ kind: 'do', run });
  return `${indent}${text}\n`;
};

/** Work-items exchange values where all of them come. */
const exchange: Form = (w, place) => {
  if (!place.uniform) return assign(w, place);
  w.code.push({ kind: 'barrier' });
  w.code.push({ kind: 'do', run: (item, local) => { local[item.lid] = item.s; } }); // biome-ignore format: short
  w.code.push({ kind: 'barrier' });
  w.code.push({
    kind: 'do',
    run: (item, local) => {
      item.s = (item.s + local[(item.lid + 1) % local.length]!) >>> 0;
    },
  });
  return `${place.indent}barrier(CLK_LOCAL_MEM_FENCE); loc[lid] = s; barrier(CLK_LOCAL_MEM_FENCE); s += loc[(lid + 1) % LS];\n`;
};

const branch: Form = (w, place) => {
  const { indent, uniform } = place;
  const { text: test, of } = condition(w.chance, uniform);
  const [otherwise, end] = [label(), label()];
  w.code.push({ kind: 'unless', holds: of, to: otherwise });
  let text = `${indent}if (${test}) {\n${block(w, deeper(place))}${indent}}`;
  if (w.chance.with(0.5)) {
    w.here(otherwise);
    return `${text}\n`;
  }
  w.code.push({ kind: 'jump', to: end });
  w.here(otherwise);
  text += ` else {\n${block(w, deeper(place))}${indent}}\n`;
  w.here(end);
  return text;
};

/** What work-items do on their own. */
const ownRegion: Form = (w, place) => {
  const { indent, uniform } = place;
  if (!uniform) return branch(w, place);
  const { text: test, of } = condition(w.chance, false);
  const end = label();
  const region = newRegion();
  w.code.push({ kind: 'unless', holds: of, to: end });
  const { onBreak: _, onContinue: __, cases: ___, lastCase: ____, ...outside } = place;
  const inside: Place = deeper(outside, { uniform: false, region });
  let body = block(w, inside) + block(w, inside);
  body += mark(w, inside);
  w.here(end);
  resolve(w, region);
  return `${indent}if (${test}) {\n${body}${indent}}\n`;
};

const whileLoop: Form = (w, place) => {
  const { indent, uniform } = place;
  const { text: test, of } = fueled(condition(w.chance, uniform), uniform);
  const [again, end] = [label(), label()];
  w.here(again);
  w.code.push({ kind: 'unless', holds: of, to: end });
  const body = block(w, deeper(place, { onBreak: end, onContinue: again }));
  w.code.push({ kind: 'jump', to: again });
  w.here(end);
  return `${indent}while (${test}) {\n${body}${indent}}\n`;
};

const doLoop: Form = (w, place) => {
  const { indent, uniform } = place;
  const [again, next, end] = [label(), label(), label()];
  w.here(again);
  const body = block(w, deeper(place, { onBreak: end, onContinue: next }));
  const { text: test, of } = fueled(condition(w.chance, uniform), uniform);
  w.here(next);
  w.code.push({ kind: 'unless', holds: of, to: end });
  w.code.push({ kind: 'jump', to: again });
  w.here(end);
  return `${indent}do {\n${body}${indent}} while (${test});\n`;
};

/** A loop that counts; one that is entered in its middle goes on from where its counter was. */
const countedLoop: Form = (w, place) => {
  const { indent, uniform } = place;
  const c = w.counters++;
  const limit = w.chance.integer(1, 4);
  const most = value(w.chance, uniform);
  const { text: test, of } = fueled(
    {
      text: `c${c} < (${most.text} & ${limit})`,
      of: (item) => item.counters[c]! < (most.of(item) & limit),
    },
    uniform,
  );
  const [again, next, end] = [label(), label(), label()];
  w.code.push({ kind: 'do', run: (item) => { item.counters[c] = 0; } }); // biome-ignore format: short
  w.here(again);
  w.code.push({ kind: 'unless', holds: of, to: end });
  const body = block(w, deeper(place, { onBreak: end, onContinue: next }));
  w.here(next);
  w.code.push({ kind: 'do', run: (item) => { item.counters[c]!++; } }); // biome-ignore format: short
  w.code.push({ kind: 'jump', to: again });
  w.here(end);
  return `${indent}for (c${c} = 0; ${test}; c${c}++) {\n${body}${indent}}\n`;
};

/** A switch whose cases are anywhere in its body. */
const choice: Form = (w, place) => {
  const { indent, uniform } = place;
  const { text: number, of } = value(w.chance, uniform);
  const end = label();
  const cases = new Map<number, Label>();
  const otherwise = label();
  const mask = w.chance.pick([1, 3, 7]);
  w.code.push({ kind: 'switch', value: (item) => of(item) & mask, cases, otherwise });
  const inside = deeper(place, { onBreak: end, cases, lastCase: mask });
  let text = '';
  for (let i = w.chance.integer(2, 4); i > 0; i--) text += caseHere(w, inside) + block(w, inside);
  if (w.chance.with(0.4)) {
    w.here(otherwise);
    text += `${inside.indent}default: ;\n${block(w, inside)}`;
  }
  w.here(end);
  if (otherwise.at < 0) w.here(otherwise);
  return `${indent}switch (${number} & ${mask}) {\n${text}${indent}}\n`;
};

const caseHere: Form = (w, place) => {
  const { indent, cases, lastCase } = place;
  if (!cases || lastCase === undefined) return assign(w, place);
  const number = w.chance.integer(0, lastCase);
  if (cases.has(number)) return assign(w, place);
  const at = label();
  w.here(at);
  cases.set(number, at);
  return `${indent}case ${number}: ;\n`;
};

// ---- jumps

/** A label. */
const mark: Form = (w, { indent, region }) => {
  const name = w.fresh('l');
  const at = label();
  w.here(at);
  region.labels.push({ name, label: at });
  return `${indent}${name}: ;\n`;
};

const jump: Form = (w, place) => {
  const { indent, uniform, region } = place;
  const { text: test, of } = fueled(condition(w.chance, uniform), uniform);
  const past = label();
  const name = w.fresh('@');
  const instruction: Instruction & { to: Label } = { kind: 'jump', to: past };
  w.code.push({ kind: 'unless', holds: of, to: past });
  w.code.push(instruction);
  w.here(past);
  region.jumps.push({ mark: name, instruction });
  return `${indent}if (${test}) goto ${name}@;\n`;
};

const leave: Form = (w, place) => {
  const { indent, uniform, onBreak, onContinue } = place;
  const ways = [
    ...(onBreak ? [['break', onBreak] as const] : []),
    ...(onContinue ? [['continue', onContinue] as const] : []),
    ...(w.returns && (!w.barriers || uniform) ? [['return', w.exit] as const] : []),
  ];
  if (ways.length === 0) return jump(w, place);
  const [how, to] = w.chance.pick(ways);
  const past = label();
  if (how !== 'return' && w.chance.with(0.3)) {
    w.code.push({ kind: 'jump', to });
    return `${indent}${how};\n`;
  }
  const { text: test, of } = condition(w.chance, uniform);
  w.code.push({ kind: 'unless', holds: of, to: past });
  w.code.push({ kind: 'jump', to });
  w.here(past);
  return `${indent}if (${test}) ${how};\n`;
};

/** Chooses the targets of a region's jumps. */
function resolve(w: Flow, { labels, jumps }: Region): void {
  for (const { mark: name, instruction } of jumps) {
    const target = w.chance.pick(labels);
    instruction.to = target.label;
    w.targets.set(name, target.name);
  }
}

const SIMPLE: readonly Form[] = [assign, assign, assign, exchange, caseHere, mark, mark, jump, leave];
const FORMS: readonly Form[] = [
  assign, assign, exchange, branch, branch, ownRegion, whileLoop, doLoop, doLoop, countedLoop, choice, choice, caseHere, caseHere, mark,
  mark, mark, jump, jump, jump, leave,
]; // biome-ignore format: a table

// ---- kernels

export function randomOddControlFlow(seed: number): RandomKernel {
  const w = new Flow(seed);
  const { chance } = w;
  const region = newRegion();
  const place: Place = { indent: '  ', depth: 0, uniform: w.barriers, region };
  let text = mark(w, place);
  while (w.budget > 0) text += statement(w, place);
  text += mark(w, place);
  resolve(w, region);
  const results = ['s', 't', 'u', '(uint)fuel'];
  w.code.push({
    kind: 'do',
    run: (item) => {
      [item.s, item.t, item.u, item.fuel >>> 0].forEach((v, i) => { item.out[4 + i] = BigInt(v); }); // biome-ignore format: short
    },
  });
  w.here(w.exit);
  text += results.map((each, i) => `  out[x * ${OUTPUTS} + ${4 + i}] = ${each};\n`).join('');
  const counters = Array.from({ length: w.counters }, (_, i) => `  int c${i} = 0;\n`).join('');
  const source = `constant uint T[16] = { ${TABLE.map((v) => `${v}u`).join(', ')} };
kernel void fuzz(${PARAMETERS}) {
  const uint x = get_global_id(0), lid = get_local_id(0), LS = get_local_size(0);
  uint s = x * 2654435761u, t = x, u = n;
  int fuel = ${FUEL}, shared = ${FUEL};
  uint a[4] = { 1, 2, x, 4 };
${counters}  // statements
${text.replace(/@\d+(?=@)/g, (name) => w.targets.get(name)!).replace(/@;/g, ';')}}
`;
  const local = chance.pick([8, 16, 7, 13, 32, 1]);
  const groups = chance.integer(1, 3);
  return {
    source,
    global: [local * groups, 1, 1],
    local: [local, 1, 1],
    expected: outcome(w, local, groups),
  };
}

function outcome({ code, counters }: Flow, local: number, groups: number): BigUint64Array {
  const out = new BigUint64Array(local * groups * OUTPUTS);
  for (let group = 0; group < groups; group++) {
    const items = Array.from({ length: local }, (_, lid): Item => {
      const x = group * local + lid;
      return {
        x,
        lid,
        s: Math.imul(x, 2654435761) >>> 0,
        t: x,
        u: 5,
        fuel: FUEL,
        shared: FUEL,
        counters: Array.from({ length: counters }, () => 0),
        array: [1, 2, x, 4],
        out: Array.from({ length: OUTPUTS }, () => 0n),
      };
    });
    runGroup(code, items);
    for (const item of items) out.set(item.out, item.x * OUTPUTS);
  }
  return out;
}
