// SPDX-License-Identifier: MIT
//
// Arrays on every device of this machine, in both styles of kernels, compared with JavaScript.
import { inspect } from 'node:util';
import { openSync, type Session } from '../../ts';
import { type Arrays, arrays, type NDArray, type Profile } from '../../ts/array';
import { apiDevices, shutdownAll } from '../conformance/devices';

afterAll(shutdownAll);

/** Numbers that are the same each time, exact as floats when summed. */
const numbers = (n: number, range = 64, seed = 1): number[] => {
  let state = seed;
  return Array.from({ length: n }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % range;
  });
};
const SIZES = [0, 1, 1000, 100_003];
const running = (
  list: readonly number[],
  step: (a: number, b: number) => number,
  first: number,
): number[] => {
  let sum = first;
  return list.map((value) => {
    sum = step(sum, value);
    return sum;
  });
};

describe.each(apiDevices)('%s', (_name, device) => {
  let cl: Session;
  let nd: Arrays;
  beforeAll(() => {
    cl = openSync({ device });
    nd = arrays(cl);
  });
  afterAll(() => {
    nd.release();
    cl.close();
  });

  test('makes arrays of lists, ranges and values', async () => {
    expect(
      await nd
        .array([
          [1, 2.5],
          [3, 4],
        ])
        .toArray(),
    ).toEqual([
      [1, 2.5],
      [3, 4],
    ]);
    expect(await nd.arange(5).toArray()).toEqual([0, 1, 2, 3, 4]);
    expect(await nd.arange(10, 4, -2).toArray()).toEqual([10, 8, 6]);
    expect(await nd.linspace(-1, 1, 5).toArray()).toEqual([-1, -0.5, 0, 0.5, 1]);
    expect(await nd.full([2, 2], 7, 'int16').toArray()).toEqual([
      [7, 7],
      [7, 7],
    ]);
    expect(await nd.array([1, 2], 'int64').toArray()).toEqual([1n, 2n]);
    expect(await nd.zeros(0).read()).toEqual(new Float32Array(0));
    expect(await nd.array(3).item()).toBe(3);
    expect(await nd.full(3, 1.5, 'float16').as('float32').toArray()).toEqual([1.5, 1.5, 1.5]);
    expect(await nd.array([[1, -2.5]], 'float16').toArray()).toEqual([[1, -2.5]]);
    expect(await nd.full([], 0.5, 'float16').item()).toBe(0.5);
    expect(nd.full(1, 0.5, 'float16').itemSync()).toBe(0.5);
  });

  test('computes elementwise, with broadcasting, in one kernel', async () => {
    const x = nd.array([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const before = nd.kernelSources.length;
    expect(
      await x
        .mul(2)
        .add(nd.array([10, 20, 30]))
        .sub(1)
        .toArray(),
    ).toEqual([
      [11, 23, 35],
      [17, 29, 41],
    ]);
    expect(nd.kernelSources.length).toBe(before + 1);
    expect(
      await x
        .transpose()
        .add(nd.array([[1, 2]]))
        .toArray(),
    ).toEqual([
      [2, 6],
      [3, 7],
      [4, 8],
    ]);
    expect(await x.gt(2).and(x.lt(6)).toArray()).toEqual([
      [0, 0, 1],
      [1, 1, 0],
    ]);
    expect(await nd.where(x.gt(3), x, -1).toArray()).toEqual([
      [-1, -1, -1],
      [4, 5, 6],
    ]);
  });

  test('reads slices, transposes and reshapes as views', async () => {
    const x = nd.arange(24).reshape(2, 3, 4);
    expect(await x.slice(1, { from: -2 }, { step: 2 }).toArray()).toEqual([
      [16, 18],
      [20, 22],
    ]);
    expect(await x.slice(0, 0, { step: -1 }).toArray()).toEqual([3, 2, 1, 0]);
    expect(await x.transpose([2, 0, 1]).slice(1).toArray()).toEqual([
      [1, 5, 9],
      [13, 17, 21],
    ]);
    expect(await x.transpose().reshape(-1).slice({ to: 4 }).toArray()).toEqual([0, 12, 4, 16]);
    expect(x.reshape([6, -1]).broadcastTo([2, 6, 4]).shape).toEqual([2, 6, 4]);
    expect(() => x.reshape([2, 3] as never, 4)).toThrow('INVALID_VALUE');
    expect(
      await x
        .transpose([1, 0, 2])
        .sum({ axis: [0, 2] })
        .toArray(),
    ).toEqual([66, 210]);
    const five = nd.arange(48).reshape(2, 3, 2, 2, 2).transpose([4, 3, 2, 1, 0]);
    expect((await five.read())[17]).toBe(42);
  });

  test('keeps the rules of integers and NaN', async () => {
    const int = nd.array(Int32Array.of(2147483647, -2147483648, 7, -7));
    expect(await int.add(1).toArray()).toEqual([-2147483648, -2147483647, 8, -6]);
    expect(await int.div(nd.array([0, -1, 2, 2], 'int32')).toArray()).toEqual([0, -2147483648, 3, -3]);
    expect(await int.mod(nd.array([0, -1, 4, 4], 'int32')).toArray()).toEqual([0, 0, 3, -3]);
    expect(await nd.array(Uint8Array.of(250)).add(10).toArray()).toEqual([4]);
    expect(await nd.array(Int8Array.of(-128)).neg().toArray()).toEqual([-128]);
    expect(await int.shl(31).toArray()).toEqual([-2147483648, 0, -2147483648, -2147483648]);
    expect(await int.shr(40).toArray()).toEqual([0, -1, 0, -1]);
    const float = nd.array([Number.NaN, -0, 1e10, -1.9]);
    expect(await float.minimum(0).toArray()).toEqual([Number.NaN, 0, 0, expect.closeTo(-1.9)]);
    expect(await float.as('int32').toArray()).toEqual([0, 0, 2147483647, -1]);
    expect(await float.as('uint8').toArray()).toEqual([0, 0, 255, 0]);
    expect(await float.max().item()).toBeNaN();
    expect(await float.argmin().item()).toBe(0);
    expect(Object.is((await float.neg().read())[1], 0)).toBe(true);
    expect(await nd.array([1, 3, 3]).argmax().item()).toBe(1);
  });

  test('promotes types', async () => {
    const [i8, u8] = [nd.array([-1], 'int8'), nd.array([255], 'uint8')];
    const sum: NDArray<'int16'> = i8.add(u8);
    expect([sum.dtype, await sum.item()]).toEqual(['int16', 254]);
    expect(nd.arange(3).add(nd.ones(3)).dtype).toBe('float32');
    expect(nd.arange(3).sqrt().dtype).toBe('float32');
    expect(() => nd.array([1n], 'int64').add(nd.array([1n], 'uint64') as never)).toThrow(/no common dtype/);
  });

  test('runs elementwise functions of statements', async () => {
    const axpy = nd.elementwise('z = a * x + y');
    const z = axpy({ a: 2, x: nd.array([1, 2]), y: nd.array([[10], [20]]) });
    expect(await z.toArray()).toEqual([
      [12, 14],
      [22, 24],
    ]);
    const both = nd.elementwise('s = x + y; d = x - y', { d: 'int32' });
    const { s, d } = both({ x: nd.array([5, 6]), y: nd.array([1, 2]) });
    expect([await s.toArray(), await d.toArray(), d.dtype]).toEqual([[6, 8], [4, 4], 'int32']);
    const stencil = nd.elementwise(
      'float left = i > 0 ? x[i - 1] : 0; y = (left + x[i]) * (i + 1 == n ? 10 : 1)',
    );
    expect(await stencil({ x: nd.array([1, 2, 3]) }, { shape: 3 }).toArray()).toEqual([1, 3, 50]);
    expect(await nd.elementwise('y = i * i', { y: 'int32' })({}, { shape: 4 }).toArray()).toEqual([
      0, 1, 4, 9,
    ]);
  });

  test('shares memory with buffers', async () => {
    const mine = cl.buffer(Float32Array.of(1, 2, 3, 4));
    const x = nd.fromBuffer(mine, [2, 2]);
    const doubled = x.add(x);
    expect((await (await doubled.buffer()).read()).join()).toBe('2,4,6,8');
    x.release();
    expect(mine.released).toBe(false);
    mine.release();
  });

  test('takes released memory again, and says what was released', async () => {
    const x = await nd.arange(1000, 'float32').evaluate();
    const { made } = nd.pool;
    for (let k = 0; k < 5; k++) {
      const y = await x.add(k).evaluate();
      y.release();
    }
    expect(nd.pool.made).toBeLessThanOrEqual(made + 1);
    const pending = x.mul(3);
    x.release();
    expect(() => x.add(1)).toThrow(/was released/);
    await expect(pending.read()).rejects.toThrow(/was released before/);
  });

  test('refuses wrong shapes, numbers and options where arrays are made', () => {
    const random = nd.random(1);
    const wrong: readonly (readonly [call: () => unknown, message: string])[] = [
      [
        () => nd.zeros('3' as never),
        'zeros: CL_INVALID_VALUE (-30): a shape must be a number or a list of numbers, not "3"',
      ],
      [() => nd.ones({} as never), 'a shape must be a number or a list of numbers, not {}'],
      [
        () => nd.full(3, undefined as never),
        'full: CL_INVALID_VALUE (-30): the value must be a number, not undefined',
      ],
      [
        () => nd.linspace(0, 'a' as never, 3),
        'linspace: CL_INVALID_VALUE (-30): `to` must be a finite number, not "a"',
      ],
      [() => nd.zeros(3).slice('a' as never), 'a slice must be a number or { from, to, step }, not "a"'],
      [() => nd.random('a' as never), 'the seed must be a whole number, not "a"'],
      [() => nd.random(1, { counter: 5 as never }), '`counter` must be a bigint, not 5'],
      [
        () => nd.random(1, { count: 1n } as never),
        '`options.count` is not an option: did you mean `counter`? Known is `counter`',
      ],
      [() => random.bits(undefined as never), 'a shape must be a number or a list of numbers, not undefined'],
      [
        () => random.uniform(3, { min: 1 } as never),
        '`options.min` is not an option. Known are `from`, `to`, `dtype`',
      ],
      [
        () => random.uniform(3, { to: Number.NaN }),
        'uniform: CL_INVALID_VALUE (-30): `to` must be a finite number, not NaN',
      ],
      [() => random.uniform(3, { from: 0n as never }), '`from` must be a finite number, not 0n'],
      [
        () => random.uniform(3, { from: 2, to: 1 }),
        '`from` must not be greater than `to`, but they are 2 and 1',
      ],
      [
        () => random.normal(3, { std: 2 } as never),
        '`options.std` is not an option. Known are `mean`, `deviation`, `dtype`',
      ],
      [() => random.normal(3, { deviation: -1 }), '`deviation` must not be negative, but is -1'],
      [
        () => random.integers(3, undefined as never),
        'give the number before which they end: integers(shape, { to: 6 })',
      ],
      [() => random.integers(3, 6 as never), 'options must be an object, such as { from: … }, not 6'],
      [
        () => random.integers(3, { to: '6' as never }),
        'integers: CL_INVALID_VALUE (-30): `to` must be a finite number, not "6"',
      ],
      [
        () => random.integers(3, { to: 300, dtype: 'uint8' }),
        'whole numbers of the type uint8 are from 0 to 255, not from 0 to before 300: give another `dtype`',
      ],
      [() => random.integers(3, { to: 2.5 }), 'the bounds must be whole numbers, not 0 and 2.5'],
    ];
    for (const [call, message] of wrong) expect(call).toThrow(message);
    // None of them has taken numbers.
    expect(random.counter).toBe(0n);
  });

  test('ends a read by a signal', async () => {
    const stop = new AbortController();
    const x = nd.arange(6);
    const reading = x.sort().read({ signal: stop.signal });
    stop.abort(new Error('no longer wanted'));
    await expect(reading).rejects.toThrow('no longer wanted');
    await expect(x.read({ signal: stop.signal })).rejects.toThrow('no longer wanted');
    const { signal } = new AbortController();
    expect([...(await x.read({ signal }))]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(() => x.read({ signal: 1 as never })).toThrow('`signal` must be an AbortSignal, not 1');
    expect(() => x.readSync({ signal } as never)).toThrow('`options.signal` is not an option');
  });

  test('reads into an array', async () => {
    const x = nd.arange(6).reshape(2, 3);
    const into = new Int32Array(6);
    expect(await x.read({ into })).toBe(into);
    expect([...into]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(x.transpose().readSync({ into })).toBe(into);
    expect([...into]).toEqual([0, 3, 1, 4, 2, 5]);
    expect(() => x.read(into as never)).toThrow('the array to read into is an option: `read({ into })`');
    expect(() => x.read({ into: new Int32Array(5) })).toThrow(
      '`into` must be of the class Int32Array, with 6 elements',
    );
    expect(() => x.read({ into: new Float32Array(6) as never })).toThrow(
      '`into` must be of the class Int32Array, with 6',
    );
    expect(() => x.readSync({ to: into } as never)).toThrow('`options.to` is not an option');
  });

  test('is neither a typed array nor JSON', () => {
    const x = nd.arange(6) as unknown as Record<string | number, unknown>;
    expect(() => x[0]).toThrow('the elements are on the device: `(await x.read())[0]`');
    expect(() => {
      x[2] = 5;
    }).toThrow('arrays do not change: make another one');
    expect(() => JSON.stringify({ x })).toThrow('`JSON.stringify(await x.toArray())`');
    // Everything else is as for other objects.
    x.own = 1;
    expect([x.own, x.missing, 0 in x, x instanceof Object]).toEqual([1, undefined, false, true]);
    expect(Object.keys(x)).toEqual(['node', 'own']);
    expect(x.hasOwnProperty).toBe(Object.prototype.hasOwnProperty);
  });

  test('refuses what does not fit', async () => {
    const x = nd.arange(6).reshape(2, 3);
    expect(() => x.add(nd.ones([2, 2]))).toThrow(
      'shapes [2, 3] and [2, 2] do not broadcast: axis 1 has 3 and 2 elements',
    );
    expect(() => x.add(0.5)).toThrow(
      "0.5 is not a value of int32: convert the array first, with .as('float32')",
    );
    expect(() => x.as('float32').and(1)).toThrow(/not a type of integers/);
    expect(() => x.sum({ axis: 2 })).toThrow('there is no axis 2 in an array with 2 axes');
    for (const axis of [
      [0, 0],
      [1, -1],
    ])
      expect(() => x.sum({ axis })).toThrow('`axis` names an axis twice');
    expect(() => x.transpose(1 as unknown as number[])).toThrow(
      'the axes must be a list of numbers, such as [1, 0], not 1',
    );
    expect(() => x.reshape(4, 2)).toThrow('an array of shape [2, 3] cannot become [4, 2]');
    // An axis in the place of the options would otherwise be ignored.
    const wrong =
      (call: (argument: never) => unknown, given: unknown): (() => unknown) =>
      () =>
        call(given as never);
    expect(wrong((axis) => x.sum(axis), 0)).toThrow(
      'sum: CL_INVALID_VALUE (-30): options must be an object, such as { axis: … }, not 0',
    );
    expect(wrong((options) => x.sum(options), { axes: 0 })).toThrow(
      'sum: CL_INVALID_VALUE (-30): `options.axes` is not an option: did you mean `axis`? Known are `axis`, `keepAxes`',
    );
    expect(wrong((axis) => x.sum({ axis }), 'x')).toThrow(
      '`axis` must be a number or a list of numbers, not "x"',
    );
    expect(wrong((options) => x.max(options), null)).toThrow('options must be an object');
    expect(wrong((axis) => x.cumsum(axis), 1)).toThrow(/cumsum: .*options must be an object/);
    expect(wrong((options) => x.scan('a + b', options), { neutral: 0, inclusive: true })).toThrow(
      /`options\.inclusive` is not an option: did you mean `exclusive`\?/,
    );
    expect(wrong((order) => x.sort(order), 'descending')).toThrow('not "descending"');
    expect(wrong((options) => x.argsort(options), { descend: true })).toThrow(
      'did you mean `descending`? Known are `axis`, `descending`',
    );
    expect(wrong((bins) => x.histogram(bins), 10)).toThrow(
      'options must be an object, such as { bins: … }, not 10',
    );
    expect(wrong((bins) => x.histogram(bins), undefined)).toThrow('histogram({ bins: 10 })');
    expect(wrong((axis) => nd.fft(x, axis), [0])).toThrow(/fft: .*options must be an object/);
    expect(wrong((edge) => x.convolve(x, edge), 'wrap')).toThrow(/convolve: .*options must be an object/);
    expect(wrong((other) => x.add(other), undefined)).toThrow(
      'an operand must be an array or a number, not undefined',
    );
    expect(wrong((other) => x.add(other), 'x')).toThrow("not the string 'x'");
    expect(() => nd.elementwise('z = x * y')({ x } as never)).toThrow('the statements take x, y');
    expect(() => x.add([1] as never)).toThrow(/make it an array with array\(\)/);
    expect(() => nd.array(Float32Array.of(1, 2), 3)).toThrow('2 elements do not fill the shape [3]');
    expect(() => nd.elementwise('z = x')({} as never)).toThrow("the argument 'x' is missing");
    expect(() => nd.elementwise('z = x')({ x, y: x } as never)).toThrow("there is no argument 'y'");
    expect(() => nd.elementwise('a + b')).toThrow(/assigns no result/);
    expect(wrong((args) => nd.elementwise('z = a * x')(args), 1)).toThrow('such as { a: …, x: … }, not 1');
    expect(wrong((args) => nd.elementwise('z = a * x')(args), x)).toThrow(
      'such as { a: …, x: … }, not NDArray',
    );
    expect(wrong((options) => arrays(cl, options), { poolSize: 0 })).toThrow(
      'arrays: CL_INVALID_VALUE (-30): `options.poolSize` is not an option. Known are `queue`, `poolBytes`, `profile`',
    );
    expect(wrong((profile) => arrays(cl, { profile }), { groupsize: 64 })).toThrow(
      '`options.profile.groupsize` is not an option: did you mean `groupSize`?',
    );
    expect(wrong((options) => nd.elementwise('z = i')({}, options), { shpae: 3 })).toThrow(
      '`options.shpae` is not an option: did you mean `shape`? Known is `shape`',
    );
    // Without its imaginary parts the transform would be of real numbers.
    expect(wrong((parts) => nd.fft(parts), { re: x, imm: x })).toThrow(
      'fft: CL_INVALID_VALUE (-30): `x.imm` is not an option: did you mean `im`?',
    );
    expect(wrong((on) => arrays(on), undefined)).toThrow(
      'arrays: CL_INVALID_VALUE (-30): it takes what open() gives',
    );
    expect(wrong((on) => arrays(on), 'software')).toThrow('not "software"');
    expect(wrong((on) => arrays(on), Promise.resolve())).toThrow('await it first');
    expect(wrong((dtype) => nd.zeros(3, dtype), { dtype: 'uint8' })).toThrow(
      'zeros: CL_INVALID_VALUE (-30): the dtype must be a name, such as \'float32\', not {"dtype":"uint8"}',
    );
    expect(wrong((dtype) => nd.ones(3, dtype), 'double')).toThrow(
      "ones: CL_INVALID_VALUE (-30): there is no dtype 'double'",
    );
    expect(() => nd.arange(9).slice(1, 5)).toThrow(
      'for an array with 1 axis: each has one, as slice({ from: 1, to: 5 })',
    );
    expect(
      wrong(
        (how) => x.reduce(how, { neutral: 0 }),
        (a: number, b: number) => a + b,
      ),
    ).toThrow('not (a, b)');
    await expect(nd.elementwise('z = nothing(x)')({ x }).read()).rejects.toThrow(/BUILD_PROGRAM_FAILURE/);
    await expect(x.item()).rejects.toThrow(/has 6 elements/);
  });

  test('blocks where it is asked to', () => {
    expect([...nd.arange(4).add(1).cumsum().readSync()]).toEqual([1, 3, 6, 10]);
    expect(nd.arange(5).sum().itemSync()).toBe(10);
  });
});

/** Kernels for processors and for GPUs, on every device. */
const styles = apiDevices.flatMap(([name, device]) => {
  const cores = { style: 'cores', subGroups: false } as const;
  const lanes = { style: 'lanes', subGroups: false } as const;
  const has = device.extensions.includes('cl_khr_subgroups');
  const profiles: readonly Partial<Profile>[] = has
    ? [cores, lanes, { ...lanes, subGroups: true }]
    : [cores, lanes];
  return profiles.map(
    (profile) =>
      [`${name}, ${profile.style}${profile.subGroups ? ', sub-groups' : ''}`, device, profile] as const,
  );
});

describe.each(styles)('%s', (_name, device, profile) => {
  let cl: Session;
  let nd: Arrays;
  beforeAll(() => {
    cl = openSync({ device });
    nd = arrays(cl, { profile: { ...profile, units: 3 } });
  });
  afterAll(() => {
    nd.release();
    cl.close();
  });

  test.each(SIZES)('reduces and scans %d elements', async (n) => {
    const list = numbers(n);
    const x = nd.array(Float32Array.from(list));
    const int = x.as('int32');
    const total = list.reduce((a, b) => a + b, 0);
    expect(await x.sum().item()).toBe(total);
    expect(await int.mul(2).sum().item()).toBe(2 * total);
    expect(await int.reduce('a | b', { neutral: 0 }).item()).toBe(list.reduce((a, b) => a | b, 0));
    if (n > 0) {
      const [least, most] = [Math.min(...list.slice(0, 50000), 63), Math.max(...list)];
      expect(await x.max().item()).toBe(most);
      expect(await int.argmax().item()).toBe(list.indexOf(most));
      expect(await x.argmin().item()).toBe(list.indexOf(least));
    } else expect(() => x.min()).toThrow(/has no min/);
    expect(await int.cumsum().read()).toEqual(Int32Array.from(running(list, (a, b) => a + b, 0)));
    const exclusive = running([0, ...list.slice(0, -1)], (a, b) => a + b, 0).slice(0, n);
    expect(await int.cumsum({ exclusive: true }).read()).toEqual(Int32Array.from(exclusive));
    expect(await x.cummax().read()).toEqual(Float32Array.from(running(list, Math.max, 0)));
  });

  test('reduces and scans along axes', async () => {
    const [rows, columns] = [70, 301];
    const list = numbers(rows * columns);
    const x = nd.array(Int32Array.from(list), [rows, columns]);
    const at = (r: number, c: number) => list[r * columns + c]!;
    const range = (n: number) => Array.from({ length: n }, (_, k) => k);
    const add = (a: number, b: number) => a + b;
    const byRow = range(rows).map((r) =>
      range(columns)
        .map((c) => at(r, c))
        .reduce(add),
    );
    const byColumn = range(columns).map((c) =>
      range(rows)
        .map((r) => at(r, c))
        .reduce(add),
    );
    expect(await x.sum({ axis: 1 }).toArray()).toEqual(byRow);
    expect(await x.sum({ axis: 0 }).toArray()).toEqual(byColumn);
    expect(await x.transpose().sum({ axis: 0 }).toArray()).toEqual(byRow);
    expect((await x.cumsum({ axis: 1 }).slice(undefined, -1).read()).join()).toBe(byRow.join());
    expect((await x.cumsum({ axis: 0 }).slice(-1).read()).join()).toBe(byColumn.join());
    expect(await x.max({ axis: 1, keepAxes: true }).sub(x).min().item()).toBe(0);
    expect(await x.mean({ axis: 1 }).slice(0).item()).toBeCloseTo(byRow[0]! / columns, 4);
  });

  test('uses sub-group functions where it is asked to, and they are exact', async () => {
    const { subGroups } = profile;
    const longs = nd.array(BigInt64Array.from(numbers(3001), (each) => BigInt(each) * 0x1234567890abn));
    const x = nd.array(Int32Array.from(numbers(3001)));
    for (const each of [longs.sum(), x.min(), x.cummax(), x.cumsum(), x.any()])
      expect((await each.explain()).includes('sub_group_')).toBe(subGroups);
    // Neither NaNs nor expressions are theirs.
    const floats = nd.array(Float32Array.of(1, Number.NaN, 3));
    for (const each of [floats.cummin(), x.scan('max(a, b)', { neutral: 0 })])
      expect(await each.explain()).not.toContain('sub_group_');
    const sum = numbers(3001).reduce((a, b) => a + BigInt(b) * 0x1234567890abn, 0n);
    expect(await longs.sum().item()).toBe(sum);
    expect(await x.min().item()).toBe(Math.min(...numbers(3001)));
    expect(await x.any().item()).toBe(1);
    expect(await x.all().item()).toBe(numbers(3001).includes(0) ? 0 : 1);
  });

  test('scans by expressions whose order counts', async () => {
    // The last operand that is not 0.
    const list = numbers(5003, 4);
    const last = running(list, (a, b) => b || a, 0);
    expect(await nd.array(Int32Array.from(list)).scan('b != 0 ? b : a', { neutral: 0 }).read()).toEqual(
      Int32Array.from(last),
    );
  });
});

test('shows arrays by their type and shape', () => {
  using cl = openSync({ device: 'software' });
  const nd = arrays(cl);
  const x = nd.zeros([2, 3]);
  expect(String(x)).toBe('NDArray { dtype: float32, shape: [2, 3] }');
  expect(inspect({ x })).toBe("{ x: NDArray { dtype: 'float32', shape: '[2, 3]' } }");
  expect(String(nd)).toBe(`Arrays { device: ${cl.device.name} }`);
  expect(String(Object.getPrototypeOf(x))).toBe('NDArray');
  nd.release();
});

test('combines the runs of a GPU by groups, where there are many', async () => {
  using cl = openSync({ device: 'software' });
  const nd = arrays(cl, { profile: { style: 'lanes', units: 64, groupSize: 16 } });
  const list = numbers(1 << 16);
  const x = nd.array(Int32Array.from(list));
  expect(await x.sum().item()).toBe(list.reduce((a, b) => a + b, 0));
  expect(await x.cumsum().read()).toEqual(Int32Array.from(running(list, (a, b) => a + b, 0)));
  expect(await x.sort().read()).toEqual(Int32Array.from(list).sort());
  nd.release();
});
