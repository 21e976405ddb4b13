// SPDX-License-Identifier: MIT
//
// The pragmas that change how declarations are read.

import type { Token } from '../lex/token';
import type { Parser } from './parser';

const DOUBLE_PRAGMA = /^OPENCL\s+EXTENSION\s+(?:cl_khr_fp64|all)\s*:\s*(enable|disable)\b/;

/** Handles `#pragma pack`; false for other pragmas, which the checker handles. */
export function applyPragma(p: Parser, token: Token): boolean {
  const double = DOUBLE_PRAGMA.exec(token.text);
  if (double) p.doubleEnabled = double[1] !== 'disable';
  const match = /^pack\s*\(\s*(?:(push|pop)\s*(?:,\s*([A-Za-z_]\w*)\s*)?)?(?:,?\s*(\d+)\s*)?\)/.exec(
    token.text,
  );
  if (!match) {
    const isPack = /^pack\b/.test(token.text);
    if (isPack) p.reporter.report('pragma-pack', token.location);
    return isPack;
  }
  if (match[0].length < token.text.trimEnd().length) p.reporter.report('pragma-pack-extra', token.location);
  const [, action, label = '', width] = match;
  if (action === 'push') p.packs.push({ pack: p.pack, label });
  if (action === 'pop') {
    let top = p.packs.pop();
    while (top !== undefined && label !== '' && top.label !== label) top = p.packs.pop();
    p.pack = top?.pack;
  }
  if (width !== undefined) p.pack = Number(width) || undefined;
  else if (action === undefined) p.pack = undefined;
  return true;
}
