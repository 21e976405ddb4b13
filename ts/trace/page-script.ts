// SPDX-License-Identifier: MIT
//
// The script of a trace's page: draws the picture, zooms and scrolls. It is a text, because it runs in the browser without anycl's
// modules. It must be ASCII, as the files of chunks are.

export const SCRIPT = String.raw`
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const canvas = document.querySelector('canvas'), pen = canvas.getContext('2d'), tip = document.getElementById('tip');
const LABEL = 190, ROW = 17, AXIS = 24, HEAD = 22;
let from = 0, span = data.length || 1, chosen;
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

const layout = [];
let height = AXIS;
for (const [i, row] of data.rows.entries()) {
  if (i === 0 || data.rows[i - 1].group !== row.group) { layout.push({ head: row.group, y: height }); height += HEAD; }
  layout.push({ row, y: height });
  height += row.depth * ROW + 5;
}
height += 4;

const byId = new Map();
for (const { row, y } of layout) for (const box of row ? row.boxes : []) {
  const args = box[6];
  for (const [key, role] of [['id', 'id'], ['for', 'wait']]) if (args && args[key] !== undefined) {
    const list = byId.get(args[key]) || [];
    list.push({ box, y: y + box[0] * ROW, role });
    byId.set(args[key], list);
  }
}

const time = (us) => us >= 1e6 ? (us / 1e6).toFixed(3) + ' s' : us >= 1000 ? (us / 1000).toFixed(2) + ' ms' : us.toFixed(us < 10 ? 2 : 1) + ' \u00b5s';
const width = () => canvas.clientWidth - LABEL;
const x = (us) => LABEL + (us - from) / span * width();

function step() {
  const raw = span / Math.max(2, width() / 110), power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw);
}

function draw() {
  const scale = devicePixelRatio || 1;
  canvas.style.height = height + 'px';
  canvas.width = canvas.clientWidth * scale; canvas.height = height * scale;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.font = '11px system-ui, "DejaVu Sans", sans-serif'; pen.textBaseline = 'middle';
  const colors = data.categories.map(style), [text, soft, line, ink, panel] = ['text', 'soft', 'line', 'ink', 'panel'].map(style);
  pen.fillStyle = panel; pen.fillRect(0, 0, canvas.clientWidth, height);
  pen.save(); pen.beginPath(); pen.rect(LABEL, 0, width(), height); pen.clip();
  const unit = step();
  for (let at = Math.ceil(from / unit) * unit; at <= from + span; at += unit) {
    pen.fillStyle = line; pen.fillRect(x(at), AXIS - 4, 1, height);
    pen.fillStyle = soft; pen.fillText(time(at), x(at) + 3, AXIS / 2);
  }
  for (const { row, y } of layout) for (const [depth, start, length, name, category, count] of row ? row.boxes : []) {
    if (start + length < from || start > from + span) continue;
    const left = Math.max(LABEL - 2, x(start)), wide = Math.max(1, Math.min(x(start + length), LABEL + width() + 2) - left);
    const top = y + depth * ROW;
    pen.fillStyle = colors[category]; pen.fillRect(left, top, wide, ROW - 2);
    if (wide > 28) {
      const pale = ['wait', 'groups', 'program'].includes(data.categories[category]);
      pen.save(); pen.beginPath(); pen.rect(left, top, wide - 3, ROW); pen.clip();
      pen.fillStyle = pale ? text : ink; pen.fillText(count > 1 ? count + ' x' : data.names[name], left + 4, top + ROW / 2 - 1); pen.restore();
    }
  }
  if (chosen) links(text);
  pen.restore();
  pen.fillStyle = panel; pen.fillRect(0, 0, LABEL, height);
  for (const { head, row, y } of layout) {
    if (head !== undefined) { pen.fillStyle = line; pen.fillRect(0, y, canvas.clientWidth, 1); }
    pen.save(); pen.beginPath(); pen.rect(0, y, head === undefined ? LABEL - 6 : canvas.clientWidth, 40); pen.clip();
    pen.fillStyle = head === undefined ? soft : text; pen.font = (head === undefined ? '' : 'bold ') + '11px system-ui, "DejaVu Sans", sans-serif';
    pen.fillText(head === undefined ? row.name : head, head === undefined ? 18 : 8, y + (head === undefined ? ROW / 2 : HEAD / 2 + 1)); pen.restore();
  }
  pen.fillStyle = line; pen.fillRect(LABEL - 1, 0, 1, height);
}

/** From the call to the run, and on to who waited for it. */
function links(color) {
  const ends = (byId.get(chosen) || []).slice().sort((a, b) => a.box[1] - b.box[1]);
  pen.strokeStyle = color; pen.lineWidth = 1.5;
  for (const { box, y } of ends) pen.strokeRect(x(box[1]), y, Math.max(2, x(box[1] + box[2]) - x(box[1])), ROW - 2);
  for (let i = 1; i < ends.length; i++) {
    const a = ends[i - 1], b = ends[i], x1 = x(a.box[1]), x2 = x(b.box[1]);
    pen.beginPath(); pen.moveTo(x1, a.y + ROW / 2); pen.bezierCurveTo(x1, b.y, x2, a.y, x2, b.y + ROW / 2); pen.stroke();
  }
}

function at(event) {
  const bounds = canvas.getBoundingClientRect(), px = event.clientX - bounds.left, py = event.clientY - bounds.top;
  if (px < LABEL) return;
  const us = from + (px - LABEL) / width() * span, slack = 2 * span / width();
  for (const { row, y } of layout) if (row && py >= y && py < y + row.depth * ROW) {
    const depth = Math.floor((py - y) / ROW);
    return row.boxes.findLast((box) => box[0] === depth && us >= box[1] - slack && us <= box[1] + box[2] + slack);
  }
}

function zoom(factor, px = width() / 2) {
  const us = from + px / width() * span;
  span = Math.min(data.length || 1, Math.max(0.05, span * factor)); from = us - px / width() * span; settle();
}
function settle() { from = Math.max(0, Math.min((data.length || 1) - span, from)); requestAnimationFrame(draw); }

canvas.addEventListener('wheel', (event) => {
  if (!event.ctrlKey && !event.shiftKey && !event.metaKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) zoom(Math.exp(event.deltaY / 300), event.clientX - canvas.getBoundingClientRect().left - LABEL);
  else { from += (event.deltaX || event.deltaY) / width() * span; settle(); }
}, { passive: false });
let drag;
canvas.addEventListener('pointerdown', (event) => { drag = { px: event.clientX, from, moved: false }; canvas.setPointerCapture(event.pointerId); });
canvas.addEventListener('pointerup', (event) => {
  if (drag && !drag.moved) { const args = (at(event) || [])[6]; chosen = args && (args.id ?? args.for); draw(); }
  drag = undefined;
});
canvas.addEventListener('pointermove', (event) => {
  if (drag) { if (Math.abs(event.clientX - drag.px) > 3) drag.moved = true; from = drag.from - (event.clientX - drag.px) / width() * span; settle(); return; }
  const box = at(event);
  tip.style.display = box ? 'block' : 'none';
  if (!box) return;
  const [, start, length, name, category, count, args] = box;
  const more = Object.entries(args || {}).map(([key, value]) => '\n' + key + ': ' + (Array.isArray(value) ? value.join(' x ') : value)).join('');
  const rate = args && args.bytes && length ? '\n' + (args.bytes / length / 1000).toFixed(2) + ' GB/s' : '';
  tip.textContent = (count > 1 ? count + ' spans, the first: ' : '') + data.names[name] + '\n' + data.categories[category] + ', ' + time(length) + ' from ' + time(start) + more + rate;
  tip.style.left = Math.min(event.clientX + 14, innerWidth - 430) + 'px'; tip.style.top = Math.min(event.clientY + 14, innerHeight - 150) + 'px';
});
canvas.addEventListener('pointerleave', () => { tip.style.display = 'none'; });
canvas.addEventListener('dblclick', (event) => {
  const box = at(event);
  if (box) { span = Math.max(0.05, box[2] * 1.2); from = box[1] - box[2] * 0.1; settle(); }
});
document.getElementById('closer').onclick = () => zoom(0.5);
document.getElementById('wider').onclick = () => zoom(2);
document.getElementById('all').onclick = () => { from = 0; span = data.length || 1; settle(); };
addEventListener('resize', draw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
draw();
`;
