// SPDX-License-Identifier: MIT
//
// docs/builtins.md from the declaration table and the measured accuracy.
import { readFileSync } from 'node:fs';
import { importSources } from '../../import-sources.mjs';

const load = () =>
  importSources(
    'ts/compiler/frontend/builtins',
    `
  export { FAMILIES } from './table';
  export { expand } from './expand';
  export { accuracyOf } from './accuracy';
  export { specialNames } from './special';
`,
  );

const code = (text) => `\`${text.replaceAll('|', '\\|')}\``;

function lowering({ kind, ...rest }) {
  if (kind === 'extended') return `\`OpenCL.std ${rest.instruction}\``;
  if (kind === 'core') return code(rest.opcode);
  if (kind === 'variable') return `built-in variable \`${rest.builtIn}\``;
  const opcodes = (rest.data ?? '').split(' ').filter((word) => /^Op[A-Z]/.test(word));
  return opcodes.length > 0 ? opcodes.map(code).join(', ') : `\`${rest.name}\``;
}

const ulp = (value) => (value === undefined ? '–' : String(value));

/** Functions with one signature, condition and lowering are grouped. */
function section({ title, rows }, { expand, accuracyOf }) {
  const groups = new Map();
  let overloads = 0;
  for (const row of rows()) {
    for (const name of row.names.split(' ')) {
      overloads += expand(name, row, 32).length;
      const accuracy = /\bF|float/.test(row.signature) ? accuracyOf(name) : undefined;
      const own = lowering(row.lowering(name));
      const named = own === `\`OpenCL.std ${name}\`` ? '`OpenCL.std`, same name' : own;
      const limits = accuracy ? [accuracy.half, accuracy.float, accuracy.double].map(ulp).join(' / ') : '';
      const key = [row.signature, row.when ?? '', named, limits].join('\n');
      if (!groups.has(key)) groups.set(key, { row, named, limits, names: [] });
      groups.get(key).names.push(name);
    }
  }
  // Then signatures whose other properties are equal.
  const merged = new Map();
  for (const { row, named, limits, names } of groups.values()) {
    const cells = [names.map(code).join(' '), row.when ? code(row.when) : '', named, limits];
    const key = cells.join('\n');
    if (!merged.has(key)) merged.set(key, { cells, signatures: [] });
    merged.get(key).signatures.push(code(row.signature));
  }
  const lines = [...merged.values()].map(({ cells: [names, ...rest], signatures }) =>
    ['', names, signatures.join('<br>'), ...rest, ''].join(' | ').trim(),
  );
  return {
    overloads,
    text: [
      `## ${title}`,
      '',
      `${overloads} overloads.`,
      '',
      '| functions | signature | when | becomes | ULP (half / float / double) |',
      '| --- | --- | --- | --- | --- |',
      ...lines,
      '',
    ].join('\n'),
  };
}

const accuracyFile = new URL('../../numerics/accuracy.json', import.meta.url);

/** The largest errors that scripts/numerics/compare.mjs has measured, a column for each device and type. */
function measuredErrors() {
  const { samples, devices } = JSON.parse(readFileSync(accuracyFile, 'utf8'));
  const headings = Object.keys(devices);
  const columns = headings.flatMap((heading) => ['f32', 'f64'].map((type) => ({ heading, type })));
  const title = ({ heading, type }) => `${heading}: ${type === 'f32' ? 'float' : 'double'}`;
  const figure = (value) =>
    typeof value === 'number' ? (value < 1e5 ? value.toFixed(2) : value.toExponential(1)) : value;
  const lines = Object.keys(devices[headings[0]]).map((name) =>
    ['', code(name), ...columns.map(({ heading, type }) => figure(devices[heading][name][type])), '']
      .join(' | ')
      .trim(),
  );
  return [
    '## Measured accuracy',
    '',
    `The largest error in ULP of ${samples} random arguments (of all exponents, and of the ranges that matter) and of edge cases, against`,
    'MPFR: `scripts/numerics/compare.mjs`. "wrong": an infinity, a NaN or a sign of zero is not the one that MPFR has; the',
    'specification leaves the sign of some zeros open. Zeros and poles of lgamma are in no random sample; beside them the',
    'error of doubles is at most 0.70 on anycl.',
    '',
    'Of each 251st of all floats, 17 million arguments a function, and densely where errors are largest, the library is at most 1.00',
    'ULP from the exact result (sinpi where it is subnormal; sinh 0.97, asinh 0.95, all others below 0.94). Functions of two numbers,',
    'three million samples each: at most 0.89 (atan2pi). The references are the C library’s functions of doubles, and MPFR above 0.9:',
    '`scripts/numerics/exhaustive.sh`, on a device `exhaustive.mjs`.',
    '',
    'Of all 4,294,967,296 floats, with fused multiplications as the JIT emits them: exp 0.90, exp2 0.80, exp10 0.85, expm1 0.82, log 0.83,',
    'log2 0.92, log10 0.87, log1p 0.83, sin 0.91, cos 0.93, tan 0.50, sinpi 1.00 (0.9981, subnormal), cospi 0.85, tanpi 0.50, asin 0.71,',
    'acos 0.68, atan 0.74, asinpi 0.79, acospi 0.64, atanpi 0.76, sinh 0.98, cosh 0.93, tanh 0.51, asinh 0.95, acosh 0.83, atanh 0.59, erf 0.67,',
    'erfc 0.61, cbrt 0.52, tgamma 0.51, sqrt 0.50. lgamma has not been through all of them. rsqrt of floats is `1 / sqrt(x)` with up to 1.48: a form with',
    '0.85 makes loops of little else 1.5 times as slow, and OpenCL asks for 2.',
    '',
    'Halves: every result of every function of one is correctly rounded (all 65,536 arguments, `exhaustive.sh -h`), and so is that of hypot, atan2 and',
    'atan2pi for all 4,294,967,296 pairs; of pow for each third first argument with every second one, of powr, fmod and remainder for each 13th, of pown and',
    'rootn for each 79th with every integer up to 131,072; with fused multiplications and without (`half-pairs.sh`). fma and ldexp round once.',
    '',
    'Where a kernel is built with `-cl-fast-relaxed-math` or another option that allows reciprocals, `rsqrt` of doubles is `1 / sqrt(x)` too, with up to',
    '1.5 ULP. `half_` functions are the accurate ones, `native_sqrt`, `native_divide` and `native_recip` correctly rounded. The shorter `native_`',
    'functions, by 600,000 samples, in ULP: native_exp 80 (x from -87 to 88), native_exp2 42 (-126 to 127), native_exp10 88 (-37 to 38),',
    'native_log 2.1, native_log2 2.2, native_log10 3.1 (normal x), native_powr 52 (x from 2^-30 to 2^30, y from -4 to 4), native_sin 1.4 (0 to 3.1),',
    'native_cos 1.5 (-1.5 to 1.5), native_tan 2.5 (0 to 1.5). Elsewhere the error is absolute: of native_sin 8e-8 up to 10,000 and 2e-6 up to a million,',
    'of native_cos 8e-8 up to 100.',
    '',
    `| function | ${columns.map(title).join(' | ')} |`,
    `| --- |${columns.map(() => ' --: |').join('')}`,
    ...lines,
    '',
  ].join('\n');
}

export async function outputs() {
  const table = await load();
  const sections = table.FAMILIES.map((family) => section(family, table));
  const total = sections.reduce((sum, { overloads }) => sum + overloads, 0);
  const special = [...table.specialNames()].map(code).join(', ');
  const text = `<!-- Generated by scripts/generate/generators/builtins-docs.mjs from ts/compiler/frontend/builtins and scripts/numerics/accuracy.json. Do not edit. -->

# Built-in functions

What the declaration table (\`ts/compiler/frontend/builtins/tables\`) declares: ${total} overloads, to which come those of
\`convert_TYPE[_sat][_rtX]\` and \`as_TYPE\`, whose rows are made from the name, and the functions whose types depend on
their arguments (\`special.ts\`): ${special}.

Signatures are in the table's notation (\`row.ts\`): \`F\` \`S\` \`U\` \`I\` \`A\` range over the floating-point, signed,
unsigned, integer and arithmetic element types, \`n\` over the widths 1 2 3 4 8 16, \`v\` over 2 3 4 8 16, \`P\` \`Q\` \`W\`
\`L\` over address spaces; \`sF\` and \`uF\` are the integers as wide as \`F\`, \`rF\` a relational result, \`@T\` an atomic type.
A ULP of 0 is an exact result, 0.5 a correctly rounded one.

${sections.map(({ text }) => text).join('\n')}
${measuredErrors()}`;
  return new Map([['docs/builtins.md', text]]);
}
