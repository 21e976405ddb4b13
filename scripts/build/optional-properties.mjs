// SPDX-License-Identifier: MIT
// Programs that TypeScript checks with `exactOptionalPropertyTypes` may pass `{ device: undefined }` as others may: each
// optional property of the package's types admits `undefined`, as those of @types/node do.

const OPENING = '([{<';
const CLOSING = ')]}>';
/** Comments and strings, and the `?:` of what is optional. */
const TOKEN = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`|(?<=[\w$\]])\?: /g;

/** @param types the text of a declaration file */
export function admitUndefined(types) {
  const edits = [];
  for (const { 0: token, index } of types.matchAll(TOKEN)) {
    if (token !== '?: ') continue;
    const start = index + token.length;
    const { end, isBare } = endOfType(types, start);
    // A parameter's type ends with a comma or a parenthesis; parameters admit `undefined` anyway.
    const type = types.slice(start, end);
    if (!/[;}]/.test(types[end]) || /(?:^|\| *)undefined$|^(?:unknown|any)$/.test(type.trimEnd())) continue;
    if (!isBare) edits.push([start, '(']);
    edits.push([start + type.trimEnd().length, isBare ? ' | undefined' : ') | undefined']);
  }
  edits.sort(([a], [b]) => a - b);
  let [text, from] = ['', 0];
  for (const [at, added] of edits) {
    text += types.slice(from, at) + added;
    from = at;
  }
  return text + types.slice(from);
}

/** Where a type ends, and whether a union with it needs no parentheses. */
function endOfType(types, start) {
  let depth = 0;
  let isBare = true;
  for (let i = start; i < types.length; i++) {
    const character = types[i];
    const isArrow = character === '>' && types[i - 1] === '=';
    if (OPENING.includes(character)) depth++;
    else if (CLOSING.includes(character) && !isArrow) depth--;
    else if (depth === 0 && (isArrow || types.startsWith(' extends ', i))) isBare = false;
    if (depth < 0 || (depth === 0 && (character === ';' || character === ','))) return { end: i, isBare };
  }
  return { end: types.length, isBare };
}
