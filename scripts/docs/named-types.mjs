// SPDX-License-Identifier: MIT
// Types that signatures name but that users cannot import. The reference describes them, too, because readers meet their names.

const KINDS = new Set(['Interface', 'TypeAlias']);

/** @returns for each entry what it names, without what any entry exports */
export function namedTypes(model) {
  const exported = new Set([...model.values()].flatMap(({ items }) => items.map(({ name }) => name)));
  return new Map([...model.values()].map((entry) => [entry.name, namedBy(entry, exported)]));
}

function namedBy({ items, hidden }, exported) {
  const found = new Map();
  const visit = (item) => {
    // What a class extends and what constructs it are not shown.
    const isShown = item.kind !== 'Class' && item.kind !== 'Constructor';
    for (const { kind, text } of isShown ? item.excerptTokens : []) {
      const type = kind === 'Reference' ? hidden.get(text) : undefined;
      const name = text.replace(/_2$/, '');
      if (!type || !KINDS.has(type.kind) || exported.has(name) || found.has(name)) continue;
      found.set(name, { name, item: type });
      visit(type);
    }
    for (const member of item.members) visit(member);
  };
  for (const { item } of items) visit(item);
  return [...found.values()];
}
