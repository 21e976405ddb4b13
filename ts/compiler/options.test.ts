// SPDX-License-Identifier: MIT
import { parseOptions } from './options';

const parse = (text: string) => {
  const { options, problems } = parseOptions(text);
  expect(problems).toEqual([]);
  return options;
};
const problem = (text: string) => parseOptions(text).problems[0];

test('nothing', () => {
  const { language, warnings, commandLine } = parse('');
  expect(language.version).toBe(120);
  expect(language.features.has('cl_khr_fp64')).toBe(true);
  expect(warnings.none).toBe(false);
  expect(commandLine).toBe('');
});

test('macros, attached or apart, quoted as in a shell', () => {
  expect(parse('-DA -D B=2 "-DC=x y" -D\'D="s"\' -DE=\\"s\\" -DF= -D "G(x)=x*2" -UA').commandLine).toBe(
    [
      '#define A 1',
      '#define B 2',
      '#define C x y',
      '#define D "s"',
      '#define E "s"',
      '#define F ',
      '#define G(x) x*2',
      '#undef A',
      '',
    ].join('\n'),
  );
});

test('folders', () => {
  expect(parse('-I inc -Iother "-Iwith space" -I C:\\inc').includeDirectories).toEqual([
    'inc',
    'other',
    'with space',
    'C:\\inc',
  ]);
});

test('the language version', () => {
  expect(parse('-cl-std=CL3.0').language.version).toBe(300);
  expect(parse('-cl-std=cl2.0').language.version).toBe(200);
  expect(problem('-cl-std=CL4.0')).toEqual({
    code: 'option-value-choices',
    args: { option: '-cl-std=CL4.0', value: 'CL4.0', choices: 'CL1.0, CL1.1, CL1.2, CL2.0, CL3.0, CL3.1' },
  });
});

test('options that imply others', () => {
  const { language } = parse('-cl-fast-relaxed-math');
  expect(language).toMatchObject({
    fastRelaxedMath: true,
    finiteMathOnly: true,
    unsafeMathOptimizations: true,
    noSignedZeros: true,
    madEnable: true,
  });
  expect(parse('-cl-unsafe-math-optimizations').language.finiteMathOnly).toBe(false);
});

test('warnings', () => {
  const { warnings } = parse('-w -Werror -Wundef -Wno-macro-redefined -Werror=multichar -Wno-error=undef');
  expect(warnings).toMatchObject({ none: true, asErrors: true });
  expect([...warnings.flags]).toEqual([
    ['undef', true],
    ['macro-redefined', false],
  ]);
  expect([...warnings.errorFlags]).toEqual([
    ['multichar', true],
    ['undef', false],
  ]);
});

test('extensions', () => {
  const features = (text: string) => parse(text).language.features;
  expect(features('-cl-ext=-cl_khr_fp64').has('__opencl_c_fp64')).toBe(false);
  expect([...features('-cl-ext=-all,+cl_khr_fp16')]).toEqual(['cl_khr_fp16']);
  expect(parseOptions('', 'spir', '-cl_khr_fp16').options.language.features.has('cl_khr_fp16')).toBe(false);
  expect(parseOptions('', 'spir').options.language.addressBits).toBe(32);
});

test('link options', () => {
  expect(parse('-create-library -enable-link-options')).toMatchObject({
    createLibrary: true,
    enableLinkOptions: true,
  });
  expect(parse('-x spir -spir-std=1.2').binaryInput).toBe(true);
});

test.each([
  ['-foo', 'unknown-option'],
  ['-cl-mad-enabel', 'unknown-option-suggest'],
  ['x', 'unknown-option'],
  ['-cl-foo', 'unknown-option'],
  ['-D', 'option-value-missing'],
  ['-I', 'option-value-missing'],
  ['-D 1x', 'option-macro-name'],
  ['-x c', 'option-value-invalid'],
  ['-DA="x', 'option-unterminated-quote'],
  ['-DA=1\0', 'option-nul'],
])('%s is refused', (text, code) => {
  expect(problem(text)?.code).toBe(code);
});

test.each([
  ['-Werrro', '-Werror'],
  ['-Wno-unsued', '-Wno-unused'],
  ['-Wno-error=undfe', '-Wno-error=undef'],
])('%s is warned of', (option, suggestion) => {
  expect(problem(option)).toEqual({ code: 'unknown-warning-option', args: { option, suggestion } });
});

test.each([
  '-Wall',
  '-Wextra',
  '-Wshadow',
  '-Wno-unused-variable',
  '-Wformat=2',
  '-Wspirv-compat',
  '-Wundef',
])('%s is not', (option) => {
  expect(problem(option)).toBeUndefined();
});
