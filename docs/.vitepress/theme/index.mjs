// SPDX-License-Identifier: MIT
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

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'home-hero-image': image }),
};
