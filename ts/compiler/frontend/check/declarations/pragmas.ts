// SPDX-License-Identifier: MIT
//
// Pragmas that the checker keeps: FP_CONTRACT, OPENCL EXTENSION and SELECT_ROUNDING_MODE.
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';

/** Names with the form of an extension's: one that the device does not claim, rather than an unknown one. */
const EXTENSION_NAME = /^(?:cl|__opencl_c)_\w+$/;

/** @param isAtStart whether the pragma is at file scope or at the start of a compound statement (C99, 7.12.2) */
export function checkPragma(c: Checker, { text, location }: Syntax.Pragma, isAtStart: boolean): void {
  const contract = /^(?:OPENCL|STDC)\s+(FP_CONTRACT|CX_LIMITED_RANGE)\b\s*(\w*)\s*(.*)/.exec(text);
  if (contract) {
    const [, name, value = '', more] = contract;
    if (!/^(?:ON|OFF|DEFAULT)$/.test(value)) c.reporter.report('pragma-switch', location);
    else if (more !== '') c.reporter.report('pragma-extra', location);
    else if (name === 'FP_CONTRACT') {
      if (!isAtStart) c.reporter.report('pragma-place', location);
      c.contract = value !== 'OFF';
    }
    return;
  }
  if (/^STDC\b/.test(text)) {
    const isAccess = /^STDC\s+FENV_ACCESS\b/.test(text);
    c.reporter.report(isAccess ? 'pragma-access' : 'pragma-standard', location);
    return;
  }
  const rounding = /^OPENCL\s+SELECT_ROUNDING_MODE\b\s*(\w*)/.exec(text);
  if (rounding) {
    const mode = rounding[1]!;
    if (mode !== 'rte') c.reporter.report('pragma-rounding', location, { mode });
    return;
  }
  const extension = /^OPENCL\s+EXTENSION\s+(\w+)\s*:\s*(\w+)\s*(.*)/.exec(text);
  if (extension === null) {
    if (/^OPENCL\s+EXTENSION\b/.test(text)) c.reporter.report('pragma-extension-form', location);
    return;
  }
  const [, name = '', behaviour = '', more = ''] = extension;
  if (more !== '') c.reporter.report('pragma-extension-extra', location);
  switchExtension(c, name, behaviour, location);
}

function switchExtension(c: Checker, name: string, behaviour: string, location: number): void {
  if (name === 'all') {
    if (behaviour === 'disable') c.enabledExtensions.clear();
    else c.reporter.report('pragma-extension-all', location);
    return;
  }
  if (behaviour === 'disable') c.enabledExtensions.delete(name);
  else if (behaviour === 'enable' || behaviour === 'require') {
    if (c.has(name)) c.enabledExtensions.add(name);
    else {
      const code = EXTENSION_NAME.test(name) ? 'extension-unsupported' : 'extension-unknown';
      c.reporter.report(code, location, { name });
    }
  } else if (behaviour !== 'begin' && behaviour !== 'end')
    c.reporter.report('pragma-extension-form', location);
}
