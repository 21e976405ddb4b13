// SPDX-License-Identifier: MIT
//
// Random kernels for whole ND-ranges: divergent and uniform control flow, barriers, local and private memory, atomics
// whose order does not matter. Their results do not depend on how work-items are put together. Statements stand on lines
// of their own, so that reduce.ts can take them out.
import {
  Expressions,
  FLOATS,
  type Helper,
  INTEGERS,
  isFloat,
  nameOf,
  scalar,
  type ValueType,
} from './kernel-expressions';
import { defineSubGroupHelpers } from './sub-group-helpers';

export interface RandomKernel {
  readonly source: string;
  readonly global: readonly [number, number, number];
  readonly local: readonly [number, number, number];
}

type Triple = [number, number, number];

/** Per work-item, in elements: what each buffer of results has. */
export const RESULTS = { out: 8, slots: 4, bytes: 2, shorts: 2, floats: 2 } as const;
export const COUNTERS = 16;

/** The line behind which a kernel's own statements begin. */
export const BODY = '// statements';

/** How work-items' elements lie. */
type Layout = 'rows' | 'planes' | 'columns';

/** What the code at some place may do. */
interface Place {
  readonly indent: string;
  /** All work-items of the group come here, or none: barriers may stand here. */
  readonly uniform: boolean;
  /** How work-items leave the loop around: one by one, all together, or there is none. */
  readonly loop: 'divergent' | 'uniform' | 'none';
  /** Barriers may follow: nobody may return before them. */
  readonly staying: boolean;
}

export function randomKernel(seed: number): RandomKernel {
  return new Generator(seed).kernel();
}

class Generator {
  private readonly e: Expressions;
  private next = 0;
  private budget = 0;
  private depth = 0;
  private barriers = false;
  /** Labels that a goto may jump forward to from here. */
  private readonly labels: { readonly name: string; readonly uniform: boolean }[] = [];
  private result: ValueType | undefined;
  private readonly layouts: Record<keyof typeof RESULTS, Layout>;

  constructor(seed: number) {
    this.e = new Expressions(seed);
    const layout = () => this.e.chance.pick(['rows', 'planes', 'columns'] as const);
    this.layouts = { out: 'rows', slots: layout(), bytes: layout(), shorts: layout(), floats: layout() };
  }

  kernel(): RandomKernel {
    const { e } = this;
    const { chance } = e;
    const parts = [
      'typedef struct { int a; short b; float c; uchar d[3]; } Record;',
      `constant uint table[8] = { ${Array.from({ length: 8 }, () => `${chance.integer(0, 0xffffffff)}u`).join(', ')} };`,
    ];
    e.subGroups = chance.with(0.25);
    if (e.subGroups)
      for (const type of [...INTEGERS, ...FLOATS]) parts.push(defineSubGroupHelpers(type, isFloat(type)));
    for (let i = chance.integer(0, 2); i > 0; i--) parts.push(this.helper());
    this.barriers = chance.with(0.5);
    parts.push(this.body());
    const { global, local } = this.sizes();
    return { source: `${parts.join('\n')}\n`, global, local };
  }

  private sizes(): { global: Triple; local: Triple } {
    const { chance } = this.e;
    const local = chance.pick<Triple>([
      [1, 1, 1], [4, 1, 1], [8, 1, 1], [16, 1, 1], [32, 1, 1], [7, 1, 1], [13, 1, 1],
      [8, 2, 1], [8, 4, 1], [4, 4, 1], [16, 2, 1], [5, 3, 1], [11, 4, 1], [3, 8, 1],
      [4, 2, 2], [8, 4, 2], [9, 2, 2],
    ]); // biome-ignore format: a table
    const dimensions = local[2] > 1 || chance.with(0.2) ? 3 : local[1] > 1 || chance.with(0.3) ? 2 : 1;
    const most = [80, 12, 4];
    const extent = (d: number): number => {
      if (d >= dimensions) return 1;
      const size = local[d]!;
      const groups = chance.integer(1, Math.max(1, Math.min(3, Math.floor(most[d]! / size))));
      // Also groups that are not full, at the ends of rows, columns and layers.
      return chance.with(0.6) ? groups * size : chance.integer(1, Math.max(size * groups, 3));
    };
    return { global: [extent(0), extent(1), extent(2)], local };
  }

  private fresh(prefix: string): string {
    return `${prefix}${this.next++}`;
  }

  // ---- functions

  private helper(): string {
    const { e } = this;
    const { chance } = e;
    const takesArray = chance.with(0.4);
    const parameters = Array.from({ length: chance.integer(1, 3) }, () => e.type());
    const result = e.type();
    const name = this.fresh('f');
    e.scope = parameters.map((type, i) => ({ name: `p${i}`, type, uniform: false, writable: true }));
    e.inKernel = false;
    e.hasArray = takesArray;
    this.result = result;
    this.budget = 6;
    const body = this.statements(chance.integer(1, 4), {
      indent: '  ',
      uniform: false,
      loop: 'none',
      staying: false,
    });
    const value = e.expression(result, 2, false);
    const made: Helper = { name, result, parameters, takesArray };
    e.helpers.push(made);
    const list = parameters.map((type, i) => `${nameOf(type)} p${i}`);
    if (takesArray) list.unshift('uint *pa');
    return `static ${nameOf(result)} ${name}(${list.join(', ')}) {\n${body}  return ${value};\n}\n`;
  }

  private body(): string {
    const { e } = this;
    const { chance } = e;
    e.scope = [];
    e.inKernel = true;
    e.hasArray = true;
    this.result = undefined;
    const size = e.subGroups ? chance.pick([undefined, 4, 8, 16, 32]) : undefined;
    let text = size ? `__attribute__((intel_reqd_sub_group_size(${size})))\n` : '';
    text +=
      'kernel void fuzz(global const uint *in, global const float *fin, global ulong *out, global uint *slots,\n' +
      '                 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,\n' +
      '                 local uint *loc, uint n, int k) {\n' +
      '  const uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n' +
      '  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);\n' +
      '  const uint W = get_global_size(0), H = get_global_size(1), D = get_global_size(2), N = W * H * D;\n' +
      '  const uint LS = get_local_size(0) * get_local_size(1) * get_local_size(2);\n' +
      '  const uint gid = (z * H + y) * W + x;\n' +
      '  const uint lid = (lz * get_local_size(1) + ly) * get_local_size(0) + lx;\n' +
      '  uint pa[8]; uchar pb[8]; for (uint i = 0; i < 8; i++) { pa[i] = in[(gid + i * 3) & 255]; pb[i] = (uchar)(i * x + y); }\n' +
      '  Record r = { (int)gid, (short)x, 0.5f, { (uchar)y, 2, (uchar)lx } };\n' +
      `  ${BODY}\n`;
    e.scope.push(
      { name: 'r.a', type: scalar('int'), uniform: false, writable: true },
      { name: 'r.b', type: scalar('short'), uniform: false, writable: true },
      { name: 'r.c', type: scalar('float'), uniform: false, writable: true },
    );
    for (let i = 0; i < 2; i++) text += this.declaration('  ', e.integerType(), true);
    for (let i = 0; i < 5; i++) text += this.declaration('  ', e.type(), false);
    const kept = [...e.scope];
    this.budget = 22;
    if (this.barriers) {
      // The last statements come behind all barriers.
      text += this.statements(chance.integer(3, 7), {
        indent: '  ',
        uniform: true,
        loop: 'none',
        staying: true,
      });
      this.budget = Math.max(this.budget, 4);
      this.barriers = false;
    }
    text += this.statements(chance.integer(3, 8), {
      indent: '  ',
      uniform: false,
      loop: 'none',
      staying: false,
    });
    return `${text}${this.epilogue(kept)}}\n`;
  }

  private epilogue(kept: readonly { readonly name: string; readonly type: ValueType }[]): string {
    let text = '';
    let word = 0;
    for (const { name, type } of kept) {
      const parts = Array.from({ length: type.count }, (_, i) => (type.count === 1 ? name : `${name}.s${i}`));
      const bits = parts.map((part) => {
        if (type.base === 'float') return `(${part} != ${part} ? 7ul : (ulong)as_uint(${part}))`;
        if (type.base === 'double') return `(${part} != ${part} ? 7ul : as_ulong(${part}))`;
        return `(ulong)${part}`;
      });
      const hash = bits.reduce((a, b) => `(${a}) * 31 + ${b}`);
      text += `  out[gid * ${RESULTS.out} + ${word % (RESULTS.out - 1)}] ${word < RESULTS.out - 1 ? '=' : '+='} ${hash};\n`;
      word++;
    }
    text += '  ulong h = r.d[0] + r.d[1] * 3 + r.d[2] * 7;\n';
    text += '  for (uint i = 0; i < 8; i++) h = h * 31 + pa[i] + pb[i];\n';
    return `${text}  out[gid * ${RESULTS.out} + ${RESULTS.out - 1}] = h;\n`;
  }

  // ---- statements

  private statements(count: number, place: Place): string {
    const { e } = this;
    const outer = e.scope.length;
    let text = '';
    for (let i = 0; i < count; i++) text += this.statement(place);
    if (place.indent !== '  ') e.scope.length = outer;
    return text;
  }

  private block(place: Place): string {
    this.depth++;
    const text = this.statements(this.e.chance.integer(1, 3), { ...place, indent: `${place.indent}  ` });
    this.depth--;
    return `{\n${text}${place.indent}}\n`;
  }

  private declaration(indent: string, type: ValueType, uniform: boolean): string {
    const { e } = this;
    const value = e.expression(type, uniform ? 1 : 2, uniform);
    const name = this.fresh(uniform ? 'u' : 'v');
    e.scope.push({ name, type, uniform, writable: true });
    return `${indent}${nameOf(type)} ${name} = ${value};\n`;
  }

  private statement(place: Place): string {
    const { e } = this;
    const { chance } = e;
    const { indent } = place;
    this.budget--;
    const simple = this.budget < 0 || this.depth > 3;
    const kind = simple ? chance.integer(0, 6) : chance.integer(0, 24);
    // Within uniform flow, uniform statements are as frequent as others.
    const uniform = place.uniform && chance.with(0.5);
    const inner: Place = { ...place, uniform };
    switch (kind) {
      case 3:
        return this.declaration(indent, uniform ? e.integerType() : e.type(), uniform);
      case 4:
        return e.inKernel ? this.memory(indent) : this.assignment(place);
      case 5:
        if (!e.hasArray) return this.assignment(place);
        return `${indent}${e.inKernel ? chance.pick(['pa', 'pb']) : 'pa'}[${e.index(8, e.flavour())}] ${chance.pick(['=', '^=', '+='])} ${e.expression(scalar('uint'), 2, false)};\n`;
      case 6:
      case 7:
        return place.uniform && this.barriers ? this.together(place) : this.assignment(place);
      case 8:
      case 9:
        return `${indent}if (${e.condition(2, uniform)}) ${this.block(inner)}`;
      case 10:
      case 11: {
        const condition = e.condition(2, uniform);
        return `${indent}if (${condition}) ${this.block(inner)}${indent}else ${this.block(inner)}`;
      }
      case 12:
      case 13:
      case 14:
        return this.forLoop(place, uniform);
      case 15:
        return this.whileLoop(place, uniform);
      case 16:
        return this.switchOn(inner);
      case 17:
      case 18:
        return this.leaveLoop(place);
      case 19:
        return this.jumpForward(place);
      case 20:
        return this.jumpBack(place);
      case 21:
        return chance.with(0.6) ? this.leaveFunction(place) : this.jumpInto(place);
      case 22:
        return e.inKernel ? this.atomic(indent) : this.assignment(place);
      default:
        return this.assignment(place);
    }
  }

  private assignment({ indent, uniform }: Place): string {
    const { e } = this;
    const { chance } = e;
    const targets = e.scope.filter((v) => v.writable && (!v.uniform || uniform));
    if (targets.length === 0) return `${indent};\n`;
    const { name, type, uniform: strict } = chance.pick(targets);
    if (type.count > 1 && chance.with(0.3)) {
      const one = scalar(type.base);
      return `${indent}${name}.s${chance.integer(0, type.count - 1)} = ${e.expression(one, 2, strict)};\n`;
    }
    if (type.base === 'uint' && chance.with(0.2)) return `${indent}${name}++;\n`;
    const compound =
      (type.base === 'uint' || type.base === 'ulong' || isFloat(type.base)) && chance.with(0.4);
    return `${indent}${name} ${compound ? chance.pick(['+=', '-=', '*=']) : '='} ${e.expression(type, 3, strict)};\n`;
  }

  /** A work-item's own elements: next to each other, at a distance, by column. */
  private memory(indent: string): string {
    const { e } = this;
    const { chance } = e;
    const array = chance.pick(['slots', 'slots', 'bytes', 'shorts', 'floats'] as const);
    const element = this.own(array);
    if (array === 'slots' && this.layouts.slots === 'rows' && chance.with(0.3))
      return `${indent}vstore4(${e.expression({ base: 'uint', count: 4 }, 2, false)}, gid, slots);\n`;
    if (array === 'floats') {
      const name = this.fresh('w');
      return `${indent}{ float ${name} = ${e.expression(scalar('float'), 2, false)}; ${element} = ${name} != ${name} ? 7.0f : ${name}; }\n`;
    }
    const base = ({ slots: 'uint', bytes: 'uchar', shorts: 'ushort' } as const)[array];
    return `${indent}${element} ${chance.pick(['=', '=', '=', '+=', '^='])} ${e.expression(scalar(base), 2, false)};\n`;
  }

  private own(array: keyof typeof RESULTS): string {
    const { chance } = this.e;
    const count = RESULTS[array];
    const j = chance.with(0.7) ? chance.integer(0, count - 1) : `(${this.e.index(count, this.e.flavour())})`;
    switch (this.layouts[array]) {
      case 'rows':
        return `${array}[gid * ${count} + ${j}]`;
      case 'planes':
        return `${array}[${j} * N + gid]`;
      case 'columns':
        return `${array}[${j} * N + x * H * D + y * D + z]`;
    }
  }

  /** Each counter is changed by operations of one kind, whose order does not matter. */
  private atomic(indent: string): string {
    const { e } = this;
    const { chance } = e;
    const value = e.expression(scalar('uint'), 2, false);
    if (chance.with(0.3)) {
      const targets = e.scope.filter(
        (v) => v.writable && !v.uniform && v.type.count === 1 && !isFloat(v.type.base),
      );
      const old = targets.length > 0 ? `${chance.pick(targets).name} = ` : '';
      return `${indent}${old}atomic_${chance.pick(['add', 'xchg', 'max', 'xor'])}(&${this.own('slots')}, ${value});\n`;
    }
    const at = e.index(4, e.flavour());
    return chance.pick([
      `${indent}atomic_add(&counters[${at}], ${value});\n`,
      `${indent}atomic_inc(&counters[${at}]);\n`,
      `${indent}atomic_max(&counters[4 + (${at})], ${value});\n`,
      `${indent}atomic_xor(&counters[8 + (${at})], ${value});\n`,
      `${indent}atomic_or(&counters[12 + (${at})], ${value});\n`,
    ]);
  }

  /** What all work-items of a group do together. */
  private together({ indent }: Place): string {
    const { e } = this;
    const { chance } = e;
    const integers = e.scope.filter((v) => v.writable && v.type.count === 1 && !isFloat(v.type.base));
    const target = chance.pick(integers.filter((v) => !v.uniform));
    const any = chance.pick(integers);
    const value = () => e.expression(scalar('uint'), 2, false);
    const barrier = 'barrier(CLK_LOCAL_MEM_FENCE);';
    const read = chance.pick([
      `loc[(lid + ${chance.integer(1, 9)}) % LS]`,
      'loc[LS - 1 - lid]',
      `loc[(${e.index(64, 'any')}) % LS]`,
      'loc[0]',
    ]);
    const store = chance.with(0.3)
      ? `if (${e.condition(1, false)}) loc[lid] = ${value()};`
      : `loc[lid] = ${value()};`;
    const assign = `${target.name} = (${target.type.base})`;
    switch (chance.integer(0, 9)) {
      case 0:
        return `${indent}${barrier}\n`;
      case 1:
        return `${indent}${barrier} loc[lid] = ${value()}; ${barrier} for (uint s = 64; s > 0; s >>= 1) { if (lid < s && lid + s < LS) loc[lid] += loc[lid + s]; ${barrier} } ${assign}loc[0];\n`;
      case 2:
        return `${indent}${barrier} loc[lid] = 0; ${barrier} atomic_add(&loc[(${value()}) % LS], ${value()}); ${barrier} ${assign}loc[lid];\n`;
      case 3:
        return `${indent}${any.name} = (${any.type.base})work_group_reduce_${chance.pick(['add', 'min', 'max'])}((${chance.pick(['int', 'uint', 'long', 'ulong'])})${value()});\n`;
      case 4:
        return `${indent}${assign}work_group_scan_${chance.pick(['inclusive', 'exclusive'])}_${chance.pick(['add', 'min', 'max'])}(${value()});\n`;
      case 5:
        return `${indent}${any.name} = (${any.type.base})work_group_broadcast(${value()}, 0, get_local_size(1) - 1, 0);\n`;
      case 6:
        return `${indent}${any.name} = (${any.type.base})work_group_${chance.pick(['any', 'all'])}(${e.condition(1, false)});\n`;
      case 7:
        return `${indent}${barrier} ${store} ${barrier} for (uint s = 0; s < LS; s++) ${target.name} ^= (${target.type.base})(loc[s] * (s + ${chance.pick(['1', 'x', 'ly'])}));\n`;
      default:
        return `${indent}${barrier} loc[lid] = lid; ${barrier} ${store} ${barrier} ${assign}${read};\n`;
    }
  }

  // ---- control flow

  private inLoop({ indent, staying }: Place, uniform: boolean): Place {
    return { indent, uniform, staying, loop: uniform ? 'uniform' : 'divergent' };
  }

  private bound(uniform: boolean): string {
    const { e } = this;
    return e.chance.with(0.3)
      ? `${e.chance.integer(1, 6)}`
      : `(int)(${e.index(8, uniform ? 'group' : e.flavour())})`;
  }

  private forLoop(place: Place, uniform: boolean): string {
    const { e } = this;
    const { indent } = place;
    const name = this.fresh('i');
    const hint = e.chance.with(0.1)
      ? `__attribute__((opencl_unroll_hint${e.chance.pick(['', '(1)', '(2)', '(4)'])})) `
      : '';
    const head = `for (int ${name} = 0; ${name} < ${this.bound(uniform)}; ${e.chance.pick([`${name}++`, `${name} += 2`])})`;
    e.scope.push({ name, type: scalar('int'), uniform, writable: false });
    const body = this.block(this.inLoop(place, uniform));
    e.scope.splice(
      e.scope.findIndex((v) => v.name === name),
      1,
    );
    return `${indent}${hint}${head} ${body}`;
  }

  private whileLoop(place: Place, uniform: boolean): string {
    const { e } = this;
    const { indent } = place;
    const name = this.fresh('n');
    const condition = e.condition(1, uniform);
    const body = this.block({ ...this.inLoop(place, uniform), indent: `${indent}  ` });
    const start = `${indent}{\n${indent}  int ${name} = ${this.bound(uniform)};\n`;
    return e.chance.with(0.5)
      ? `${start}${indent}  while (${name}-- > 0 && (${condition})) ${body}${indent}}\n`
      : `${start}${indent}  do ${body}${indent}  while (--${name} > 0 && (${condition}));\n${indent}}\n`;
  }

  private switchOn(place: Place): string {
    const { e } = this;
    const { indent } = place;
    const base = e.chance.pick(['int', 'uint', 'uchar', 'long'] as const);
    let text = `${indent}switch (${e.expression(scalar(base), 2, place.uniform)} & 7) {\n`;
    const labels = ['case 0:', 'case 1: case 6:', 'case 3:', 'default:'];
    for (const label of labels.slice(e.chance.integer(0, 1))) {
      text += `${indent}  ${label} ${this.block({ ...place, indent: `${indent}  ` })}`;
      if (e.chance.with(0.6)) text += `${indent}  break;\n`;
    }
    return `${text}${indent}}\n`;
  }

  private leaveLoop(place: Place): string {
    const { e } = this;
    const { chance } = e;
    const uniform = place.uniform;
    const jumps: string[] =
      place.loop === 'divergent' || (place.loop === 'uniform' && uniform) ? ['break', 'continue'] : [];
    for (const label of this.labels) if (uniform || !label.uniform) jumps.push(`goto ${label.name}`);
    if (jumps.length === 0) return this.assignment(place);
    return `${place.indent}if (${e.condition(1, uniform)}) ${chance.pick(jumps)};\n`;
  }

  private jumpForward(place: Place): string {
    const { indent } = place;
    const uniform = place.uniform && this.e.chance.with(0.5);
    const name = this.fresh('end');
    this.labels.push({ name, uniform });
    const inner = { ...place, uniform, indent: `${indent}  ` };
    const body = this.block(inner);
    const leave = this.leaveLoop(inner);
    const rest = this.block(inner);
    this.labels.pop();
    return `${indent}{\n${indent}  ${body}${leave}${indent}  ${rest}${indent}}\n${indent}${name}: ;\n`;
  }

  private jumpBack(place: Place): string {
    const { e } = this;
    const { indent } = place;
    const uniform = place.uniform && e.chance.with(0.5);
    const counter = this.fresh('c');
    const name = this.fresh('again');
    const inner = { ...place, uniform, indent: `${indent}  ` };
    const body = this.block(inner);
    const condition = e.condition(1, uniform);
    return `${indent}{\n${indent}  int ${counter} = 0;\n${indent}  ${name}: ;\n${indent}  ${body}${indent}  if (${counter}++ < ${e.chance.integer(1, 4)} && (${condition})) goto ${name};\n${indent}}\n`;
  }

  /** A loop with several entries. */
  private jumpInto(place: Place): string {
    const { e } = this;
    const { indent } = place;
    const uniform = place.uniform && e.chance.with(0.5);
    const counter = this.fresh('d');
    const inner = { ...this.inLoop(place, uniform), indent: `${indent}    ` };
    const start = `${indent}{\n${indent}  int ${counter} = ${this.bound(uniform)};\n`;
    if (e.chance.with(0.5)) {
      const name = this.fresh('into');
      const enter = `${indent}  if (${e.condition(1, uniform)}) goto ${name};\n`;
      const [before, behind] = [this.block(inner), this.block(inner)];
      const head = `${indent}  while (${counter}-- > 0 && (${e.condition(1, uniform)})) {\n`;
      return `${start}${enter}${head}${inner.indent}${before}${indent}  ${name}: ;\n${inner.indent}${behind}${indent}  }\n${indent}}\n`;
    }
    const value = e.expression(scalar('uint'), 1, uniform);
    const [first, second] = [this.block(inner), this.block(inner)];
    return `${start}${indent}  switch (${value} & 3) {\n${indent}  case 0: do {\n${inner.indent}${first}${indent}  case 2: ;\n${inner.indent}${second}${indent}  } while (--${counter} > 0);\n${indent}  }\n${indent}}\n`;
  }

  private leaveFunction(place: Place): string {
    const { e } = this;
    if (place.staying && !place.uniform) return this.assignment(place);
    const condition = e.condition(1, place.uniform);
    if (this.result)
      return `${place.indent}if (${condition}) return ${e.expression(this.result, 1, false)};\n`;
    return `${place.indent}if (${condition}) { out[gid * ${RESULTS.out}] = ${e.expression(scalar('ulong'), 1, false)}; return; }\n`;
  }
}
