// SPDX-License-Identifier: MIT
// Links of the Markdown that lead out of docs/, such as to ../README.md or adr/, lead to the repository's web page instead.
import { posix } from 'node:path';

/** A rule of markdown-it. */
export function repositoryLinks(markdown, repository) {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const page = posix.join('docs', posix.dirname(env.relativePath ?? ''));
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href === null || /^(\w+:|[#/])/.test(href)) continue;
      const [path, anchor = ''] = href.split(/(?=#)/);
      const target = posix.join(page, path);
      if (!target.startsWith('docs/') || target.startsWith('docs/adr'))
        token.attrSet('href', `${repository}/blob/main/${target}${anchor}`);
    }
  });
}
