// SPDX-License-Identifier: MIT
//
// Jest's globals over Node's own test runner, as far as the tests of this folder's list use them: for machines that have
// a driver but no npm.
import { after, before, test as nodeTest, describe as suite } from 'node:test';
import { format } from 'node:util';
import { expect } from 'expect';

type Body = (...row: never[]) => unknown;
type Declare = (name: string, body: Body, timeout?: number) => unknown;

/** `$key` from an object, otherwise the row's values for `%s`, as Jest names the rows of a table. */
function rowName(name: string, row: unknown): string {
  if (typeof row !== 'object' || row === null) return format(name, row);
  if (Array.isArray(row)) return format(name, ...row.slice(0, name.match(/%[^%]/g)?.length ?? 0));
  return name.replace(/\$(\w+)/g, (_, key: string) => String((row as Record<string, unknown>)[key]));
}

const tabled = (declare: Declare) =>
  Object.assign(declare, {
    each: (table: readonly unknown[]) => (name: string, body: Body, timeout?: number) => {
      for (const row of table) {
        const values = (Array.isArray(row) ? row : [row]) as never[];
        declare(rowName(name, row), () => body(...values), timeout);
      }
    },
  });

const test = Object.assign(
  tabled((name, body, timeout = 60_000) =>
    nodeTest(name, { timeout }, () => (body as () => unknown)() as void),
  ),
  { skip: tabled((name) => nodeTest(name, { skip: true })) },
);
const describe = Object.assign(
  tabled((name, body) => suite(name, body as () => void)),
  { skip: tabled((name) => suite(name, { skip: true })) },
);

Object.assign(globalThis, { expect, test, it: test, describe, beforeAll: before, afterAll: after });
