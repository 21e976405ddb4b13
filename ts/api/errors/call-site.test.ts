// SPDX-License-Identifier: MIT
import '../..';
import { type CallSite, type Calls, callSite, countCalls, framesOf } from './call-site';

function enqueue(runs?: Calls): CallSite {
  return callSite(enqueue, runs);
}

test('the stack begins at the caller', () => {
  const here = enqueue();
  expect(framesOf(here)).toMatch(/^ {4}at .*call-site\.test\.ts/);
});

test('after many calls at a stretch the stack is that of an earlier call, and says so', async () => {
  await undefined;
  const sites = Array.from({ length: 40 }, () => enqueue());
  expect(new Set(sites.slice(0, 16)).size).toBe(16);
  expect(sites[30]).toBe(sites[17]);
  expect(framesOf(sites[30]!)).toMatch(
    /enqueued some calls after this one[^\n]*\n {4}at .*call-site\.test\.ts/,
  );
  expect(sites[31]).not.toBe(sites[30]);
  expect(framesOf(sites[31]!)).not.toContain('after this one');
});

test('a new run of JavaScript starts again from no stack', async () => {
  for (let i = 0; i < 40; i++) enqueue();
  await undefined;
  const site = enqueue();
  expect(enqueue()).not.toBe(site);
  expect(framesOf(site)).not.toContain('after this one');
});

test('runs of a kernel refer to an earlier run of the same kernel, awaited or not', async () => {
  const runs = countCalls();
  const sites: CallSite[] = [];
  const run = (): CallSite => enqueue(runs);
  for (let i = 0; i < 9; i++) {
    sites.push(run());
    enqueue();
    enqueue(countCalls());
    await undefined;
  }
  expect(new Set(sites.slice(0, 4)).size).toBe(4);
  for (const site of sites.slice(4, 7)) expect(site.earlier).toBe(sites[3]);
  expect(framesOf(sites[5]!)).toMatch(/after this one[\s\S]*call-site\.test\.ts/);
  expect(framesOf(sites[7]!)).not.toContain('after this one');
  expect(sites[8]!.earlier).toBe(sites[7]);
});
