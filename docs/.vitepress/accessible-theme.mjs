// SPDX-License-Identifier: MIT
// Faults of VitePress's theme that accessibility checkers report, mended in the source of its components. VitePress offers no
// setting for them, and components of our own would have to repeat each whole file.

const CHANGES = [
  // The home page has no main landmark.
  ['VPHome.vue', '<div \n    class="VPHome"', '<main\n    class="VPHome"'],
  ['VPHome.vue', '  </div>\n</template>', '  </main>\n</template>'],
  // The button's name is "Search", and its text "Search K". The style sheet adds the key, as it adds Ctrl.
  ['VPNavBarSearchButton.vue', '>K</kbd>', '></kbd>'],
];

/** A plugin of Vite. It fails where VitePress no longer has the text, so that an update cannot bring the faults back. */
export const accessibleTheme = {
  name: 'accessible-theme',
  enforce: 'pre',
  transform(code, id) {
    const path = id.split('?')[0];
    if (id.includes('?') || !path.includes('/theme-default/components/')) return undefined;
    const changes = CHANGES.filter(([name]) => path.endsWith(`/${name}`));
    for (const [name, from, to] of changes) {
      if (!code.includes(from)) throw new Error(`${name} of VitePress does not contain ${from}`);
      code = code.replace(from, to);
    }
    return changes.length > 0 ? code : undefined;
  },
};
