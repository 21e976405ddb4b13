// SPDX-License-Identifier: MIT
import { withBase } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import picture from '../../mandelbrot.png';
import './style.css';

const image = () =>
  h('img', {
    class: 'image-src',
    src: picture,
    alt: 'The Mandelbrot set, drawn by an example of the package',
  });

/** Instead of VitePress's, which has no main landmark and gives its link another name than its text. */
const notFound = () =>
  h('main', { class: 'not-found' }, [
    h('h1', 'There is no such page'),
    h('p', h('a', { href: withBase('/') }, 'Go to the first page')),
  ]);

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'home-hero-image': image, 'not-found': notFound }),
};
