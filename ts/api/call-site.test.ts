// SPDX-License-Identifier: MIT
import { type CallSite, callSite, framesOf } from './call-site';

function enqueue(): CallSite {
  return callSite(enqueue);
}

test('the stack begins at the caller', () => {
  const here = enqueue();
  expect(framesOf(here)).toMatch(/^ {4}at .*call-site\.test\.ts/);
});

test('after many calls at a stretch the stack is that of an earlier call, and says so', async () => {
  await undefined;
  const sites = Array.from({ length: 40 }, () => enqueue());
  expect(new Set(sites.slice(0, 17)).size).toBe(17);
  expect(sites[31]).toBe(sites[17]);
  expect(framesOf(sites[31]!)).toMatch(
    /enqueued some calls after this one[^\n]*\n {4}at .*call-site\.test\.ts/,
  );
  expect(sites[32]).not.toBe(sites[31]);
  expect(framesOf(sites[32]!)).not.toContain('after this one');
});

test('a new run of JavaScript starts anew', async () => {
  for (let i = 0; i < 40; i++) enqueue();
  await undefined;
  const site = enqueue();
  expect(enqueue()).not.toBe(site);
  expect(framesOf(site)).not.toContain('after this one');
});
