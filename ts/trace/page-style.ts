// SPDX-License-Identifier: MIT
//
// The page's style sheet. Each category has one colour, in the picture, the bars and the legend alike.

// `ink` is for text on the categories' colours, and `text` for that on pale ones.
export const STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --panel: #f5f6f8; --line: #d9dde3; --text: #1c2128; --soft: #5b6470;
  --ink: #ffffff; --kernel: #2f6fde; --transfer: #b05e0e; --command: #687282; --build: #8a55cf; --compile: #8a55cf; --call: #2f8350;
  --wait: #e4a8a8; --groups: #7fa6ec; --program: #c3c9d1; --idle: #e6e9ed; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171c; --panel: #1d2229; --line: #343b45; --text: #e3e7ec; --soft: #9aa4b1;
  --ink: #101318; --kernel: #5b93f5; --transfer: #ec9a49; --command: #8792a3; --build: #ab7fe8; --compile: #ab7fe8; --call: #5fbd85;
  --wait: #8c4a4f; --groups: #345ca6; --program: #4a525e; --idle: #2a3038; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px; max-width: 1500px; background: var(--ground); color: var(--text);
  font: 14px/1.5 system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
h1 { font-size: 20px; margin: 0 0 8px; } h2 { font-size: 15px; margin: 28px 0 8px; }
.lead { font-size: 16px; margin: 0 0 4px; } .lead + .lead { font-size: 14px; color: var(--soft); }
.bars { display: grid; grid-template-columns: max-content 1fr; gap: 6px 12px; align-items: center; margin-top: 14px; }
.bar { display: flex; height: 22px; border-radius: 4px; overflow: hidden; background: var(--idle); }
.bar span { height: 100%; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; font-size: 11px; line-height: 22px; padding: 0 0 0 5px;
  color: var(--ink); min-width: 0; border-right: 1px solid var(--ground); }
.bar span.pale { color: var(--text); }
.bar span.thin { padding: 0; border: 0; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 10px 0; color: var(--soft); font-size: 12px; }
.legend i { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin-right: 5px; vertical-align: -1px; }
#view { position: relative; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; background: var(--panel); }
canvas { display: block; width: 100%; cursor: grab; } canvas:active { cursor: grabbing; }
.tools { display: flex; gap: 6px; align-items: center; margin: 8px 0; color: var(--soft); font-size: 12px; }
button { font: inherit; color: var(--text); background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: 2px 10px; cursor: pointer; }
#tip { position: fixed; pointer-events: none; display: none; max-width: 420px; padding: 6px 9px; border-radius: 5px; font-size: 12px; z-index: 2;
  background: var(--ground); border: 1px solid var(--line); box-shadow: 0 3px 12px #0004; white-space: pre-line; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 3px 10px; border-bottom: 1px solid var(--line); } th { color: var(--soft); font-weight: 500; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; } .wide { overflow-x: auto; }
`;
