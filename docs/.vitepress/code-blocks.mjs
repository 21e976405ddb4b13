// SPDX-License-Identifier: MIT
// Blocks of code, as the site shows them. Indented ones, which VitePress renders bare, are like fenced ones: those scroll where they
// are too wide, also by keyboard. And comments at the ends of lines, which are in one column in the sources of all documents, begin
// next to the code of their block: in the column of the documents the results of programs would be beyond the block's edge.

export function codeBlocks(markdown) {
  const { rules } = markdown.renderer;
  rules.code_block = (...given) => rules.fence(...given);
  markdown.core.ruler.push('trailing-comments', ({ tokens }) => {
    for (const token of tokens)
      if (token.type === 'fence' || token.type === 'code_block')
        token.content = commentsBesideCode(token.content);
  });
}

const LINE = /^(.*\S)( {2,})((?:\/\/|#) .*)$/gm;

/** Moves the comments of a block to the left, together. */
export function commentsBesideCode(code) {
  const gaps = [...code.matchAll(LINE)].map(([, , gap]) => gap.length);
  const surplus = Math.min(...gaps) - 2;
  if (gaps.length === 0 || surplus <= 0) return code;
  return code.replace(LINE, (_, before, gap, comment) => before + gap.slice(surplus) + comment);
}
