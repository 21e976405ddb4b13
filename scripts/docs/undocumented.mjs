// SPDX-License-Identifier: MIT
// Finds exports and members without documentation, and classes without an example.

const EMPTY = new Set(['', '\n']);
const isDocumented = (item) => {
  const summary = item.tsdocComment?.emitAsTsdoc() ?? '';
  return !EMPTY.has(summary.replace(/\/\*\*|\*\/|\*/g, '').trim());
};
const hasExample = (item) => (item.tsdocComment?.emitAsTsdoc() ?? '').includes('@example');

/** Base classes that are not exported: their members belong to the classes that users have. */
const BASES = ['Handle', 'MemoryHandle', 'ElementwiseMethods'];

/** @returns a line for each fault */
export function undocumented(model) {
  const faults = [];
  for (const { name: entry, items, hidden } of model.values()) {
    const bases = BASES.flatMap((name) => (hidden.has(name) ? [{ name, item: hidden.get(name) }] : []));
    for (const { name, item } of [...items, ...(entry === 'anycl/testing' ? [] : bases)]) {
      const overloads = items.filter((other) => other.name === name);
      const where = `${entry}: ${name}`;
      if (!isDocumented(item) && !overloads.some((other) => isDocumented(other.item))) faults.push(where);
      if (item.kind === 'Class' && !BASES.includes(name) && !hasExample(item))
        faults.push(`${where} has no @example`);
      for (const member of membersOf(item))
        if (!item.members.some((other) => other.displayName === member.displayName && isDocumented(other)))
          faults.push(`${where}.${member.displayName}`);
    }
  }
  return [...new Set(faults)];
}

/** Constructors that only state what a call of the class as a function would; private ones are left out by api-extractor. */
const membersOf = (item) =>
  item.members.filter(({ kind }) => kind !== 'Constructor' && kind !== 'ConstructSignature');
