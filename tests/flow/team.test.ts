// SPDX-License-Identifier: MIT
//
// One range, and one stream of jobs, over several devices: the software device twice, and PoCL where it is.
import {
  type CommandQueue,
  type Device,
  ErrorCode,
  findDevice,
  OpenCLError,
  open,
  openTeam,
  part,
  platforms,
  schedule,
  split,
  type Team,
} from '../../ts';
import { type DeviceFailure, type Member, TeamError, TeamKernel } from '../../ts/flow/team';

const SAXPY =
  'kernel void saxpy(float a, global const float *x, global float *y, global const float *shift) { int i = get_global_id(0); y[i] = a * x[i] + y[i] + shift[0]; }';
const TRAP =
  'kernel void saxpy(float a, global const float *x, global float *y, global const float *shift) { y[0x20000000] = 1; }';
const software = findDevice('software');
const pocl = platforms().find(({ name }) => name === 'Portable Computing Language')?.devices[0];
const over: readonly Device[] = [software, software, ...(pocl ? [pocl] : [])];

let team: Team;
beforeEach(async () => {
  team = await openTeam({ over });
});
afterEach(() => team.close());

const N = 1 << 16;
const arrays = () => ({
  x: Float32Array.from({ length: N }, (_, i) => i),
  y: new Float32Array(N).fill(1),
  shift: Float32Array.of(0.5),
});

/** The team's kernel, but the first `count` members get one that traps. */
async function trapping(count: number): Promise<TeamKernel> {
  const good = await team.kernel(SAXPY, 'saxpy');
  const bad = await team.kernel(TRAP, 'saxpy');
  const kernels = team.members.map(
    (member, i) => [member, (i < count ? bad : good).kernels.get(member)!] as const,
  );
  return new TeamKernel(team, 'saxpy', new Map(kernels));
}

describe('split', () => {
  test('gives the results of one device', async () => {
    const saxpy = await team.kernel(SAXPY, 'saxpy');
    const { x, y, shift } = arrays();
    for (let run = 0; run < 2; run++)
      await split(saxpy, { global: N, local: 64 }, 2, part.read(x), part.readWrite(y), part.whole(shift));
    expect(y.every((value, i) => value === 4 * i + 2)).toBe(true);
  });

  test('has each slice done once, and says by whom', async () => {
    const saxpy = await team.kernel(SAXPY, 'saxpy');
    const { x, y, shift } = arrays();
    const { devices, failures } = await split(
      saxpy,
      { global: N },
      2,
      part.read(x),
      part.readWrite(y),
      part.whole(shift),
    );
    expect(failures).toEqual([]);
    expect(devices.map(({ device }) => device)).toEqual(over);
    expect(devices.reduce((sum, { slices }) => sum + slices, 0)).toBe(N);
    expect([...saxpy.speeds.values()].every((speed) => speed > 0)).toBe(true);
  });

  const onDriver = pocl ? test : test.skip;
  onDriver('copies large slices on threads of their own', async () => {
    team.close();
    team = await openTeam({ over: [pocl!, pocl!] });
    const saxpy = await team.kernel(SAXPY, 'saxpy');
    const n = 1 << 22;
    const x = Float32Array.from({ length: n }, (_, i) => i % 1000);
    const y = new Float32Array(n).fill(1);
    const shift = new Float32Array(1 << 20).fill(0.5);
    await split(saxpy, { global: n, local: 64 }, 2, part.read(x), part.readWrite(y), part.whole(shift));
    expect(y.every((value, i) => value === 2 * (i % 1000) + 1.5)).toBe(true);
  });

  test('divides the last dimension, with global ids of the whole range', async () => {
    const source =
      'kernel void ids(global int *out) { out[get_global_id(1) * 20 + get_global_id(0)] = get_global_id(1) * 100 + get_global_id(0); }';
    const ids = await team.kernel(source, 'ids');
    const out = new Int32Array(20 * 300);
    await split(ids, { global: [20, 300] }, part.write(out));
    expect(out.every((value, i) => value === Math.floor(i / 20) * 100 + (i % 20))).toBe(true);
  });

  test('gives each device its slices alone, if ids count from them', async () => {
    const source =
      'kernel void add(global const float *x, global float *y, global const float *shift, uint first) { uint i = get_global_id(0); y[i] = x[i] + y[i] + shift[first + i]; }';
    team.close();
    // All three arrays do not fit; an eighth of two and all of the third do, with the kernel's own memory.
    const n = 1 << 20;
    const most = 3 * 4 * n;
    const sessions = [await open({ device: software, maxMemory: most }), await open({ device: software })];
    team = await openTeam({ over: sessions });
    const add = await team.kernel(source, 'add');
    const x = Float32Array.from({ length: n }, (_, i) => i);
    const y = new Float32Array(n).fill(1);
    const shift = Float32Array.from({ length: n }, (_, i) => 3 * i);
    const args = [part.read(x), part.readWrite(y), part.whole(shift), part.first];
    const { failures } = await split(add, { global: n, local: 64, ids: 'slice' }, ...args);
    expect(failures).toEqual([]);
    expect(y.every((value, i) => value === 4 * i + 1)).toBe(true);
    for (const session of sessions) session.close();
  });

  test('names the team that was closed, before and in the middle', async () => {
    const slow = SAXPY.replace('y[i] =', 'for (int k = 0; k < 9999; k++) y[i] = fma(y[i], 1, 0); y[i] =');
    const saxpy = await team.kernel(slow, 'saxpy');
    const { x, y, shift } = arrays();
    const args = [2, part.read(x), part.readWrite(y), part.whole(shift)] as const;
    const closed = {
      code: ErrorCode.INVALID_CONTEXT,
      message: expect.stringContaining('the team was closed'),
    };
    const running = split(saxpy, { global: N }, ...args);
    team.close();
    await expect(running).rejects.toMatchObject(closed);
    expect(team.closed).toBe(true);
    await expect(split(saxpy, { global: N }, ...args)).rejects.toMatchObject(closed);
    await expect(team.kernel(SAXPY, 'saxpy')).rejects.toMatchObject(closed);
    expect(() => schedule(team, [1], async () => 1)).toThrow('the team was closed');
  });

  test('loses nothing of the others where a device fails in the middle', async () => {
    team.close();
    team = await openTeam({ over: [software, software] });
    // The other device is so slow that the first one comes to its second slice, at which it fails.
    const slow = SAXPY.replace('y[i] =', 'for (int k = 0; k < 9999; k++) y[i] = fma(y[i], 1, 0); y[i] =');
    const fault = SAXPY.replace('int i', 'if (get_global_offset(0) > 0) y[0x20000000] = 1; int i');
    const [first, second] = team.members;
    const sources = [[first!, fault] as const, [second!, slow] as const];
    const kernels = sources.map(async ([member, source]) => {
      return [member, (await team.kernel(source, 'saxpy')).kernels.get(member)!] as const;
    });
    const { x, y, shift } = arrays();
    const kernel = new TeamKernel(team, 'saxpy', new Map(await Promise.all(kernels)));
    const args = [2, part.read(x), part.readWrite(y), part.whole(shift)];
    const { failures, devices } = await split(kernel, { global: N }, ...args);
    expect(y.every((value, i) => value === 2 * i + 1.5)).toBe(true);
    expect(devices.map(({ launches }) => launches > 0)).toEqual([true, true]);
    expect(devices[0]!.slices + devices[1]!.slices).toBe(N);
    expect(failures.map(({ device }) => device)).toEqual([software]);
  });

  test('goes on without a device that fails, and names it', async () => {
    const saxpy = await trapping(1);
    const { x, y, shift } = arrays();
    const { failures, devices } = await split(
      saxpy,
      { global: N },
      2,
      part.read(x),
      part.readWrite(y),
      part.whole(shift),
    );
    expect(y.every((value, i) => value === 2 * i + 1.5)).toBe(true);
    expect(failures.map(({ device }) => device)).toEqual([software]);
    expect(failures[0]!.error.message).toMatch(/kernel 'saxpy' trapped/);
    expect(devices[0]!.slices).toBe(0);
    expect(team.failures).toEqual(failures);
  });

  test('goes on without a device that cannot create its queues', async () => {
    const saxpy = await team.kernel(SAXPY, 'saxpy');
    const { context } = team.members[0]!.session;
    const createQueue = context.createQueue.bind(context);
    const made: CommandQueue[] = [];
    context.createQueue = (...given) => {
      if (made.length === 2) throw new OpenCLError(ErrorCode.DEVICE_NOT_AVAILABLE, 'clCreateCommandQueue');
      made.push(createQueue(...given));
      return made.at(-1)!;
    };
    const { x, y, shift } = arrays();
    const args = [2, part.read(x), part.readWrite(y), part.whole(shift)];
    const { failures, devices } = await split(saxpy, { global: N }, ...args);
    context.createQueue = createQueue;
    expect(y.every((value, i) => value === 2 * i + 1.5)).toBe(true);
    expect(failures.map(({ error }) => error.message)).toEqual([
      expect.stringContaining('CL_DEVICE_NOT_AVAILABLE'),
    ]);
    expect(devices).toHaveLength(over.length - 1);
    expect(made.map(({ released }) => released)).toEqual([true, true]);
  });

  test('without any device left is an error that names all', async () => {
    if (pocl) {
      team.close();
      team = await openTeam({ over: [software, software] });
    }
    const saxpy = await trapping(2);
    const { x, y, shift } = arrays();
    const running = split(saxpy, { global: N }, 2, part.read(x), part.readWrite(y), part.whole(shift));
    await expect(running).rejects.toThrow(TeamError);
    await expect(running).rejects.toThrow(
      /no device is left to run 'saxpy': anycl software device: .*trapped.*; anycl software device: /,
    );
    expect(y.every((value) => value === 1)).toBe(true);
  });

  test('a wrong call is an error of its own, and no device’s', async () => {
    const saxpy = await team.kernel(SAXPY, 'saxpy');
    const { x } = arrays();
    await expect(split(saxpy, { global: N }, 2, part.read(x))).rejects.toThrow(
      /takes 4 arguments, 2 were given/,
    );
    await expect(split(saxpy, { global: N }, 2, x)).rejects.toThrow(
      `argument 1 is a Float32Array of ${x.length} elements: say what the kernel does with it, by part.read`,
    );
    await expect(split(saxpy, { global: 7 }, 2, part.read(x))).rejects.toThrow(
      /argument 1 has 65536 elements, which 7 slices/,
    );
    expect(team.failures).toEqual([]);
  });

  test('a program that one device refuses names the device', async () => {
    await expect(team.kernel('kernel void k() { oops; }', 'k')).rejects.toThrow(
      /^(anycl software|pthread).*CL_BUILD_PROGRAM_FAILURE/,
    );
  });
});

describe('schedule', () => {
  const SOURCE = 'kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }';

  test('runs jobs on all devices, and gives results in their order', async () => {
    const add = await team.kernel(SOURCE, 'add');
    const used = new Set<Device>();
    const memberOf = (session: unknown): Member => team.members.find((member) => member.session === session)!;
    const results: number[] = [];
    const jobs = Array.from({ length: 30 }, (_, i) => i);
    const run = schedule(team, jobs, async (session, job) => {
      used.add(session.device);
      const buffer = session.buffer(new Int32Array(64));
      await add.kernels.get(memberOf(session))!.run({ global: 64 }, buffer, job);
      const out = await buffer.read();
      buffer.release();
      return out[63]!;
    });
    for await (const result of run) results.push(result);
    expect(results).toEqual(jobs);
    expect(used).toEqual(new Set(over));
  });

  test('takes jobs only as results are taken', async () => {
    let taken = 0;
    const jobs = (function* () {
      for (;;) yield taken++;
    })();
    const run = schedule(team, jobs, async (_session, job) => job, { perDevice: 1 });
    expect((await run.next()).value).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(taken).toBeLessThanOrEqual(over.length + 1);
    await run.return();
  });

  test('runs the jobs of a device that fails on another one', async () => {
    const [first] = team.members;
    const trap = await team.kernel('kernel void trap(global int *p) { p[0x20000000] = 1; }', 'trap');
    const run = schedule(team, [1, 2, 3, 4, 5, 6], async (session, job) => {
      if (session === first!.session) await trap.kernels.get(first!)!.run({ global: 1 }, session.buffer(4));
      return job * job;
    });
    const results: number[] = [];
    for await (const result of run) results.push(result);
    expect(results).toEqual([1, 4, 9, 16, 25, 36]);
    expect(team.failures.map(({ device }) => device)).toEqual([software]);
    expect(team.failures[0]!.error.message).toMatch(/trapped/);
  });

  test('ends where all devices fail elsewhere', async () => {
    const failures: DeviceFailure = { device: software, error: new Error('lost') };
    const run = schedule(team, [1, 2, 3, 4, 5, 6, 7, 8, 9], async (_session, job) => {
      for (const member of team.members) member.failure = failures;
      return job;
    });
    const results: number[] = [];
    await expect(async () => {
      for await (const result of run) results.push(result);
    }).rejects.toThrow(/^no device is left: .*: lost/);
    expect(results[0]).toBe(1);
  });

  test('an error of a job is thrown where its result would have come', async () => {
    const results: number[] = [];
    await expect(async () => {
      const run = schedule(team, [1, 2, 3], async (_session, job) => {
        if (job === 2) throw new RangeError('job 2');
        return job;
      });
      for await (const result of run) results.push(result);
    }).rejects.toThrow('job 2');
    expect(results).toEqual([1]);
    expect(team.failures).toEqual([]);
  });
});
