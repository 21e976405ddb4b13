// SPDX-License-Identifier: MIT
import { FAMILIES, rowsOf } from './table';

test("each family's pattern of names lets all of its names through", () => {
  const lost = FAMILIES.flatMap((family) =>
    family
      .rows()
      .flatMap((row) =>
        row.names.split(' ').filter((name) => !rowsOf(name).some((r) => r.signature === row.signature)),
      ),
  );
  expect(lost).toEqual([]);
});
