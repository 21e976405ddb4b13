// SPDX-License-Identifier: MIT
//
// clang's atomic functions, `__opencl_atomic_…` with a scope and `__c11_atomic_…` without: how many arguments they have,
// and which orders and scopes they know.
import type { Reporter } from '../../../diagnostics/reporter';
import type { LanguageOptions } from '../../language';
import { evaluateInteger } from '../constants/evaluate';
import { spell } from '../types/spelling';
import type { Argument } from './arguments';

/** The number of arguments (the last one is the scope), and which of them are orders. */
const SHAPES: Readonly<Record<string, { readonly count: number; readonly orders: readonly number[] }>> = {
  init: { count: 2, orders: [] },
  load: { count: 3, orders: [1] },
  store: { count: 4, orders: [2] },
  exchange: { count: 4, orders: [2] },
  compare_exchange_strong: { count: 6, orders: [3, 4] },
  compare_exchange_weak: { count: 6, orders: [3, 4] },
};

const FETCH = { count: 4, orders: [2] };

/** As memory_order has them: relaxed, consume, acquire, release, acquire and release, sequentially consistent. */
const ORDERS: Readonly<Record<string, readonly bigint[]>> = {
  load: [0n, 1n, 2n, 5n],
  store: [0n, 3n, 5n],
};

const ALL_ORDERS = [0n, 1n, 2n, 3n, 4n, 5n];

/** A work-group, the device, all devices, a sub-group. */
const SCOPES = [1n, 2n, 3n, 4n];

const NAME = /^__(opencl|c11)_atomic_(init|load|store|exchange|compare_exchange_(?:strong|weak)|fetch_\w+)$/;

/** False, and reported, if a call is invalid; true for other functions. */
export function checkAtomicCall(
  reporter: Reporter,
  language: LanguageOptions,
  name: string,
  args: readonly Argument[],
  end: number,
): boolean {
  const [, kind, operation] = NAME.exec(name) ?? [];
  if (operation === undefined) return true;
  const { count: withScope, orders } = SHAPES[operation] ?? FETCH;
  const hasScope = kind === 'opencl' && operation !== 'init';
  const count = hasScope || operation === 'init' ? withScope : withScope - 1;
  if (args.length !== count) {
    const few = args.length < count;
    const at = few ? end : args[count]!.syntax.begin;
    const counts = { what: 'function', expected: count, have: args.length };
    reporter.report(few ? 'too-few-arguments' : 'too-many-arguments', at, counts);
    return false;
  }
  const [object] = args;
  const { type } = object!.value;
  if (type.kind === 'pointer' && type.pointee.type.kind !== 'atomic') {
    reporter.report('atomic-address', object!.syntax.begin, { type: spell(type) });
    return false;
  }
  const constantOf = ({ value }: Argument) => evaluateInteger(value, { language, readVariables: true });
  for (const index of orders) {
    const order = constantOf(args[index]!);
    if (order !== undefined && !(ORDERS[operation] ?? ALL_ORDERS).includes(order))
      reporter.report('atomic-order', args[index]!.syntax.begin);
  }
  const scope = hasScope ? constantOf(args.at(-1)!) : undefined;
  if (scope === undefined || SCOPES.includes(scope)) return true;
  reporter.report('atomic-scope', args.at(-1)!.syntax.begin);
  return false;
}
