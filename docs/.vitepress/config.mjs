// SPDX-License-Identifier: MIT
// The documentation site: the Markdown of docs/ as it is, and the reference that scripts/docs/site.mjs makes beside it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { accessibleTheme } from './accessible-theme.mjs';
import { codeBlocks } from './code-blocks.mjs';
import { DEVELOPERS, GUIDES } from './contents.mjs';
import { repositoryLinks } from './repository-links.mjs';

const REPOSITORY = 'https://github.com/anycl/anycl';

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5fa5"/>' +
    '<path d="M8 9h4v14H8zm6 0h4v14h-4zm6 0h4v14h-4z" fill="#fff"/></svg>',
)}`;

/** Written by scripts/docs/site.mjs. */
const reference = JSON.parse(
  readFileSync(fileURLToPath(new URL('../reference/sidebar.json', import.meta.url)), 'utf8'),
);

/**
 * Finds the pages for users first. The function becomes text and runs in browsers, so it contains the developers' pages.
 */
const developers = DEVELOPERS.flatMap(({ items }) =>
  items.map(({ link }) => `${link}.html`.replace('README.html', '')),
);
const usersFirst = new Function(
  'id',
  `return ${JSON.stringify(developers)}.some((page) => id.includes(page)) ? 0.25 : 1`,
);

export default defineConfig({
  title: 'anycl',
  description: 'OpenCL for Node.js that always works',
  lang: 'en',
  // Relative links let the site be served from any folder.
  base: process.env.ANYCL_SITE_BASE ?? '/',
  outDir: fileURLToPath(new URL('../../dist/site', import.meta.url)),
  cleanUrls: false,
  srcExclude: ['adr/**'],
  markdown: {
    languageAlias: { opencl: 'c' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown) => {
      repositoryLinks(markdown, REPOSITORY);
      codeBlocks(markdown);
    },
  },
  vite: { plugins: [accessibleTheme] },
  // Browsers ask for /favicon.ico where a page names no icon.
  head: [['link', { rel: 'icon', href: ICON }]],
  // The playground is not a page of VitePress.
  ignoreDeadLinks: [/^\/playground\//],
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guides/first-kernel', activeMatch: '^/guides/' },
      { text: 'Reference', link: '/reference/anycl/', activeMatch: '^/reference/' },
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
      { text: 'Developers', link: '/ARCHITECTURE' },
    ],
    sidebar: { '/reference/': reference, '/': [...GUIDES, ...DEVELOPERS] },
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument: usersFirst } } } },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    footer: { message: 'MIT licence' },
  },
});
