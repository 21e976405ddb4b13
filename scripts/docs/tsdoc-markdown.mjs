// SPDX-License-Identifier: MIT
// Comments of the model as Markdown.

/** @returns summary: the first part; all: with remarks, errors, results and examples */
export function commentOf(item) {
  const comment = item.tsdocComment;
  if (!comment) return { summary: '', all: '' };
  const summary = text(comment.summarySection);
  const parts = [summary];
  if (comment.remarksBlock) parts.push(text(comment.remarksBlock.content));
  for (const { parameterName, content } of comment.params.blocks)
    parts.push(`\`${parameterName}\`: ${text(content)}`);
  if (comment.returnsBlock) parts.push(`Returns ${text(comment.returnsBlock.content)}`);
  for (const block of comment.customBlocks) {
    const name = block.blockTag.tagName;
    if (name === '@throws') parts.push(`**Throws** ${text(block.content)}`);
    if (name === '@example') parts.push(`**Example**\n\n${text(block.content)}`);
  }
  return { summary, all: parts.filter((part) => part !== '').join('\n\n') };
}

function text(section) {
  return section.nodes
    .map((node) =>
      node.kind === 'FencedCode' ? `\n\`\`\`${node.language}\n${node.code}\`\`\`\n` : paragraph(node),
    )
    .join('')
    .trim();
}

function paragraph(node) {
  const nodes = node.kind === 'Paragraph' ? node.nodes : [node];
  return `${nodes.map(inline).join('')}\n\n`;
}

function inline(node) {
  switch (node.kind) {
    case 'PlainText':
      return node.text.replace(/</g, '&lt;').replace(/\{\{/g, '&#123;&#123;');
    case 'SoftBreak':
      return '\n';
    case 'CodeSpan':
      return `\`${node.code}\``;
    case 'EscapedText':
      return node.decodedText;
    case 'ErrorText':
      return node.text;
    case 'LinkTag':
      return node.linkText ?? node.urlDestination ?? '';
    case 'HtmlStartTag':
    case 'HtmlEndTag':
      return node.emitAsHtml().replace(/</g, '&lt;');
    default:
      return node.getChildNodes().map(inline).join('');
  }
}
