// SPDX-License-Identifier: MIT
//
// Random launches that write to a pipe and read from it: packets one by one, and by reservations of work-items, sub-groups and work-groups, also where
// neighbours do something else, and where the pipe is full or empty. The model knows how many succeed, and in which order launches'
// packets come out.
import { Chance } from '../chance';

/** The part of the package's API that this uses: a bundle of the tests' sources cannot contain the package. */
export interface Session {
  build(source: string, options: string): Promise<{ readonly kernels: Record<string, Kernel> }>;
  buffer(content: ArrayBufferView): Memory;
  readonly context: { createPipe(packetSize: number, maxPackets: number): { release(): void } };
}
interface Kernel {
  run(range: object, ...args: unknown[]): PromiseLike<unknown>;
}
interface Memory {
  read(): PromiseLike<ArrayBufferView>;
  write(data: ArrayBufferView): PromiseLike<unknown>;
  release(): void;
}

/** Types of packets: bytes, a packet of the number `v`, and the number of a packet `p`. */
const PACKETS = [
  ['uint', 4, 'v', 'p'],
  ['ulong', 8, '((ulong)v << 20) | 5', '(uint)(p >> 20)'],
  ['uint4', 16, '(uint4)(v, 1, 2, ~v)', '(p.w == ~p.x ? p.x : 0xdead)'],
  ['uchar4', 4, 'as_uchar4(v)', 'as_uint(p)'],
  ['double2', 16, '(double2)(0.5, v)', '(uint)p.y'],
  ['S', 12, '(S){ v, v + 1, { 3, 4 } }', '(p.b == p.a + 1 && p.c[1] == 4 ? p.a : 0xdead)'],
] as const;

/** How many packets a work-item, sub-group or group wants at once. */
const MOST = 4;
const ITEMS = 96;

/** `NAME(read or write)`: what a kernel does, with the numbers of its packets in `o`, and whether it succeeded in `ok`. */
function sourceOf([type, , make, take]: (typeof PACKETS)[number]): string {
  const wants = '((g ^ seed) % 3 == 0 || seed % 2 == 0)';
  const many = `(g * 7 + seed) % ${MOST} + 1`;
  const access = (way: 'read' | 'write', arguments_: string) =>
    way === 'write'
      ? `uint v = base + g * ${MOST} + i; ${type} p = ${make}; done += write_pipe(q, ${arguments_}&p) == 0;`
      : `${type} p; uint r = read_pipe(q, ${arguments_}&p) == 0; done += r; if (r) o[g * ${MOST} + i] = ${take};`;
  const kernel = (name: string, way: 'read' | 'write', body: string) =>
    `kernel void ${name}_${way}(${way}_only pipe ${type} q, global uint *o, global uint *ok, uint base, uint seed) { uint g = get_global_id(0), done = 0; ${body} ok[g] = done; }\n`;
  return `typedef struct { uint a, b; ushort c[2]; } S;\n${(['read', 'write'] as const)
    .map((way) => {
      const reserved = (scope: string, count: string, at: string) =>
        `reserve_id_t id = ${scope}reserve_${way}_pipe(q, ${count}); if (is_valid_reserve_id(id)) { ${at} ${scope}commit_${way}_pipe(q, id); }`;
      const inGroup = (scope: string, size: string, lid: string) =>
        reserved(scope, size, `uint i = 0; ${access(way, `id, ${size} - 1 - ${lid}, `)}`);
      return [
        kernel('single', way, `if (${wants}) { uint i = 0; ${access(way, '')} }`),
        kernel('some', way, `for (uint i = 0; i < (g + seed) % ${MOST}; i++) { ${access(way, '')} }`),
        kernel('reserved', way, `if (${wants}) { uint k = ${many}; ${reserved('', 'k', `for (uint i = 0; i < k; i++) { ${access(way, 'id, k - 1 - i, ')} }`)} }`),
        kernel('group', way, inGroup('work_group_', 'get_local_size(0)', 'get_local_id(0)')),
        kernel('sub', way, inGroup('sub_group_', 'get_sub_group_size()', 'get_sub_group_local_id()')),
        way === 'read' ? kernel('drain', way, `uint r = 1; for (uint i = 0; r; i++) { ${type} p; r = read_pipe(q, &p) == 0; if (r) { o[i] = ${take}; done++; } }`) : '',
      ].join('');
    })
    .join('')}kernel void count(read_only pipe ${type} q, global uint *o) { o[0] = get_pipe_num_packets(q); o[1] = get_pipe_max_packets(q); }\n`; // biome-ignore format: a table
}

const KINDS = ['single', 'some', 'reserved', 'group', 'sub'] as const;

/** What is wrong, or undefined. */
export async function runPipes(seed: number, session: Session): Promise<string | undefined> {
  const chance = new Chance(seed ^ 0x919e);
  const packet = chance.pick(PACKETS);
  const { kernels } = await session.build(sourceOf(packet), '-cl-std=CL3.0 -w');
  const most = chance.pick([1, 7, 40, 64, 200, 1000]);
  const pipe = session.context.createPipe(packet[1], most);
  const [o, ok] = [session.buffer(new Uint32Array(2048)), session.buffer(new Uint32Array(ITEMS))];
  /** The numbers in the pipe: of each launch those whose order is not known. */
  const batches: Set<number>[] = [];
  const held = () => batches.reduce((sum, { size }) => sum + size, 0);
  /** Takes a number out; false if another batch is before its own. */
  const take = (value: number) => {
    const found = batches[0]?.delete(value) ?? false;
    if (batches[0]?.size === 0) batches.shift();
    return found;
  };
  const launch = async (name: string, global: number, local: number, base: number, salt: number) => {
    await Promise.all([o.write(new Uint32Array(2048)), ok.write(new Uint32Array(ITEMS))]);
    await kernels[name]!.run({ global, local }, pipe, o, ok, base, salt);
    return (await Promise.all([o.read(), ok.read()])) as [Uint32Array, Uint32Array];
  };
  try {
    for (let step = 0; step < 14; step++) {
      const local = chance.pick([1, 4, 8, 12, 16]);
      const global = local * chance.integer(1, Math.floor(ITEMS / local));
      const [base, salt] = [1000 * (step + 1), chance.integer(0, 50)];
      const way = chance.with(0.55) ? 'write' : 'read';
      const kind = chance.pick(KINDS);
      const what = `${packet[0]}, at most ${most}, step ${step}: ${kind} ${way} of ${global}/${local}`;
      const before = held();
      const [values, done] = await launch(`${kind}_${way}`, global, local, base, salt);
      const total = done.reduce((sum, each) => sum + each, 0);
      const room = way === 'write' ? most - before : before;
      if (total > room) return `${what}: ${total} of ${room} succeed`;
      const wanted = Array.from({ length: global }, (_, g) => wantedBy(kind, g, salt));
      const sum = wanted.reduce((a, b) => a + b, 0);
      // Packets one by one succeed as long as there is room; who reserves more than there is gets nothing.
      if ((kind === 'single' || kind === 'some' || sum <= room) && total !== Math.min(sum, room)) return `${what}: ${total} succeed, ${sum} are wanted, and there is room for ${room}`; // biome-ignore format: long
      if (kind === 'reserved') {
        const wrong = done.findIndex((each, g) => each !== 0 && each !== (wanted[g] ?? 0));
        if (wrong >= 0) return `${what}: work-item ${wrong} has ${done[wrong]} of ${wanted[wrong]} packets`;
        if (wanted.some((each, g) => each > 0 && done[g] === 0 && each <= room - total)) return `${what}: a reservation failed for which there is room`; // biome-ignore format: long
      }
      if (way === 'write') {
        const written = new Set<number>();
        for (let g = 0; g < global; g++) for (let i = 0; i < done[g]!; i++) written.add(base + g * MOST + i);
        if (written.size > 0) batches.push(written);
      } else {
        const left = new Set(values.filter((value) => value !== 0));
        if (left.size !== total) return `${what}: ${left.size} different packets of ${total}`;
        while (left.size > 0) {
          const next = [...left].find((value) => batches[0]?.has(value));
          if (next === undefined) return `${what}: ${[...left][0]} is not a packet of the first launch`;
          left.delete(next);
          take(next);
        }
      }
      await kernels.count!.run({ global: 1 }, pipe, o);
      const [now, limit] = (await o.read()) as Uint32Array;
      if (now !== held() || limit !== most) return `${what}: ${now} packets of ${limit}, not ${held()}`;
    }
    const [values, [drained]] = await launch('drain_read', 1, 1, 0, 0);
    if (drained !== held()) return `${drained} packets are left, not ${held()}`;
    for (const value of values.subarray(0, drained))
      if (!take(value)) return `${value} is left in another order`;
    return undefined;
  } finally {
    for (const each of [pipe, o, ok]) each.release();
  }
}

/** How many packets a work-item wants, as `sourceOf` has it. */
function wantedBy(kind: (typeof KINDS)[number], g: number, seed: number): number {
  const wants = (g ^ seed) % 3 === 0 || seed % 2 === 0;
  switch (kind) {
    case 'single':
      return wants ? 1 : 0;
    case 'some':
      return (g + seed) % MOST;
    case 'reserved':
      return wants ? ((g * 7 + seed) % MOST) + 1 : 0;
    default:
      return 1;
  }
}
