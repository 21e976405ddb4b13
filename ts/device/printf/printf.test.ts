// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { type Ring, readPrintf } from './printf';
import { formatFloat, formatInteger, type Specification } from './printf-format';

const piecesOf = (ring: Ring, formats: Parameters<typeof readPrintf>[1]) =>
  [...readPrintf(ring, formats)].map((bytes) => Buffer.from(bytes));
const printed = (...from: Parameters<typeof piecesOf>) => Buffer.concat(piecesOf(...from)).toString();

function specification(text: string): { spec: Specification; conversion: string } {
  const [, flags, width, precision, conversion] = /^%([-+ #0]*)(\d*)(?:\.(\d*))?(?:l*)([a-zA-Z])$/.exec(
    text,
  )!;
  return {
    conversion: conversion!,
    spec: {
      left: flags!.includes('-'),
      plus: flags!.includes('+'),
      space: flags!.includes(' '),
      alternative: flags!.includes('#'),
      zero: flags!.includes('0'),
      width: Number(width),
      precision: precision === undefined ? undefined : Number(precision),
    },
  };
}

const FLOATS = [
  0,
  -0,
  1,
  -1,
  0.5,
  1.5,
  2.5,
  0.1,
  123.456,
  1e21,
  1e300,
  5e-324,
  1e-5,
  0.0001,
  99999.95,
  999999.5,
  1 / 3,
  0.05,
  1e15,
  // Their shortest digits are of another power of ten.
  1e23,
  1e38,
  1e-45,
  -9.5367431640625e-7,
  9.999999999999999e22,
];
const FLOAT_FORMATS = [
  '%f',
  '%e',
  '%g',
  '%a',
  '%.0f',
  '%.3f',
  '%.0e',
  '%#.0f',
  '%+.2e',
  '%010.3f',
  '%-12.4g|',
  '% g',
  '%#g',
  '%.10g',
  '%.3a',
  '%G',
  '%.17g',
  '%.17e',
  '%.25g',
];
const INTEGERS = [0n, 1n, -1n, 42n, -123456n, 2147483647n];
const INTEGER_FORMATS = [
  '%d',
  '%5d',
  '%-5d|',
  '%05d',
  '%+d',
  '% d',
  '%.4d',
  '%8.4d',
  '%x',
  '%#x',
  '%X',
  '%#X',
  '%o',
  '%#o',
  '%u',
  '%.0d',
  '%#010x',
];

test('numbers look as by the C library', () => {
  const code = [
    'import ctypes,sys',
    'c=ctypes.CDLL(None)',
    'b=ctypes.create_string_buffer(1000)',
    'out=[]',
    'for line in sys.stdin.read().split("\\n"):',
    '  if not line: continue',
    '  kind,fmt,value=line.split("\\t")',
    '  v=ctypes.c_double(float(value)) if kind=="f" else ctypes.c_longlong(int(value))',
    '  c.snprintf(b,1000,fmt.encode(),v)',
    '  out.append(b.value.decode())',
    'print("\\n".join(out))',
  ].join('\n');
  const cases: { line: string; text: string }[] = [];
  for (const format of FLOAT_FORMATS) {
    const { spec, conversion } = specification(format.replace('|', ''));
    for (const value of FLOATS) {
      // glibc drops the zeros of this one.
      if (format === '%#g' && value === 999999.5) continue;
      const number = Object.is(value, -0) ? '-0.0' : String(value);
      cases.push({
        line: `f\t${format.replace('|', '')}\t${number}`,
        text: formatFloat(value, conversion, spec),
      });
    }
  }
  for (const format of INTEGER_FORMATS) {
    const { spec, conversion } = specification(format.replace('|', ''));
    const signed = 'di'.includes(conversion);
    const wide = format.replace('|', '').replace(/.$/, 'll$&');
    for (const value of INTEGERS) {
      const narrow = signed ? value : BigInt.asUintN(64, value);
      cases.push({ line: `i\t${wide}\t${value}`, text: formatInteger(narrow, conversion, spec) });
    }
  }
  let expected: string;
  try {
    const input = cases.map(({ line }) => line).join('\n');
    expected = execFileSync('python3', ['-c', code], { input, encoding: 'utf8' });
  } catch {
    console.warn('python3 is missing: nothing to compare with');
    return;
  }
  const lines = expected.replace(/\n$/, '').split('\n');
  expect(cases.map(({ line, text }) => `${line}: ${text}`)).toEqual(
    cases.map(({ line }, i) => `${line}: ${lines[i]}`),
  );
});

test('reads records: vectors, lengths, strings, and a full buffer', () => {
  const memory = new Uint8Array(1024);
  const view = new DataView(memory.buffer);
  memory.set(Buffer.from('text\0'), 512);
  const formats = [
    { format: 'a=%v4hld|', arguments: [{ type: 'i32' as const, components: 4 }] },
    {
      format: '%s %5.1f%% %c %hhd %p\n',
      arguments: [
        { type: 'string' as const, components: 1 },
        { type: 'f64' as const, components: 1 },
        { type: 'i32' as const, components: 1 },
        { type: 'i32' as const, components: 1 },
        { type: 'pointer' as const, components: 1 },
      ],
    },
  ];
  const words = [24, 0, 1, -2, 3, 4];
  words.forEach((word, i) => {
    view.setInt32(8 + 4 * i, word, true);
  });
  view.setUint32(32, 32, true);
  view.setUint32(36, 1, true);
  view.setUint32(40, 512, true);
  view.setFloat64(44, 2.25, true);
  view.setUint32(52, 65, true);
  view.setInt32(56, 0x1ff, true);
  view.setUint32(60, 0x1234, true);
  view.setUint32(0, 56, true);
  const text = (capacity: number) => printed({ memory, address: 0, capacity }, formats);
  expect(text(56)).toBe('a=1,-2,3,4|text   2.2% A -1 0x1234\n');
  view.setUint32(0, 100, true);
  expect(text(64)).toBe(
    'a=1,-2,3,4|text   2.2% A -1 0x1234\n[printf: the buffer was full, 100 bytes were printed]\n',
  );
});

test('a NaN has its sign', () => {
  const memory = new Uint8Array(64);
  new Uint32Array(memory.buffer).set([24, 48, 24, 0, 0, 0xfff80000, 0, 0x7ff80000]);
  const slot = { type: 'f64' as const, components: 1 };
  const text = printed({ memory, address: 0, capacity: 48 }, [
    { format: '%f %+6.1F', arguments: [slot, slot] },
  ]);
  expect(text).toBe('-nan   +NAN');
});

test('widths and precisions may be arguments, as in C', () => {
  const memory = new Uint8Array(64);
  const slot = { type: 'i32' as const, components: 1 };
  const print = (format: string, ...values: number[]) => {
    new Int32Array(memory.buffer).set([20, 48, 20, 0, ...values]);
    return printed({ memory, address: 0, capacity: 48 }, [{ format, arguments: [slot, slot, slot] }]);
  };
  expect(print('%*.*d|', -5, 3, 7)).toBe('007  |');
  expect(print('%0*.*d|', 5, -1, 7)).toBe('00007|');
  expect(print('%*.*d|', 70_000, 0, 7)).toMatch(
    /^ {65535}7\|\[printf: '%\*\.\*d' was cut to 65536 characters\]/,
  );
});

test('%c writes a byte, also of a character of several', () => {
  const memory = new Uint8Array(64);
  const words = [24, 48, 24, 0, 0xc3, 0x1a9, -1, 65];
  new Int32Array(memory.buffer).set(words);
  const slot = { type: 'i32' as const, components: 1 };
  const formats = [{ format: '%c%c%3c%-2c|', arguments: [slot, slot, slot, slot] }];
  const bytes = Buffer.concat(piecesOf({ memory, address: 0, capacity: 48 }, formats));
  expect([...bytes]).toEqual([0xc3, 0xa9, 32, 32, 0xff, 65, 32, 124]);
});

test('widths and precisions of strings count bytes', () => {
  const memory = new Uint8Array(1024);
  const view = new DataView(memory.buffer);
  memory.set(Buffer.from('é€!\0'), 512);
  const print = (format: string) => {
    [12, 0, 12, 0, 512].forEach((word, i) => {
      view.setUint32(4 * i, word, true);
    });
    const formats = [{ format, arguments: [{ type: 'string' as const, components: 1 }] }];
    return printed({ memory, address: 0, capacity: 12 }, formats);
  };
  expect(['%8s|', '%-8s|', '%.2s|', '%4.2s|', '%.5s|', '%.9s|'].map(print)).toEqual([
    '  é€!|', 'é€!  |', 'é|', '  é|', 'é€|', 'é€!|',
  ]); // biome-ignore format: short
});

test.each([
  ['i64', 10_000_000_000n, '10000000000 10000000000'],
  ['i64', -10_000_000_000n, '-10000000000 18446744063709551616'],
  ['i32', -1n, '-1 4294967295'],
] as const)('integers of the size of pointers: %s %s', (type, value, text) => {
  const memory = new Uint8Array(64);
  const view = new DataView(memory.buffer);
  const bytes = type === 'i64' ? 8 : 4;
  for (const at of [16, 16 + bytes])
    if (type === 'i64') view.setBigInt64(at, value, true);
    else view.setInt32(at, Number(value), true);
  view.setUint32(0, 8 + 2 * bytes, true);
  view.setUint32(8, 8 + 2 * bytes, true);
  const slot = { type, components: 1 };
  const formats = [{ format: '%td %zu', arguments: [slot, slot] }];
  expect(printed({ memory, address: 0, capacity: 48 }, formats)).toBe(text);
});

describe('whatever a kernel wrote into the ring', () => {
  const formats = [{ format: '%s.', arguments: [{ type: 'string' as const, components: 1 }] }];
  const read = (memory: Uint8Array) => printed({ memory, address: 0, capacity: 1016 }, formats);

  test.each<[string, number[], RegExp]>([
    ['a record of the wrong size', [12, 8, 0, 0], /wrote over what it had printed/],
    ['a record of size 0', [12, 0, 0, 0], /wrote over what it had printed/],
    ['a format that there is not', [12, 12, 7, 0], /wrote over what it had printed/],
    ['the largest size', [-1, -1, 0, 0], /wrote over what it had printed/],
    ['a string without an end', [12, 12, 0, 100], /a string was cut/],
    ['a string after the end of memory', [12, 12, 0, -4], /a string was cut/],
  ])('%s', (_, [used, bytes, format, address], expected) => {
    const memory = new Uint8Array(200_000).fill(65);
    new Int32Array(memory.buffer).set([used!, 0, bytes!, format!, address!]);
    const text = read(memory);
    expect(text).toMatch(expected);
    expect(text.length).toBeLessThan(70_000);
  });

  test('anything', () => {
    const memory = new Uint8Array(4096);
    const words = new Uint32Array(memory.buffer);
    let state = 1;
    for (let round = 0; round < 500; round++) {
      for (let i = 0; i < words.length; i++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        words[i] = state >>> (state & 31);
      }
      expect(read(memory).length).toBeLessThan(1_000_000);
    }
  });
});

test('long text comes in pieces, widths and precisions have a limit, and what is left out is said', () => {
  const print = (format: string, value: number, count: number): string[] => {
    const bytes = new Uint8Array(8 + 16 * count);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, 16 * count, true);
    for (let i = 0; i < count; i++) {
      view.setUint32(8 + 16 * i, 16, true);
      view.setFloat64(16 + 16 * i, value, true);
    }
    const formats = [{ format, arguments: [{ type: 'f64' as const, components: 1 }] }];
    return piecesOf({ memory: bytes, address: 0, capacity: 16 * count }, formats).map(String);
  };
  const pieces = print('%5000.1f', 2.5, 1000);
  expect(pieces.join('')).toBe(`${' '.repeat(4997)}2.5`.repeat(1000));
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(80_000);
  const zeros = (text: string) => text.replace(/0{65535}/, '<zeros>').replace(/ {65535}/, '<spaces>');
  expect(zeros(print('%.400000000f', 1.5, 1).join(''))).toBe(
    "1.5<zeros>[printf: '%.400000000f' was cut to 65536 characters]\n",
  );
  expect(zeros(print('%2000000000.0f', 1, 1).join(''))).toMatch(/^<spaces>1\[printf: /);
  expect(print('%.3000f', 5e-324, 1)[0]).toBe(`0.${'0'.repeat(323)}${SMALLEST}${'0'.repeat(3000 - 1074)}`);
});

/** The digits of 2^-1074. */
const SMALLEST = (5n ** 1074n).toString();
