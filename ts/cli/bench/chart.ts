// SPDX-License-Identifier: MIT
//
// The figures of `anycl bench` as a chart: SVG that needs nothing else, for light and dark pages.
import type { DeviceFigures, Figure } from './measure';

const TITLES: Readonly<Record<Figure['group'], string>> = {
  bandwidth: 'Bandwidth, GB/s (more is better)',
  rate: 'Arithmetic, 10⁹ operations a second (more is better)',
  latency: 'Latency of a launch, µs (less is better)',
};
const WIDTH = 860;
const LABEL = 210;
const VALUE = 90;
const BAR = 16;
const GAP = 10;
const COLORS = ['#2f6fde', '#d97a1e', '#3f9a63', '#8a55cf', '#c24d5a', '#6d7787'];

const STYLE = `svg{font:13px system-ui,'DejaVu Sans',sans-serif}.ground{fill:#fff}.text{fill:#1c2128}.soft{fill:#5b6470}.line{stroke:#d9dde3}
@media(prefers-color-scheme:dark){.ground{fill:#14171c}.text{fill:#e3e7ec}.soft{fill:#9aa4b1}.line{stroke:#343b45}}`;

/** Each group has a scale of its own: a length is a share of its largest value, by the root, so that small ones can be seen. */
export function chart(devices: readonly DeviceFigures[]): string {
  const parts: string[] = [];
  let y = 20;
  const text = (x: number, at: number, words: string, more: string): void => {
    parts.push(`<text x="${x}" y="${at}" ${more}>${escaped(words)}</text>`);
  };
  for (const [i, { device, platform }] of devices.entries()) {
    parts.push(
      `<rect x="16" y="${y - 10}" width="12" height="12" rx="2" fill="${COLORS[i % COLORS.length]}"/>`,
    );
    text(36, y, device === platform ? device : `${device} (${platform})`, 'class="text"');
    y += 20;
  }
  for (const group of Object.keys(TITLES) as Figure['group'][]) {
    const names = [
      ...new Set(
        devices.flatMap(({ figures }) => figures.filter((f) => f.group === group).map(({ name }) => name)),
      ),
    ];
    if (names.length === 0) continue;
    y += 22;
    text(16, y, TITLES[group], 'class="text" font-weight="600"');
    y += 12;
    const all = devices.flatMap(({ figures }) =>
      figures.filter((f) => f.group === group).map(({ value }) => value),
    );
    const most = Math.max(...all);
    for (const name of names) {
      const top = y;
      for (const [i, { figures }] of devices.entries()) {
        const figure = figures.find((f) => f.group === group && f.name === name);
        if (!figure) continue;
        const width = Math.max(1, Math.sqrt(figure.value / most) * (WIDTH - LABEL - VALUE));
        parts.push(
          `<rect x="${LABEL}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 3}" rx="2" fill="${COLORS[i % COLORS.length]}"/>`,
        );
        text(LABEL + width + 6, y + 11, shown(figure.value), 'class="soft"');
        y += BAR;
      }
      text(LABEL - 10, (top + y) / 2 + 3, name, 'class="text" text-anchor="end"');
      y += GAP;
    }
  }
  text(LABEL, y + 8, 'The lengths grow with the square root of the values.', 'class="soft" font-size="11"');
  y += 24;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" aria-label="Figures of OpenCL devices"><style>${STYLE}</style><rect class="ground" width="${WIDTH}" height="${y}"/>${parts.join('\n')}</svg>\n`;
}

export function chartPage(devices: readonly DeviceFigures[]): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>anycl bench</title>
<style>:root{color-scheme:light dark}body{margin:24px auto;max-width:900px;background:#fff}@media(prefers-color-scheme:dark){body{background:#14171c}}svg{max-width:100%;height:auto}</style>
${chart(devices)}</html>
`;
}

/** Three digits. */
export function shown(value: number): string {
  if (value >= 1000) return String(Math.round(value));
  return value.toPrecision(3);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (words: string): string => words.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);
