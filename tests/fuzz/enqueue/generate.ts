// SPDX-License-Identifier: MIT
//
// Random programs that enqueue blocks. Every block has a path: a number for each way in which work-items and iterations lead to it. What a
// block computes it writes to the word of its path, and others read that word if they wait for it.
import type { Chance } from '../chance';
import { type Cells, type Expression, expression, number, type Scope } from './expressions';
import { copyOf, type Item, ModelEvent, type Statement } from './model';
import { CAPTURED, DECLARATIONS, itemsOf, type Range } from './values';

/** The first words of the output: failed calls, sums. Cells follow. */
const SUMS = 16;
export const TOTAL = 1 + SUMS;
const FIRST_CELL = 64;
/** The most ways to a block, and blocks in each other. */
const MOST_PATHS = 768;
const DEEPEST = 3;

export interface Program {
  readonly source: string;
  /** Of the output. */
  readonly words: number;
  readonly parents: readonly {
    readonly name: string;
    readonly body: readonly Statement[];
    readonly range: Range;
  }[];
}

/** An event variable: the cells that are written when it is complete. */
interface Known {
  readonly name: string;
  readonly cells: readonly Cells[];
}

interface Made extends Statement {
  /** What it has written when the work-item's other statements run, and when all that it enqueues is complete. */
  readonly written: readonly Cells[];
  readonly after: readonly Cells[];
  readonly declares?: Scope['variables'][number];
}

export class Generator {
  private names = 0;
  private words = FIRST_CELL;
  private readonly functions: string[] = [];

  constructor(
    private readonly chance: Chance,
    /** Whether user events may fail, and kernels use the default queue. */
    private readonly may: { readonly fail: boolean; readonly useDefault: boolean },
  ) {}

  program(): Program {
    const parents = [0, 1].map((i) => {
      const range = this.range(16);
      const queue = this.may.useDefault ? 'queue_t q = get_default_queue();' : '';
      const parameters = 'global uint *o, global const uint *in, uint zero, queue_t other';
      const scope: Scope = {
        depth: 0,
        path: 'zero',
        paths: 1,
        body: { linear: 'zero', path: 'zero', items: 1 },
        hasLocal: false,
        variables: [],
        cells: [],
        names: [
          ['global uint *', 'o'],
          ['global const uint *', 'in'],
          ['uint', 'zero'],
          ['queue_t', 'q'],
        ].map(([type, name]) => ({ type: type!, name: name! })),
      };
      const { body, text } = this.body(scope, range, scope.cells);
      const name = `parent${i}`;
      return { name, range, body, text: `kernel void ${name}(${this.may.useDefault ? parameters : parameters.replace('other', 'q')}) { ${queue}\n${text}}\n` };
    }); // biome-ignore format: long
    return {
      source: `${DECLARATIONS}${this.functions.join('')}${parents.map(({ text }) => text).join('')}kernel void dump(global uint *o) { o[${TOTAL}] = total; }\n`,
      words: this.words,
      parents,
    };
  }

  private name(prefix: string): string {
    return `${prefix}${++this.names}`;
  }

  private range(most: number): Range {
    const { chance } = this;
    const global: number[] = [];
    let left = Math.max(1, most);
    for (let d = chance.pick([1, 1, 1, 2, 2, 3]); d > 0; d--) {
      global.push(chance.integer(1, Math.min(left, 9)));
      left = Math.floor(left / global.at(-1)!);
    }
    const local = chance.with(0.6) ? global.map((size) => chance.integer(1, size)) : undefined;
    const offset = global.map(() => (local && chance.with(0.4) ? chance.integer(0, 7) : 0));
    return { global, local, offset };
  }

  /** The statements of a kernel or block, which are also its text. `parameters`: of the block, for local memory. */
  private body(outer: Scope, range: Range, cells: readonly Cells[], first: (scope: Scope) => Made[] = () => []): { body: Statement[]; text: string; parameters: { text: string; size: string }[]; after: readonly Cells[] } {
    const { chance } = this;
    const items = itemsOf(range);
    const [linear, path] = [this.name('l'), this.name('p')];
    let scope: Scope = {
      depth: outer.depth + 1,
      path,
      paths: outer.paths * items,
      body: { linear, path, items },
      hasLocal: range.local !== undefined,
      variables: outer.variables.map((variable) => ({ ...variable, own: false })),
      cells,
      names: [...outer.names, { type: 'uint', name: linear }, { type: 'uint', name: path }],
    };
    const begin: Made = {
      text: `uint bad = 0, ${linear} = (uint)get_global_linear_id(), ${path} = ${outer.path} * ${items} + ${linear};`,
      written: [],
      after: [],
      run: ({ env, place }) => {
        env.numbers[linear] = place.linear;
        env.numbers[path] = env.numbers[outer.path]! * items + place.linear;
      },
    };
    const all: Made[] = [begin];
    const parameters: { text: string; size: string }[] = [];
    const add = (made: Made) => {
      all.push(made);
      const { declares } = made;
      if (declares) scope = { ...scope, variables: [...scope.variables, declares], names: [...scope.names, { type: declares.of.type, name: declares.name }] };
      scope = { ...scope, cells: [...scope.cells, ...made.written] };
    };
    for (const made of first(scope)) add(made);
    if (range.local && chance.with(0.4)) add(this.exchange(scope, range, outer.depth > 0 ? parameters : undefined));
    if (range.local && chance.with(0.25)) add(this.ofGroup(scope));
    for (let count = chance.integer(1, 3); count > 0; count--) add(this.declaration(scope));
    add(this.write(scope));
    for (let count = chance.integer(0, 2); count > 0; count--) add(chance.pick([() => this.declaration(scope), () => this.write(scope), () => this.sum(scope)])());
    if (scope.depth <= DEEPEST && (outer.depth === 0 || chance.with(0.45)))
      for (let count = chance.integer(1, 2); count > 0; count--) add(this.section(scope, all.flatMap(({ written }) => written)));
    if (chance.with(0.4)) add(this.write(scope));
    add(this.sum(scope));
    const text = `${all.map((each) => each.text).join('\n')}\nif (bad) atomic_add(o, bad);\n`;
    const after = all.flatMap((each) => [...each.written, ...each.after]).map(({ base, steps }) => ({ base, steps: [items, ...steps], path: outer.path }));
    return { body: all, text, parameters, after };
  } // biome-ignore format: long

  private declaration(scope: Scope, value: Expression = expression(this.chance, scope, 2)): Made {
    const of = this.chance.pick(CAPTURED);
    const [name, from] = [this.name('v'), this.name('e')];
    return {
      text: `uint ${from} = ${value.text}; ${of.type}${of.type.endsWith('*') ? '' : ' '}${name} = ${of.make.replace(/\bE\b/g, from)};`,
      written: [],
      after: [],
      declares: { name, of, own: true },
      run: (item) => {
        item.env.numbers[name] = value.at(item);
      },
    };
  }

  private write(scope: Scope): Made {
    const base = this.words;
    this.words += scope.paths;
    const value = expression(this.chance, scope, 3);
    const { path } = scope;
    return {
      text: `o[${base} + ${path}] = ${value.text};`,
      written: [{ base, steps: [], path }],
      after: [],
      run: (item) => {
        item.memory[base + number(item, path)] = value.at(item);
      },
    };
  }

  private sum(scope: Scope): Made {
    const to = this.chance.integer(1, TOTAL);
    const value = expression(this.chance, scope, 2);
    return {
      text: `atomic_add(${to === TOTAL ? '&total' : `&o[${to}]`}, ${value.text});`,
      written: [],
      after: [],
      run: (item) => {
        item.memory[to]! += value.at(item);
      },
    };
  }

  /** Work-items read what others have written to local memory. */
  private exchange(scope: Scope, range: Range, parameters: { text: string; size: string }[] | undefined): Made {
    const { chance } = this;
    const [memory, name] = [this.name('m'), this.name('v')];
    const size = range.local!.reduce((a, b) => a * b, 1);
    const [type, bits] = chance.pick([['uint', 32], ['ushort', 16], ['ulong', 32]] as const);
    if (parameters) {
      parameters.push({ text: `local ${type} *${memory}`, size: `${size} * sizeof(${type})${chance.with(0.5) ? ' + zero' : ''}` });
      if (chance.with(0.3)) {
        const unused = this.name('m');
        parameters.unshift({ text: `local void *${unused}`, size: String(chance.integer(1, 100)) });
      }
    }
    const value = expression(chance, scope, 2, true);
    const by = chance.integer(1, 3);
    const at = '(uint)get_local_linear_id()';
    const group = '(uint)(get_local_size(0) * get_local_size(1) * get_local_size(2))';
    return {
      text: `${parameters ? '' : `local ${type} ${memory}[${size}]; `}${memory}[${at}] = (${type})${value.text}; barrier(CLK_LOCAL_MEM_FENCE); uint ${name} = (uint)${memory}[(${at} + ${by}) % ${group}]; barrier(CLK_LOCAL_MEM_FENCE);`,
      written: [],
      after: [],
      declares: { name, of: CAPTURED[0]!, own: true },
      run: (item) => {
        const other = item.peers[(item.place.localLinear + by) % item.peers.length]!;
        const found = value.at(inOrder(other));
        item.env.numbers[name] = bits === 16 ? found & 0xffff : found;
      },
    };
  } // biome-ignore format: long

  private ofGroup(scope: Scope): Made {
    const name = this.name('v');
    const value = expression(this.chance, scope, 2, true);
    const [text, of] = this.chance.pick([
      ['reduce_add', (all: number[]) => all.reduce((a, b) => a + b, 0)],
      ['reduce_max', (all: number[]) => Math.max(...all)],
      ['scan_inclusive_add', (all: number[], at: number) => all.slice(0, at + 1).reduce((a, b) => a + b, 0)],
      ['scan_exclusive_add', (all: number[], at: number) => all.slice(0, at).reduce((a, b) => a + b, 0)],
    ] as const);
    return {
      text: `uint ${name} = work_group_${text}((uint)(${value.text}));`,
      written: [],
      after: [],
      declares: { name, of: CAPTURED[0]!, own: true },
      run: (item) => {
        const all = item.peers.map((peer) => value.at(inOrder(peer)));
        item.env.numbers[name] = of(all, item.place.localLinear) >>> 0;
      },
    };
  }

  /** Commands that may wait for each other, in a branch, a loop, or a function of their own. `before`: what the body has written. */
  private section(outer: Scope, before: readonly Cells[]): Made {
    const { chance } = this;
    const form = chance.pick(['plain', 'plain', 'branch', 'loop'] as const);
    const times = form === 'loop' ? chance.integer(1, 3) : 1;
    const [counter, path] = [this.name('i'), this.name('p')];
    const condition = expression(chance, outer, 2);
    const scope: Scope =
      form === 'loop' ? { ...outer, path, paths: outer.paths * times, names: [...outer.names, { type: 'uint', name: path }] } : outer;
    const isFunction = chance.with(0.25);
    const { text, run, after } = this.commands(scope, before, !isFunction);
    const inner = isFunction ? this.asFunction(scope, text) : text;
    const shown = {
      plain: inner,
      branch: `if (${condition.text} & 1) {\n${inner}\n}`,
      loop: `for (uint ${counter} = 0; ${counter} < ${times}${chance.with(0.5) ? ' + zero' : ''}; ${counter}++) { uint ${path} = ${outer.path} * ${times} + ${counter};\n${inner}\n}`,
    }[form];
    return {
      text: shown,
      written: [],
      after: form === 'branch' ? [] : after.map((cells) => (form === 'loop' ? { ...cells, steps: [times, ...cells.steps], path: outer.path } : cells)),
      run: (item) => {
        if (form === 'branch' && !(condition.at(item) & 1)) return;
        for (let i = 0; i < times; i++) {
          if (form === 'loop') item.env.numbers[path] = number(item, outer.path) * times + i;
          run(item);
        }
      },
    };
  } // biome-ignore format: long

  private asFunction({ names }: Scope, text: string): string {
    const name = this.name('f');
    const parameters = names.map((each) => `${each.type} ${each.name}`).join(', ');
    this.functions.push(`static uint ${name}(${parameters}) { uint bad = 0;\n${text}\nreturn bad; }\n`);
    return `bad += ${name}(${names.map((each) => each.name).join(', ')});`;
  }

  private commands(scope: Scope, before: readonly Cells[], mayChange: boolean): Pick<Made, 'text' | 'run' | 'after'> {
    const { chance } = this;
    const texts: string[] = [];
    const runs: ((item: Item) => void)[] = [];
    const after: Cells[] = [];
    const known: Known[] = [];
    const gate = chance.with(0.35) ? this.name('g') : undefined;
    const status = this.may.fail && chance.with(0.4) ? -chance.integer(1, 9) : 0;
    let isSet = false;
    if (gate) {
      texts.push(`clk_event_t ${gate} = create_user_event();`);
      runs.push(({ env }) => {
        env.events[gate] = new ModelEvent();
      });
    }
    const set = (item: Item) => {
      item.env.events[gate!]!.status ??= status;
    };
    for (let count = chance.integer(1, 4); count > 0; count--) {
      const waits = known.filter(() => chance.with(0.4));
      const names = waits.map(({ name }) => name);
      if (gate && !isSet && chance.with(0.6)) names.splice(chance.integer(0, names.length), 0, gate);
      const event = chance.with(0.7) ? this.name('c') : undefined;
      const list = this.name('w');
      const given = [
        String(names.length),
        names.length === 0 ? chance.pick(['0', 'NULL']) : names.length === 1 && chance.with(0.5) ? `&${names[0]}` : list,
        event ? `&${event}` : chance.pick(['0', 'NULL']),
      ];
      if (event) texts.push(`clk_event_t ${event};`);
      if (given[1] === list) texts.push(`clk_event_t ${list}[] = { ${names.join(', ')} };`);
      const waitsOf = ({ env }: Item) => names.map((name) => env.events[name]!);
      const eventOf = ({ env }: Item) => {
        const made = new ModelEvent();
        if (event) env.events[event] = made;
        return made;
      };
      const cells = waits.flatMap((wait) => wait.cells);
      if (event && names.length > 0 && chance.with(0.2)) {
        texts.push(`bad += enqueue_marker(q, ${given[0]}, ${given[1]}, ${given[2]}) != CLK_SUCCESS;`);
        runs.push((item) => item.enqueue({ waits: waitsOf(item), event: eventOf(item), launch: undefined }));
        known.push({ name: event, cells });
        continue;
      }
      // Somebody who does not wait for the gate opens it.
      const opens = gate && !isSet && names.length === 0 && chance.with(0.5) ? gate : undefined;
      const late = known.length > 0 && scope.depth < DEEPEST && chance.with(0.2) ? chance.pick(known) : undefined;
      if (opens) isSet = true;
      const made = this.enqueued(scope, { before, cells, given, opens, late, status, mayChange, plain: !event && names.length === 0 });
      texts.push(made.text);
      runs.push((item) => made.run(item, waitsOf(item), eventOf(item)));
      after.push(...made.after);
      if (event) known.push({ name: event, cells: [...cells, ...made.after] });
    }
    if (gate) {
      if (!isSet) {
        texts.push(`set_user_event_status(${gate}, ${status === 0 ? 'CL_COMPLETE' : status});`);
        runs.push(set);
      }
      texts.push(`release_event(${gate});`);
    }
    for (const { name } of known) texts.push(`release_event(${name});`);
    return {
      text: texts.join('\n'),
      after,
      run: (item) => {
        for (const run of runs) run(item);
      },
    };
  } // biome-ignore format: long

  /** A call of enqueue_kernel. `opens`: a user event that the block sets; `late`: an event for which something waits that the block enqueues. */
  private enqueued(
    scope: Scope,
    { before, cells, given, opens, late, status, mayChange, plain }: { before: readonly Cells[]; cells: readonly Cells[]; given: readonly string[]; opens: string | undefined; late: Known | undefined; status: number; mayChange: boolean; plain: boolean },
  ): { text: string; after: readonly Cells[]; run(item: Item, waits: ModelEvent[], event: ModelEvent): void } {
    const { chance } = this;
    const range = this.range(Math.min(24, Math.floor(MOST_PATHS / scope.paths)));
    const items = itemsOf(range);
    const flag = chance.pick(['NO_WAIT', 'WAIT_KERNEL', 'WAIT_WORK_GROUP']);
    const { body: of } = scope;
    const ofParent = {
      NO_WAIT: [],
      WAIT_WORK_GROUP: before,
      WAIT_KERNEL: before.map((each) => (each.path === of.path && each.steps.length === 0 ? { ...each, among: { linear: of.linear, items: of.items } } : each)),
    }[flag]!;
    const first = (inner: Scope): Made[] => [
      ...(opens ? [this.opening(inner, opens, status)] : []),
      ...(late ? [this.lateCommand(inner, late)] : []),
    ];
    // What the parent reads was written before it started.
    const inherited = scope.cells.filter((each) => !before.includes(each));
    const names = [...scope.names, ...(opens ? [opens] : []), ...(late ? [late.name] : [])].map((each) => (typeof each === 'string' ? { type: 'clk_event_t', name: each } : each));
    const { body, text, parameters, after } = this.body({ ...scope, names }, range, [...inherited, ...ofParent, ...cells], first);
    const shown = this.rangeText(range);
    const head = parameters.length > 0 ? `^(${parameters.map((each) => each.text).join(', ')}) {` : '^{';
    const block = `${head}\n${text}}`;
    const sizes = parameters.map(({ size }) => `, ${size}`).join('');
    const variable = this.name('b');
    const isNamed = chance.with(0.4);
    const types = parameters.map((each) => each.text.slice(0, each.text.lastIndexOf('*') + 1)).join(', ') || 'void';
    const changed = isNamed && mayChange ? scope.variables.find(({ own, of: { type } }) => own && type === 'uint') : undefined;
    const queue = this.may.useDefault && chance.with(0.3) ? 'get_default_queue()' : 'q';
    const call = (what: string) =>
      `bad += enqueue_kernel(${queue}, CLK_ENQUEUE_FLAGS_${flag}, ${shown.value}, ${plain && chance.with(0.6) ? '' : `${given.join(', ')}, `}${what}${sizes}) != CLK_SUCCESS;`;
    const lines = [
      shown.before,
      opens ? `retain_event(${opens});` : '',
      late ? `for (uint i = 0; i < ${items}; i++) retain_event(${late.name});` : '',
      isNamed ? `void (^${variable})(${types}) = ${block};` : '',
      changed ? `${changed.name} += 77;` : '',
      isNamed && chance.with(0.3) ? `bad += get_kernel_work_group_size(${variable}) < 1 || get_kernel_preferred_work_group_size_multiple(${variable}) < 1;` : '',
      call(isNamed ? variable : block),
    ];
    return {
      text: lines.filter((line) => line !== '').join('\n'),
      after,
      run: (item, waits, event) => {
        const env = copyOf(item.env);
        if (changed) item.env.numbers[changed.name] = (number(item, changed.name) + 77) >>> 0;
        item.enqueue({ waits, event, launch: { range, body, env } });
      },
    };
  } // biome-ignore format: long

  private opening({ body }: Scope, event: string, status: number): Made {
    return {
      text: `if (${body.linear} == ${body.items - 1}) { set_user_event_status(${event}, ${status}); release_event(${event}); }`,
      written: [],
      after: [],
      run: ({ env, place }) => {
        if (place.linear === body.items - 1) env.events[event]!.status ??= status;
      },
    };
  }

  private lateCommand(scope: Scope, { name, cells }: Known): Made {
    const given = ['1', `&${name}`, '0'];
    const made = this.enqueued(scope, { before: [], cells, given, opens: undefined, late: undefined, status: 0, mayChange: false, plain: false });
    return {
      text: `${made.text} release_event(${name});`,
      written: [],
      after: made.after,
      run: (item) => made.run(item, [item.env.events[name]!], new ModelEvent()),
    };
  } // biome-ignore format: long

  private rangeText({ global, local, offset }: Range): { before: string; value: string } {
    const { chance } = this;
    const size = (value: number) => (chance.with(0.3) ? `${value} + zero` : String(value));
    const sizes = local
      ? offset.some((each) => each > 0)
        ? [offset, global, local]
        : [global, local]
      : [global];
    const name = this.name('r');
    const make = (given: string) => `ndrange_${global.length}D(${given})`;
    const arrays = sizes.map((all, i) => `size_t ${name}_${i}[] = { ${all.map(size).join(', ')} };`);
    const value =
      global.length === 1
        ? make(sizes.map(([each]) => size(each!)).join(', '))
        : make(sizes.map((_, i) => `${name}_${i}`).join(', '));
    const before = global.length === 1 ? '' : arrays.join(' ');
    if (chance.with(0.7)) return { before, value };
    return { before: `${before} ndrange_t ${name} = ${value};`, value: name };
  }
}

/** A work-item of the same group, as it is where the group's work-items meet. */
const inOrder = (item: Item): Item => item;
