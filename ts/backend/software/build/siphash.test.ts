// SPDX-License-Identifier: MIT
import { siphash } from './siphash';

const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);
const message = (length: number) => Uint8Array.from({ length }, (_, i) => i);

/** `vectors_sip128` of the reference implementation. */
test.each([
  [0, 'a3817f04ba25a8e66df67214c7550293'],
  [1, 'da87c1d86b99af44347659119b22fc45'],
])('%i bytes', (length, expected) => {
  expect(siphash(KEY, message(length))).toBe(expected);
});

test('each bit of key and message counts, at all lengths', () => {
  const seen = new Set<string>();
  for (const length of [7, 8, 9, 15, 16, 65_520, 65_536, 200_001]) {
    seen.add(siphash(KEY, message(length)));
    for (const at of [0, length >> 1, length - 1]) {
      const other = message(length);
      other[at]! ^= 0x80;
      seen.add(siphash(KEY, other));
    }
  }
  const key = KEY.slice();
  key[15]! ^= 1;
  seen.add(siphash(key, message(8)));
  expect(seen.size).toBe(8 * 4 + 1);
});
