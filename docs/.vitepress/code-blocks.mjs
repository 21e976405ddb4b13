// SPDX-License-Identifier: MIT
// Indented blocks of code, which VitePress renders bare, like fenced ones: those scroll where they are too wide, also by keyboard.

export function indentedLikeFenced(markdown) {
  const { rules } = markdown.renderer;
  rules.code_block = (...given) => rules.fence(...given);
}
