// SPDX-License-Identifier: MIT
import { CASES, healthy } from '../../../tests/helpers/doctor-cases';
import { findingsOf } from './findings';

test('a healthy machine has no findings', () => {
  expect(findingsOf(healthy)).toEqual([]);
});

test.each(CASES)('%s', (id, severity, change, says) => {
  const finding = findingsOf({ ...healthy, ...change }).find((each) => each.id === id);
  expect(finding?.severity).toBe(severity);
  expect([finding!.message, ...finding!.advice].join('\n')).toMatch(says);
});
