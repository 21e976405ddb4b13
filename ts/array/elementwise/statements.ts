// SPDX-License-Identifier: MIT
//
// Reads the statements of `elementwise`: which names they assign, which they use, and which as pointers.
import { fail } from '../errors';

export interface Statements {
  /** Names that are assigned and not declared: the results. */
  readonly outputs: readonly string[];
  /** Names that are read and nothing else: the arguments. */
  readonly inputs: readonly string[];
  /** Of these, the ones that are indexed otherwise than by `[i]`. */
  readonly pointers: ReadonlySet<string>;
  /** The statements, without `[i]` but for pointers. */
  readonly text: string;
  /** Whether they use the index of the element, `i`, or the number of elements, `n`. */
  readonly uses: ReadonlySet<string>;
}

const TYPES =
  /^(?:bool|(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)?|size_t|ptrdiff_t|unsigned|signed|void|const)$/;
const KEYWORDS = new Set(
  'if else for while do break continue return switch case default sizeof true false struct goto'.split(' '),
);
/** Constants of OpenCL C. */
const CONSTANT =
  /^(?:(?:M|FLT|DBL|HALF|CHAR|SCHAR|UCHAR|SHRT|USHRT|INT|UINT|LONG|ULONG|CLK)_\w+|MAXFLOAT|HUGE_VALF?|INFINITY|NAN)$/;
/** Names that the generated kernel has for itself. */
const OURS = /^(?:(?:in|v|s|k|c)_\d+|(?:out|id|size)_\w*)$/;
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|[A-Za-z_]\w*|\.?\d[\w.]*(?:[eE][+-]?\d+\w*)?|\s+|[=!<>]=|[-+*/%&|^]=|<<=|>>=|[\s\S]/g;
const NAME = /^[A-Za-z_]/;

export function readStatements(source: string): Statements {
  if (typeof source !== 'string' || source.trim() === '')
    fail('elementwise', "the source must be one or more statements, such as 'z = a * x + y'");
  const indexed = new Set(
    Array.from(source.matchAll(/\b([A-Za-z_]\w*)\s*\[(?!\s*i\s*\])/g), ([, name]) => name!),
  );
  const plain = source.replace(/\b([A-Za-z_]\w*)\s*\[\s*i\s*\]/g, (whole, name: string) =>
    indexed.has(name) ? whole : name,
  );
  const tokens = (plain.match(TOKEN) ?? []).filter((token) => !/^(?:\s|\/[/*])/.test(token));
  const locals = new Set<string>();
  const outputs = new Set<string>();
  const inputs = new Set<string>();
  const pointers = new Set<string>();
  const uses = new Set<string>();
  let declares = false;
  tokens.forEach((token, at) => {
    const [before, after] = [tokens[at - 1] ?? ';', tokens[at + 1] ?? ';'];
    if (token === ';' || token === '{') declares = false;
    if (!NAME.test(token) || before === '.') return;
    if (TYPES.test(token)) {
      if (before !== '(' || NAME.test(after)) declares = true;
      return;
    }
    if (KEYWORDS.has(token) || CONSTANT.test(token) || after === '(') return;
    if (declares && (TYPES.test(before) || before === ',') && !inputs.has(token)) locals.add(token);
    if (locals.has(token)) return;
    if (token === 'i' || token === 'n') {
      uses.add(token);
      return;
    }
    if (OURS.test(token))
      fail('elementwise', `'${token}' is a name that the generated kernel uses: choose another`);
    if (after === '[') pointers.add(token);
    if (after === '=' && /^[;{})]$|^else$|^do$/.test(before)) outputs.add(token);
    else if (!outputs.has(token)) inputs.add(token);
  });
  if (outputs.size === 0) fail('elementwise', `the source assigns no result: '${source}'; write 'z = …'`);
  const both = [...outputs].find((name) => inputs.has(name));
  if (both) fail('elementwise', `'${both}' is read before it is assigned: results begin empty`);
  const elsewhere = [...outputs].find((name) => indexed.has(name));
  if (elsewhere) fail('elementwise', `'${elsewhere}' is a result: only its own element is there`);
  const text = plain.trim().endsWith(';') || plain.trim().endsWith('}') ? plain.trim() : `${plain.trim()};`;
  return { outputs: [...outputs], inputs: [...inputs], pointers, text, uses };
}
