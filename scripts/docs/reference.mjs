// SPDX-License-Identifier: MIT
// The API reference as Markdown, made of the model: a page for each class, and for each entry a page of its functions and
// one of its types. Names in signatures link to their pages.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { escapeText, slugOf } from './markdown.mjs';
import { namedTypes } from './named-types.mjs';
import { commentOf } from './tsdoc-markdown.mjs';

const FOLDERS = {
  anycl: 'anycl',
  'anycl/array': 'array',
  'anycl/testing': 'testing',
  'anycl/bundler': 'bundler',
};
const INTRODUCTIONS = {
  anycl:
    'The main entry: devices, memory, programs, kernels, events, and what streams and several devices need.',
  'anycl/array': 'Lazy, fused, typed n-dimensional arrays. The guide is [Arrays](../../guides/arrays.md).',
  'anycl/testing': 'Kernels on every device against a reference in JavaScript, for any test runner.',
  'anycl/bundler':
    'Plugins by which bundlers take `.cl` files as modules. The guide is [Typed kernels](../../guides/typed-kernels.md).',
};
const KINDS = [
  ['Function', 'functions', 'Functions'],
  ['Interface', 'types', 'Types'],
  ['TypeAlias', 'types', 'Types'],
  ['Enum', 'enumerations', 'Enumerations'],
  ['Variable', 'functions', 'Functions'],
];

/** Writes the pages into `out`, and returns the sidebar's sections. */
export function writeReference(model, out) {
  rmSync(out, { recursive: true, force: true });
  const named = namedTypes(model);
  const places = placesOf(model, named);
  const sidebar = [];
  for (const entry of model.values()) {
    const folder = FOLDERS[entry.name];
    const write = (page, text) => {
      const file = join(out, folder, `${page}.md`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `---\neditLink: false\n---\n\n${text}\n`);
    };
    const context = { places, folder, hidden: entry.hidden };
    const classes = entry.items.filter(({ item }) => item.kind === 'Class');
    for (const { name, item } of classes) write(slugOf(name), classPage(name, item, context));
    const pages = new Map();
    for (const [kind, page, title] of KINDS) {
      const own = grouped(entry.items.filter(({ item }) => item.kind === kind));
      if (own.length > 0) pages.set(page, { title, own: [...(pages.get(page)?.own ?? []), ...own] });
    }
    for (const [page, { title, own }] of pages) {
      own.sort(([a], [b]) => a.localeCompare(b));
      const text = own.map(([name, items]) => itemSection(name, items, context)).join('\n\n');
      write(page, `# ${title} of ${entry.name}\n\n${text}`);
    }
    const unexported = grouped(named.get(entry.name));
    if (unexported.length > 0) write('named-types', namedPage(entry.name, unexported, context));
    write('index', indexPage(entry, classes, pages));
    sidebar.push({
      text: entry.name,
      link: `/reference/${folder}/`,
      collapsed: entry.name !== 'anycl',
      items: [
        ...[...pages].map(([page, { title }]) => ({ text: title, link: `/reference/${folder}/${page}` })),
        ...(unexported.length > 0 ? [{ text: 'Named types', link: `/reference/${folder}/named-types` }] : []),
        ...classes
          .map(({ name }) => ({ text: name, link: `/reference/${folder}/${slugOf(name)}` }))
          .sort((a, b) => a.text.localeCompare(b.text)),
      ],
    });
  }
  return sidebar;
}

/** Overloads of one name together. */
function grouped(items) {
  const groups = new Map();
  for (const { name, item } of items) groups.set(name, [...(groups.get(name) ?? []), item]);
  return [...groups];
}

const namedPage = (entry, types, context) =>
  [
    `# Types that ${entry} names`,
    'Signatures name these types. They are not exported, as programs seldom need their names.',
    ...types.sort(([a], [b]) => a.localeCompare(b)).map(([name, items]) => itemSection(name, items, context)),
  ].join('\n\n');

/** Where each name is documented, by the name inside of the declarations. */
function placesOf(model, named) {
  const places = new Map();
  for (const entry of model.values())
    for (const { name, item } of entry.items) {
      const page = item.kind === 'Class' ? slugOf(name) : KINDS.find(([kind]) => kind === item.kind)?.[1];
      if (page === undefined) continue;
      const anchor = item.kind === 'Class' ? '' : `#${slugOf(name)}`;
      const place = { name, link: `/reference/${FOLDERS[entry.name]}/${page}.html${anchor}` };
      if (!places.has(item.displayName)) places.set(item.displayName, place);
      if (!places.has(name)) places.set(name, place);
    }
  for (const [entry, types] of named)
    for (const { name, item } of types) {
      const place = { name, link: `/reference/${FOLDERS[entry]}/named-types.html#${slugOf(name)}` };
      if (!places.has(item.displayName)) places.set(item.displayName, place);
    }
  return places;
}

function indexPage(entry, classes, pages) {
  const lines = [`# ${entry.name}`, '', INTRODUCTIONS[entry.name], ''];
  const row = (name, link, item) => `| [${name}](${link}) | ${firstSentence(item)} |`;
  const table = (title, rows) => [`## ${title}`, '', '| name | meaning |', '|---|---|', ...rows, ''];
  if (classes.length > 0)
    lines.push(
      ...table(
        'Classes',
        classes.map(({ name, item }) => row(name, `${slugOf(name)}.md`, item)),
      ),
    );
  for (const [page, { title, own }] of pages)
    lines.push(
      ...table(
        title,
        own.map(([name, [item]]) => row(name, `${page}.md#${slugOf(name)}`, item)),
      ),
    );
  return lines.join('\n');
}

const firstSentence = (item) =>
  (commentOf(item).summary.split(/(?<=[.:;])\s/)[0] ?? '').replace(/\n/g, ' ').replace(/\|/g, '\\|');

function classPage(name, item, context) {
  const text = [`# ${name}`, '', ...commentText(item), '', ...heritage(item, context)];
  const members = [...item.members, ...inherited(item, context)].filter(({ kind }) => kind !== 'Constructor');
  return [...text, '', ...memberSections(members, context, '##')].join('\n');
}

/** What a class extends, where users can name it. */
function heritage(item, { places }) {
  const bases = [item.extendsType, ...(item.extendsTypes ?? [])].filter(Boolean);
  const named = bases.flatMap(({ excerpt }) => {
    const place = places.get(/^\w+/.exec(excerpt.text.trim())?.[0] ?? '');
    return place ? [`[${place.name}](${place.link})`] : [];
  });
  return named.length > 0 ? [`Extends ${named.join(', ')}, whose members it has, too.`, ''] : [];
}

/** Members of base classes that are not exported; the class's own ones have precedence. */
function inherited(item, { hidden }) {
  const base = hidden.get(/^\w+/.exec(item.extendsType?.excerpt.text.trim() ?? '')?.[0] ?? '');
  if (!base) return [];
  const own = new Set(item.members.map(({ displayName }) => displayName));
  return [...base.members, ...inherited(base, { hidden })].filter(({ displayName }) => !own.has(displayName));
}

function memberSections(members, context, level) {
  const named = members.map((item) => ({ name: item.displayName, item }));
  const isSymbol = ({ name }) => Number(name.startsWith('['));
  named.sort((a, b) => isSymbol(a) - isSymbol(b));
  return grouped(named).flatMap(([name, overloads]) => [
    `${level} ${escapeText(name)}`,
    '',
    signature(overloads, context),
    '',
    ...overloads.flatMap((item) => commentText(item)),
    '',
  ]);
}

function itemSection(name, items, context) {
  const [item] = items;
  const head = [`## ${name}`, ''];
  if (item.kind === 'Enum') return [...head, ...commentText(item), '', ...enumTable(item)].join('\n');
  const text = [...head, signature(items, context), '', ...items.flatMap((each) => commentText(each)), ''];
  text.push(...constantsOf(item, context));
  if (item.kind === 'Interface') text.push(...heritage(item, context), ...memberTable(item, context));
  return text.join('\n');
}

function enumTable(item) {
  const rows = item.members.map(
    (member) =>
      `| \`${member.displayName}\` | ${member.initializerExcerpt?.text ?? ''} | ${commentOf(member).summary} |`,
  );
  return ['| name | value | constant of OpenCL |', '|---|---|---|', ...rows];
}

function memberTable(item, context) {
  const rows = grouped(item.members.map((member) => ({ name: member.displayName, item: member }))).map(
    ([name, overloads]) => {
      const type = overloads.map((each) => `<code v-pre>${typeText(each, context)}</code>`).join('<br>');
      const text = overloads.map((each) => commentOf(each).all).find((each) => each !== '') ?? '';
      const optional = overloads[0].isOptional ? '?' : '';
      return `| \`${name}${optional}\` | ${type} | ${text.replace(/\n+/g, ' ').replace(/\|/g, '\\|')} |`;
    },
  );
  return rows.length === 0 ? [] : ['| member | type | meaning |', '|---|---|---|', ...rows];
}

const typeText = (item, { places }) =>
  linked(item.propertyTypeExcerpt ?? item.excerpt, places)
    .replace(/\|/g, '&#124;')
    .replace(/\n\s*/g, ' ');

/** The declaration, names linked. Vue takes braces in code as they are because of `v-pre`. */
function signature(items, { places }) {
  const lines = items
    .filter(({ kind }) => kind !== 'Interface')
    .map(({ excerpt }) =>
      linked(excerpt, places)
        .replace(/^(export )?declare /, '')
        .replace(/;$/, ''),
    );
  return lines.length === 0 ? '' : `<pre v-pre class="signature"><code>${lines.join('\n')}</code></pre>`;
}

/** A declaration as HTML, with a link at each name that has a page. */
const linked = (excerpt, places) =>
  excerpt.spannedTokens
    .map(({ kind, text }) => {
      const place = kind === 'Reference' ? places.get(text) : undefined;
      return place
        ? `<a href="${place.link}">${place.name}</a>`
        : escapeText(text.replace(/^(\w+)_2$/, '$1').replace(/\n {4}/g, '\n  '));
    })
    .join('');

/** What a type is made of where that is a table of constants: the keys of `info`, or the names of a list. */
function constantsOf(item, { hidden }) {
  if (item.kind !== 'TypeAlias') return [];
  const [, name] = /typeof (\w+)/.exec(item.excerpt.text) ?? [];
  const text = hidden.get(name)?.excerpt.text ?? '';
  const keys = [...text.matchAll(/readonly (\w+): readonly \[(\d+), "([^"]+)", "([^"]+)"\]/g)];
  if (keys.length > 0)
    return [
      '| key | number | value | since |',
      '|---|---|---|---|',
      ...keys.map(([, key, number, type, since]) => `| \`${key}\` | ${number} | \`${type}\` | ${since} |`),
    ];
  const names = [...text.matchAll(/'([\w-]+)'/g)].map(([, each]) => `\`${each}\``);
  return names.length > 0 ? [`One of ${names.join(', ')}.`] : [];
}

function commentText(item) {
  const { all } = commentOf(item);
  return all === '' ? [] : [all, ''];
}
