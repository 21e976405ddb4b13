// SPDX-License-Identifier: MIT
//
// The guide to troubleshooting has a section for each finding of `anycl doctor`, with its message and advice.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FINDINGS, findingsOf } from '../../ts/cli/doctor/findings';
import { root } from '../helpers/command';
import { CASES, healthy } from '../helpers/doctor-cases';

const guide = readFileSync(join(root, 'docs/guides/troubleshooting.md'), 'utf8');
const sections = new Map(
  guide
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.split('\n')[0]!, section.split(/^## /m)[0]!] as const),
);

test('there are sections for the findings of doctor, and for nothing else', () => {
  expect([...sections.keys()].sort()).toEqual([...FINDINGS].sort());
  // A finding may have several cases, and a message of several kinds.
  expect([...new Set(CASES.map(([id]) => id))].sort()).toEqual([...FINDINGS].sort());
});

test.each(CASES)('%s', (id, _severity, change) => {
  const { message, advice } = findingsOf({ ...healthy, ...change }).find((finding) => finding.id === id)!;
  const section = sections.get(id)!;
  const [, quoted] = /^> (.*)$/m.exec(section)!;
  const [start, ...others] = quoted!.split('…');
  expect(message.startsWith(start!)).toBe(true);
  for (const part of others) expect(message).toContain(part);
  for (const line of advice) expect(section).toContain(`- ${line}`);
});
