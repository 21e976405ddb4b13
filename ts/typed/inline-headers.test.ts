// SPDX-License-Identifier: MIT
import { compile } from '../compiler/compile';
import { inlineHeaders } from './inline-headers';

const SOURCE = '/src/kernel.cl';

/** The source with its headers, which must compile without any file. */
function inlined(source: string, headers: Readonly<Record<string, string>>): string {
  const files = new Map(Object.entries(headers).map(([name, text]) => [`/src/${name}`, text]));
  const whole = inlineHeaders(source, SOURCE, files);
  expect(whole).not.toContain('#include');
  expect(compile({ name: SOURCE, text: whole, options: '' }).log).toBe('');
  return whole;
}

const KERNEL = 'kernel void f(global int *a) { a[0] = VALUE; }\n';

test('a header with a guard is in the text once', () => {
  const headers = {
    'a.h': '#ifndef A_H\n#define A_H\n#define ONE 1\n#endif\n',
    'b.h': '#pragma once\n#include "a.h"\n#define VALUE ONE\n',
  };
  const whole = inlined(`#include "a.h"\n#include "b.h"\n#include "b.h"\n${KERNEL}`, headers);
  expect(whole.match(/define ONE/g)).toHaveLength(1);
  expect(whole.match(/define VALUE/g)).toHaveLength(1);
});

test('a header is in each branch that includes it', () => {
  for (const text of [
    '#pragma once\n#define VALUE 2\n',
    '#ifndef V_H\n#define V_H\n#define VALUE 2\n#endif\n',
  ])
    inlined(`#ifdef MISSING\n#include "v.h"\n#else\n#include "v.h"\n#endif\n${KERNEL}`, { 'v.h': text });
});

test('headers with guards may include each other', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const includes = names.map((name) => `#include "${name}.h"\n`).join('');
  const headers = Object.fromEntries(
    names.map((name) => [
      `${name}.h`,
      `#ifndef ${name}_H\n#define ${name}_H\n${includes}#define ${name}_VALUE 1\n#endif\n`,
    ]),
  );
  const whole = inlined(`${includes}#define VALUE f_VALUE\n${KERNEL}`, headers);
  expect(whole.match(/define f_VALUE/g)).toHaveLength(1);
});

test('places of messages stay those of the files', () => {
  const headers = { 'a.h': '#pragma once\n\nint wrong = ;\n' };
  const files = new Map([['/src/a.h', headers['a.h']]]);
  const whole = inlineHeaders(`// First.\n#include "a.h"\nint also = ;\n`, SOURCE, files);
  const { log } = compile({ name: SOURCE, text: whole, options: '' });
  expect(log).toContain('/src/a.h:3:13: error:');
  expect(log).toContain(`${SOURCE}:3:12: error:`);
});
