// SPDX-License-Identifier: MIT
//
// The device's reports for people: names, elements, places, and the text in the form of a diagnostic.
import type { CheckRegion, CheckSite, CheckTable, FaultKind, SourcePlace } from '../../../base/checks';
import type { Fault, FaultRecord, Origin, WorkItem } from '../../../base/faults';
import type { KernelSignature, ScalarName } from '../../../base/kernel-abi';

interface Named {
  readonly signature: KernelSignature;
  readonly source: ((file: string) => string | undefined) | undefined;
}

const SCALAR_BYTES: Readonly<Record<ScalarName, number>> = {
  bool: 1,
  char: 1,
  uchar: 1,
  short: 2,
  ushort: 2,
  half: 2,
  int: 4,
  uint: 4,
  float: 4,
  long: 8,
  ulong: 8,
  double: 8,
};

export function faultOf(record: FaultRecord, table: CheckTable, named: Named): Fault {
  const { kind, site, item, other, count, at, bytes, address, values } = record;
  const own = table.sites[site]!;
  const theirs = other && table.sites[other.site];
  const known = objectOf(record, table, named.signature) ?? argumentOf(own, table);
  const object = known?.kind === 'other' ? { ...known, name: own.captured ?? '' } : known;
  const facts = {
    kind,
    ...kernelOf(named.signature),
    count,
    ...(record.hasMore ? { hasMore: true } : {}),
    ...(own.place ? { place: own.place } : {}),
    ...(own.instruction ? { instruction: own.instruction } : {}),
    ...(item ? { item } : {}),
    ...(object ? { object } : {}),
    ...(at !== undefined ? { byte: at } : {}),
    ...(bytes !== undefined ? { objectBytes: bytes } : {}),
    ...(address !== undefined ? { address } : {}),
    ...(values ? { values } : {}),
    ...(record.origin ? { origin: originOf(record.origin, table, named) } : {}),
    ...(other && theirs
      ? {
          other: {
            action: actionText(theirs),
            ...(theirs.place ? { place: theirs.place } : {}),
            ...(other.item ? { item: other.item } : {}),
          },
        }
      : {}),
  };
  const message = messageOf(facts, own);
  return { ...facts, message, text: render(facts, message, named.source) };
}

/** A block is named by the function that it is in. */
function kernelOf({ name, isBlock, place }: KernelSignature): Pick<Fault, 'kernel' | 'block'> {
  if (!isBlock) return { kernel: name };
  const [, outer] = /^__(.+?)_block_invoke/.exec(name) ?? [];
  return { kernel: outer ?? name.replace(/ %\d+$/, ''), ...(place ? { block: place } : {}) };
}

/** The subject of a report about the kernel's code. */
function argumentOf({ action, region }: CheckSite, { regions }: CheckTable): Fault['object'] | undefined {
  const found = action === 'image-out-of-bounds' && region !== undefined ? regions[region] : undefined;
  return found && { kind: found.kind, name: found.name, argument: found.argument! };
}

/** A variable that has no value is known by its name only. */
function originOf(origin: Origin, table: CheckTable, named: Named): NonNullable<Fault['origin']> {
  const { place, text } = table.sites[origin.site]!;
  const object = objectOf(origin, table, named.signature);
  const variable = text === undefined ? undefined : ({ kind: 'private', name: text } as const);
  return {
    ...(object ? { object } : variable ? { object: variable } : {}),
    ...(origin.at !== undefined ? { byte: origin.at } : {}),
    ...(origin.bytes !== undefined ? { objectBytes: origin.bytes } : {}),
    ...(place ? { place } : {}),
  };
}

type Facts = Omit<Fault, 'message' | 'text'>;

function objectOf(
  { object, at }: Pick<FaultRecord, 'object' | 'at'>,
  table: CheckTable,
  signature: KernelSignature,
): Fault['object'] | undefined {
  if (!object) return undefined;
  const { arguments: args } = signature;
  let region: CheckRegion | undefined;
  if (object.of === 'kernel') region = table.regions[object.index];
  else if (object.index < args.length)
    region = { kind: 'argument', name: args[object.index]!.name, argument: object.index };
  if (!region) return { kind: 'other', name: '' };
  const { kind, name, argument } = region;
  const pointee = argument === undefined ? undefined : args[argument]!.pointee;
  const size = pointee && SCALAR_BYTES[pointee.type] * (pointee.components === 3 ? 4 : pointee.components);
  return {
    kind,
    name,
    ...(argument !== undefined ? { argument } : {}),
    ...(size && at !== undefined ? { element: Math.floor(at / size), elementBytes: size } : {}),
  };
}

function actionText({ action, size, isOfSubGroup }: CheckSite): string {
  switch (action) {
    case 'read':
      return `reads ${bytesText(size!)}`;
    case 'write':
      return `writes ${bytesText(size!)}`;
    case 'atomic':
      return `accesses ${bytesText(size!)} atomically`;
    case 'copy':
      return 'copies asynchronously';
    case 'wait':
      return 'waits for asynchronous copies';
    case 'end':
      return 'ends';
    case 'barrier':
      return 'waits at a barrier';
    case 'collective':
      return `takes part in an operation of its ${isOfSubGroup ? 'sub-group' : 'group'}`;
    default:
      return action;
  }
}

const bytesText = (count: number) => (count === 1 ? '1 byte' : `${count} bytes`);

const MESSAGES: Readonly<Record<FaultKind, (facts: Facts, site: CheckSite) => string>> = {
  'out-of-bounds': (facts, site) =>
    `the kernel ${actionText(site)} outside of ${objectText(facts)}${whereText(facts)}`,
  'null-pointer': (_, site) =>
    `the kernel ${actionText(site)} through a null pointer${site.captured ? `, captured '${site.captured}'` : ''}`,
  'no-object': ({ address }, site) =>
    `the kernel ${actionText(site)}${throughText(site)} at the address 0x${(address ?? 0).toString(16)}, where there is no object`,
  misaligned: (facts, site) =>
    `the kernel ${actionText(site)} of ${objectText(facts)} at an address that is not a multiple of ${site.align}${whereText(facts)}`,
  'forbidden-access': (facts, site) =>
    `the kernel ${actionText(site)} of ${objectText(facts)}, whose buffer was created ${site.action === 'read' ? 'write-only' : 'read-only'}${whereText(facts)}`,
  'mapped-access': (facts, site) =>
    `the kernel ${actionText(site)} of ${objectText(facts)}, whose buffer the host has mapped${site.action === 'read' ? ' for writing' : ''}${whereText(facts)}`,
  'index-out-of-bounds': ({ values }) =>
    `index ${values?.[0]} is outside of an array of ${values?.[1]} elements, which is part of a larger object`,
  uninitialized: (facts, site) =>
    site.action === 'uninitialized'
      ? 'the kernel uses a value here that was never initialized'
      : `the kernel reads bytes of ${objectText(facts)} that were never written${whereText(facts)}`,
  race: (facts, site) =>
    `data race: ${racer(site)} ${objectText(facts)}${whereText(facts)}, which ${otherRacer(facts)} without a barrier in between`,
  'divergent-barrier': ({ other }, site) =>
    `divergent barrier: a work-item ${actionText(site)}, another one of its ${site.isOfSubGroup ? 'sub-group' : 'group'} ${other?.action ?? 'does not'}${actionText(site) === other?.action ? ' elsewhere' : ''}`,
  'divergent-copy': () =>
    'divergent copy: the work-items of a group do not all make the same asynchronous copies, in the same order',
  'unwaited-copy': () => 'a work-item ends without having waited for this asynchronous copy',
  'invalid-event': () => 'a work-item waits for an event that no asynchronous copy of its group has returned',
  assertion: (_, site) => `assertion failed: ${site.text}`,
  trap: () => 'the kernel executes __builtin_trap(), or code that its compiler took for unreachable',
  'image-out-of-bounds': ({ object, values }, site) => {
    const count = Number(site.text);
    const list = (from: number) => (values ?? []).slice(from, from + count).join(', ');
    const name = object?.name ? ` '${object.name}'` : '';
    return `the kernel accesses image${name} at (${list(0)}), outside of its ${(values ?? []).slice(count).join(' x ')} elements`;
  },
  'printf-format': (_, site) => `printf: ${site.text}`,
  'shift-too-wide': ({ values }, site) =>
    `a value of ${site.text} bits is shifted by ${values?.[0]}; the device takes the amount modulo ${site.text}`,
  'division-by-zero': ({ values }) => `division by zero: of ${values?.[0]}`,
  overflow: ({ values }, site) =>
    values?.length === 1
      ? `signed overflow: ${site.text}(${values[0]})`
      : `signed overflow: ${values?.[0]} ${site.text} ${values?.[1]}`,
  conversion: ({ values }, site) => `${values?.[0]} is outside of the range of ${site.text}`,
  'endless-loop': () => 'a work-item has done as many iterations of loops as it may: does this loop end?',
};

const racer = (site: CheckSite) =>
  site.action === 'copy' ? 'an asynchronous copy accesses' : `a work-item ${actionText(site)} of`;
const otherRacer = (facts: Facts) =>
  facts.other?.action === actionText({ action: 'copy' })
    ? 'an asynchronous copy accesses'
    : `another one ${verb(facts)}`;
const verb = ({ other }: Facts) => (other?.action ?? 'accesses').replace(/ \d+ bytes?/, '');

const messageOf = (facts: Facts, site: CheckSite) => MESSAGES[facts.kind](facts, site);

const KINDS = {
  argument: 'argument',
  local: 'local variable',
  private: 'private variable',
  program: 'program-scope variable',
};

const throughText = ({ captured }: CheckSite) => (captured ? ` through captured '${captured}'` : '');

function objectText({ object, address }: Pick<Facts, 'object' | 'address'>): string {
  if (!object) return address === undefined ? 'memory' : `memory at 0x${address.toString(16)}`;
  if (object.kind === 'other') return object.name ? `the buffer of captured '${object.name}'` : 'a buffer';
  return `${KINDS[object.kind]}${object.name ? ` '${object.name}'` : ''}`;
}

function whereText({ object, byte, objectBytes }: Pick<Facts, 'object' | 'byte' | 'objectBytes'>): string {
  if (byte === undefined) return '';
  const size = object?.elementBytes;
  if (object?.element === undefined || !size)
    return `: byte ${byte}${objectBytes === undefined ? '' : ` of ${objectBytes}`}`;
  const inside = byte - object.element * size;
  const count = objectBytes === undefined ? '' : ` of ${Math.floor(objectBytes / size)}`;
  return `: element ${object.element}${count}${inside > 0 ? `, byte ${inside} of it` : ''}`;
}

/** In the form of a diagnostic: the place, the line with a caret, then notes. */
function render(facts: Facts, message: string, source: Named['source']): string {
  const { place, item, other, count, hasMore, kernel, block } = facts;
  const lines = [
    `${place ? placeText(place) : instructionText(facts.instruction)}error: ${message} [${facts.kind}]`,
    ...excerpt(place, source),
  ];
  const code = block ? `the block in '${kernel}' at ${locationText(block)}` : `kernel '${kernel}'`;
  lines.push(item ? `  note: by ${itemText(item)} of ${code}` : `  note: in ${code}`);
  if (other) {
    const others = other.action === actionText({ action: 'copy' }) ? 'the work-group ' : 'another work-item ';
    const by = other.item ? `${itemText(other.item)} ` : others;
    lines.push(`${placeText(other.place)}note: ${by}${other.action} here`, ...excerpt(other.place, source));
  }
  if (facts.origin) lines.push(...originLines(facts.origin, source));
  if (count > 1) lines.push(`  note: ${hasMore ? 'at least ' : ''}${count} times in all`);
  return lines.join('\n');
}

/** Where the bytes of a value were read first, or lost what they held. */
function originLines(origin: NonNullable<Fault['origin']>, source: Named['source']): string[] {
  const { place, object, byte } = origin;
  const at = place ? placeText(place) : '  ';
  if (byte !== undefined)
    return [
      `${at}note: it comes from ${objectText(origin)}${whereText(origin)}, which is read here`,
      ...excerpt(place, source),
    ];
  if (!object) return [`${at}note: the variable has no contents from here on`, ...excerpt(place, source)];
  return [`${at}note: it comes from ${objectText(origin)}, which had no value`];
}

const instructionText = (at: Facts['instruction']) =>
  at ? `function '${at.function}', instruction ${at.number}: ` : '';

const locationText = ({ file, line, column }: SourcePlace) => `${file}:${line}:${column}`;
const placeText = (place: SourcePlace | undefined) => (place ? `${locationText(place)}: ` : '');

function excerpt(place: SourcePlace | undefined, source: Named['source']): string[] {
  const line = place && source?.(place.file)?.split('\n')[place.line - 1];
  if (!line) return [];
  const before = line.slice(0, Math.max(0, place.column - 1)).replace(/[^\t]/g, ' ');
  return [`    ${line.trimEnd()}`, `    ${before}^`];
}

function itemText({ global, local, group }: WorkItem): string {
  const ids = (list: readonly number[]) => `(${list.join(', ')})`;
  return `work-item ${ids(global)} (local ${ids(local)} in group ${ids(group)})`;
}
