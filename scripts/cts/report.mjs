// SPDX-License-Identifier: MIT
//
// Writes the tables of docs/conformance.md from the results of scripts/cts/run.mjs.
//
//     node scripts/cts/report.mjs cts.json [pocl.json] > tables.md
import { readFileSync } from 'node:fs';

const [file, other] = process.argv.slice(2);
if (!file) throw new Error('usage: report.mjs RESULTS [RESULTS OF ANOTHER DRIVER]');
const read = (name) => JSON.parse(readFileSync(name, 'utf8'));
const results = read(file);
const compared = other ? read(other) : undefined;

const STATUSES = ['pass', 'skip', 'fail', 'crash', 'timeout'];
const counts = (tests) =>
  Object.fromEntries(
    STATUSES.map((status) => [status, Object.values(tests).filter((test) => test.status === status).length]),
  );
const bad = ({ fail, crash, timeout }) => fail + crash + timeout;
const cell = (text) => String(text).replaceAll('|', '\\|');
const row = (...cells) => console.log(`| ${cells.map(cell).join(' | ')} |`);

/** What the sub-tests of a suite tested: one commit, or the first and the last in the order of their runs. */
function testedBy(tests) {
  const all = [...new Set(Object.values(tests).map(({ of }) => of ?? ''))];
  return all.length > 2 ? `${all[0]} to ${all.at(-1)}` : all.join(', ');
}

const head = ['suite', 'sub-tests', 'passed', 'skipped', 'failed', 'seconds', 'commit'];
if (compared) head.push(`${compared.driver}: passed`, 'skipped', 'failed');
row(...head);
row(...head.map((name) => (name === 'suite' || name === 'commit' ? '---' : '--:')));
const sum = Object.fromEntries(STATUSES.map((status) => [status, 0]));
for (const [name, tests] of Object.entries(results.suites)) {
  const own = counts(tests);
  for (const status of STATUSES) sum[status] += own[status];
  const seconds = Object.values(tests).reduce((all, test) => all + test.seconds, 0);
  const cells = [
    name,
    Object.keys(tests).length,
    own.pass,
    own.skip,
    bad(own),
    seconds.toFixed(0),
    testedBy(tests),
  ];
  if (compared) {
    const theirs = compared.suites[name];
    const n = theirs ? counts(theirs) : undefined;
    cells.push(n ? n.pass : '', n ? n.skip : '', n ? bad(n) : '');
  }
  row(...cells);
}
row(
  'all',
  STATUSES.reduce((all, status) => all + sum[status], 0),
  sum.pass,
  sum.skip,
  bad(sum),
  '',
  '',
  ...(compared ? ['', '', ''] : []),
);

const withStatus = (wanted) =>
  Object.entries(results.suites).flatMap(([suite, tests]) =>
    Object.entries(tests)
      .filter(([, test]) => wanted.includes(test.status))
      .map(([name, test]) => ({ suite, name, ...test })),
  );

function listFailed() {
  const lines = withStatus(['fail', 'crash', 'timeout']);
  if (lines.length === 0) return;
  console.log('\n### Failed\n');
  row('suite', 'sub-test', 'reason');
  row('---', '---', '---');
  for (const { suite, name, status, reason } of lines)
    row(suite, name, status === 'fail' ? reason : `${status}: ${reason}`);
}

/** A line for each suite and reason. */
function listSkipped() {
  const counted = new Map();
  for (const { suite, name, reason } of withStatus(['skip'])) {
    const isOwn = reason === `${name} test not supported`;
    const key = JSON.stringify([suite, isOwn ? 'the sub-test says that it is not supported' : reason]);
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  if (counted.size === 0) return;
  console.log('\n### Skipped\n');
  row('suite', 'sub-tests', 'reason');
  row('---', '--:', '---');
  for (const [key, number] of counted) {
    const [suite, reason] = JSON.parse(key);
    row(suite, number, reason);
  }
}

listFailed();
listSkipped();
