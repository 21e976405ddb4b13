// SPDX-License-Identifier: MIT
import { checkRange } from './range';

test('a range of numbers that is launched again is the checked one of before', () => {
  const range = { global: 64, local: 8 };
  const checked = checkRange(range, 'f');
  expect(checked).toEqual({ global: [64], local: [8], offset: undefined });
  expect(checkRange({ ...range }, 'f')).toBe(checked);
  range.local = 16;
  expect(checkRange(range, 'f').local).toEqual([16]);
});

test('a range that differs in one part only is checked again', () => {
  checkRange({ global: 4 }, 'f');
  expect(checkRange({ global: 4, offset: 1 }, 'f').offset).toEqual([1]);
  expect(checkRange({ global: [4] }, 'f')).toEqual({ global: [4], local: undefined, offset: undefined });
  expect(() => checkRange({ global: 4, local: 0 }, 'f')).toThrow('INVALID_WORK_GROUP_SIZE');
  expect(() => checkRange({ global: Number.NaN }, 'f')).toThrow('INVALID_GLOBAL_WORK_SIZE');
  expect(() => checkRange(undefined as never, 'f')).toThrow('INVALID_GLOBAL_WORK_SIZE');
});
