// SPDX-License-Identifier: MIT
//
// -Wreturn-stack-address: results that point to the function's own variables.
import type { Reporter } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';

/** `return &local;`, through casts, sums and both sides of `?:`. */
export function warnStackAddress(reporter: Reporter, value: Expr, at: Syntax.Expr): void {
  switch (value.kind) {
    case 'cast':
      if (value.cast === 'array-to-pointer') warnObject(reporter, value.operand, at);
      else warnStackAddress(reporter, value.operand, at);
      return;
    case 'conditional':
      warnStackAddress(reporter, value.then, at);
      warnStackAddress(reporter, value.otherwise, at);
      return;
    case 'comma':
      warnStackAddress(reporter, value.right, at);
      return;
    case 'pointer-add':
      warnStackAddress(reporter, value.pointer, at);
      return;
    case 'address-of':
      warnObject(reporter, value.of, at);
      return;
  }
}

/** Checks the variable that the object is, or is a part of. */
function warnObject(reporter: Reporter, object: Expr, at: Syntax.Expr): void {
  switch (object.kind) {
    case 'member':
    case 'swizzle':
    case 'element':
      warnObject(reporter, object.base, at);
      return;
    case 'deref':
      warnStackAddress(reporter, object.pointer, at);
      return;
    case 'variable-ref': {
      const { variable, location } = object;
      if (variable.type.space !== 'private') return;
      const ranges = [{ begin: at.begin, end: at.end }];
      reporter.report('stack-address', location, { name: variable.name }, { ranges });
    }
  }
}
