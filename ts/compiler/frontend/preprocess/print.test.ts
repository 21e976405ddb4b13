// SPDX-License-Identifier: MIT
import { Reporter } from '../../diagnostics/reporter';
import { SourceMap } from '../../diagnostics/source-map';
import { parseOptions } from '../../options';
import { preprocess } from './preprocessor';
import { printTokens } from './print';

function tokens(text: string, headers: ReadonlyMap<string, string> = new Map()) {
  const reporter = new Reporter(new SourceMap());
  const options = {
    name: 'a.cl',
    text,
    headers,
    readFile: undefined,
    includeDirectories: [],
    commandLine: '',
  };
  const result = preprocess(options, parseOptions('').options.language, reporter);
  const { sources } = reporter;
  return {
    printed: printTokens(result, sources),
    placed: result.slice(0, -1).map((token) => {
      const at = sources.position(sources.expansion(token.location))!;
      return `${at.file}:${at.line} ${token.kind} ${token.text}`;
    }),
  };
}

test('the printed text has the same tokens at the same lines', () => {
  const source = `#include "h.cl"
#define ADD(a, b) a+b
#define NEG -
int x = ADD(1, +2) NEG-3;




float y = 1.0f/**/e;
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
  int z;
#if 0



lots


of lines


#endif
int end = __LINE__;
`;
  const first = tokens(source, new Map([['h.cl', 'int h;\nint h2;\n']]));
  const second = tokens(first.printed);
  expect(second.placed).toEqual(first.placed);
  expect(first.printed).toContain('int x = 1 + +2 - -3;');
});

test('what is pasted and what follows it stay two tokens', () => {
  const source = `#define PASTE(x) x x ## A x
int PASTE(AB);
`;
  const first = tokens(source);
  expect(tokens(first.printed).placed).toEqual(first.placed);
  expect(first.placed).toContain('a.cl:2 identifier ABA');
});
