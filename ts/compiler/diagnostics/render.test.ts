// SPDX-License-Identifier: MIT
import { render } from './render';
import { DEFAULT_WARNINGS, note, Reporter, type WarningOptions } from './reporter';
import { SourceMap } from './source-map';

function setUp(text: string, options: Partial<WarningOptions> = {}) {
  const sources = new SourceMap();
  const file = sources.addFile('a.cl', text);
  const reporter = new Reporter(sources, { ...DEFAULT_WARNINGS, ...options });
  const at = (needle: string, from = 0) => file.start + file.text.indexOf(needle, from);
  return { sources, file, reporter, at, log: () => render(reporter.diagnostics) };
}

test('an error with a range and a note has the form of clang', () => {
  const { reporter, at, log } = setUp('int x;\n\tint y = x + zz;\n');
  reporter.report(
    'undeclared-identifier',
    at('zz'),
    { name: 'zz' },
    { ranges: [{ begin: at('x +'), end: at(';', 12) }], notes: [note('previous-definition', at('x;'))] },
  );
  expect(log()).toBe(
    [
      "a.cl:2:14: error: use of undeclared identifier 'zz'",
      '        int y = x + zz;',
      '                ~~~~^~',
      'a.cl:1:5: note: previous definition is here',
      'int x;',
      '    ^',
      '1 error generated.',
      '',
    ].join('\n'),
  );
});

test('positions count in the original text, line splices and CRLF included', () => {
  const { reporter, at, sources } = setUp('int \\\r\n  a\\\nb;\r\nint c;');
  expect(sources.position(at('ab'))).toEqual({ file: 'a.cl', line: 2, column: 3 });
  expect(sources.position(at('b;'))).toEqual({ file: 'a.cl', line: 3, column: 1 });
  expect(sources.position(at('c;'))).toEqual({ file: 'a.cl', line: 4, column: 5 });
  reporter.report('undeclared-identifier', at('c;'), { name: 'c' });
  expect(reporter.diagnostics[0]!.sourceLine).toBe('int c;');
});

test('#line changes the lines that follow', () => {
  const { sources, at } = setUp('#line 7 "b.cl"\nx\ny');
  sources.overrideLine(at('#'), 7, 'b.cl');
  expect(sources.position(at('y'))).toEqual({ file: 'b.cl', line: 8, column: 1 });
  expect(sources.position(at('#'))).toEqual({ file: 'a.cl', line: 1, column: 1 });
});

test('errors in macros point at the call and give a backtrace', () => {
  const { sources, reporter, at, log } = setUp('#define A zz\n#define B A\nB;\n');
  const b = sources.addExpansion(at('A\nB'), 1, at('B;'), 'B', false);
  const a = sources.addExpansion(at('zz'), 2, b, 'A', false);
  reporter.report('undeclared-identifier', a, { name: 'zz' });
  expect(log()).toBe(
    [
      "a.cl:3:1: error: use of undeclared identifier 'zz'",
      'B;',
      '^',
      "a.cl:2:11: note: expanded from macro 'B'",
      '#define B A',
      '          ^',
      "a.cl:1:11: note: expanded from macro 'A'",
      '#define A zz',
      '          ^',
      '1 error generated.',
      '',
    ].join('\n'),
  );
});

test('an error in an argument points at the argument and is silent about the macro', () => {
  const { sources, reporter, at, log } = setUp('#define A(x) (x)\nA(zz);\n');
  const body = sources.addExpansion(at('(x)\n'), 3, at('A(zz'), 'A', false);
  const argument = sources.addExpansion(at('zz'), 2, body + 1, 'A', true);
  reporter.report('undeclared-identifier', argument, { name: 'zz' });
  expect(log()).toBe("a.cl:2:3: error: use of undeclared identifier 'zz'\nA(zz);\n  ^\n1 error generated.\n");
});

test('an included file tells who included it', () => {
  const { sources, reporter, at, log } = setUp('#include "h"\n');
  const header = sources.addFile('h', 'zz', at('#'));
  reporter.report('undeclared-identifier', header.start, { name: 'zz' });
  expect(log()).toMatch(/^In file included from a\.cl:1:\nh:1:1: error: use/);
});

test('the limit on errors ends the compilation', () => {
  const { reporter, file, log } = setUp('x'.repeat(40));
  for (let i = 0; i < 40; i++) reporter.report('undeclared-identifier', file.start + i, { name: 'x' });
  expect(reporter.stopped).toBe(true);
  expect(log()).toMatch(
    /fatal error: too many errors emitted, stopping now \[-ferror-limit=\]\n20 errors generated\.\n$/,
  );
});

test('a message is given once at a place', () => {
  const { reporter, at } = setUp('x');
  reporter.report('undeclared-identifier', at('x'), { name: 'x' });
  reporter.report('undeclared-identifier', at('x'), { name: 'x' });
  expect(reporter.errors).toBe(1);
});

test('warnings obey -w, -Werror, -Wname and -Wno-name', () => {
  const run = (options: Partial<WarningOptions>) => {
    const { reporter, at, log } = setUp('x', options);
    reporter.report('macro-redefined', at('x'), { name: 'x' });
    reporter.report('undefined-in-condition', at('x'), { name: 'x' });
    return log().replace(/\nx\n\^/g, '');
  };
  expect(run({})).toBe("a.cl:1:1: warning: 'x' macro redefined [-Wmacro-redefined]\n1 warning generated.\n");
  expect(run({ none: true })).toBe('');
  expect(run({ flags: new Map([['macro-redefined', false]]) })).toBe('');
  expect(run({ flags: new Map([['undef', true]]) })).toMatch(/2 warnings generated/);
  expect(run({ asErrors: true })).toMatch(/error: 'x' macro redefined \[-Werror,-Wmacro-redefined\]/);
  expect(run({ errorFlags: new Map([['macro-redefined', true]]) })).toMatch(/1 error generated/);
});
