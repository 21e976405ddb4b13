// SPDX-License-Identifier: MIT
//
// Shows a trace as one self-contained HTML page: a summary in sentences, bars, a timeline and tables.
import { pageData } from './page-data';
import { SCRIPT } from './page-script';
import { STYLE } from './page-style';
import type { TraceModel } from './parse';
import { type Part, type Summary, summarize } from './summary';
import { COLUMNS, cells, percent, sentences, time, WAIT_COLUMNS } from './summary-text';

export interface PageOptions {
  /** What was traced. */
  readonly title: string;
}

const LEGEND: readonly (readonly [color: string, meaning: string])[] = [
  ['kernel', 'kernel'],
  ['transfer', 'transfer'],
  ['command', 'other command'],
  ['build', 'build and compilation'],
  ['call', 'call of anycl'],
  ['wait', 'the program waits'],
  ['groups', 'work-groups on a thread'],
];
/** Bars too narrow for any text. */
const THIN = 0.03;
const PALE: ReadonlySet<string> = new Set(['wait', 'program', 'idle', 'groups']);

export function tracePage(model: TraceModel, { title }: PageOptions): string {
  const summary = summarize(model);
  const json = JSON.stringify(pageData(model)).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}: trace</title>
<style>${STYLE}</style>
<main>
<h1>${escaped(title)}</h1>
${sentences(summary)
  .map((sentence) => `<p class="lead">${escaped(sentence)}</p>`)
  .join('\n')}
<div class="bars">
${bars(summary)}
</div>
<div class="legend">${LEGEND.map(([color, meaning]) => `<span><i style="background:var(--${color})"></i>${meaning}</span>`).join('')}</div>
<div class="tools"><button id="wider">−</button><button id="closer">+</button><button id="all">all</button>
drag to move, Ctrl and wheel to zoom, double-click a span to fill the view, click a command to see who enqueued it and who waited for it</div>
<div id="view"><canvas role="img" aria-label="What each thread and queue did over time"></canvas></div>
<div id="tip"></div>
<noscript>The picture needs JavaScript; the tables do not.</noscript>
${tables(summary)}
</main>
<script type="application/json" id="data">${json}</script>
<script>${SCRIPT}</script>
</html>
`;
}

function bars({ ms, waits, devices }: Summary): string {
  const rest: Part = { what: 'the program did not wait', category: 'program', ms: ms - waits.ms };
  const rows: readonly (readonly [string, readonly Part[]])[] = [
    ['waits of the program', [...waits.parts, rest]],
    ...devices.map(({ name, parts }) => [name, parts] as const),
  ];
  return rows
    .map(([name, parts]) => {
      const pieces = parts.map((part) => piece(part, ms)).join('');
      return `<div>${escaped(name)}</div><div class="bar">${pieces}</div>`;
    })
    .join('\n');
}

function piece({ what, category, ms }: Part, total: number): string {
  const share = total > 0 ? ms / total : 0;
  const classes = [PALE.has(category) ? 'pale' : '', share < THIN ? 'thin' : ''].filter(Boolean).join(' ');
  const label = `${what}, ${time(ms)}`;
  return `<span class="${classes}" style="width:${(100 * share).toFixed(3)}%;background:var(--${category})" title="${escaped(`${label}, ${percent(share)}`)}">${share < THIN ? '' : escaped(label)}</span>`;
}

function tables({ devices, commands, builds, waits }: Summary): string {
  const parts = devices.map(({ name }) => {
    const rows = commands.filter(({ device }) => device === name).map(cells);
    return `<h2>${escaped(name)}</h2>${table(
      COLUMNS.map(([heading]) => heading),
      rows,
    )}`;
  });
  if (waits.rows.length > 0) {
    const rows = waits.rows.map((row) => WAIT_COLUMNS.map(([, cell]) => cell(row)));
    const head = WAIT_COLUMNS.map(([heading]) => heading);
    parts.unshift(`<h2>Waits of the program</h2>${table(head, rows)}`);
  }
  const built = builds.map((row) => [row.name, String(row.count), time(row.ms)]);
  if (built.length > 0)
    parts.push(`<h2>Builds and compilation</h2>${table(['step', 'count', 'time'], built)}`);
  return parts.join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cell: string, texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${cell}>${escaped(text)}</${cell}>`).join('')}</tr>`;
  return `<div class="wide" tabindex="0"><table>${row('th', head)}${rows.map((texts) => row('td', texts)).join('')}</table></div>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);
