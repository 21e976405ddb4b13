// SPDX-License-Identifier: MIT
// esbuild writes an enum that is looked up by value, too, as one assignment per member. V8 takes 8 ms at each start for
// the 800 of SPIR-V's opcodes; a string costs nothing.

const FEWEST = 40;
const LARGE_ENUM = /(\w+)=\((\w+)=>\(((?:\2\[\2\.\w+=[-\w]+\]="\w+",)+)\2\)\)\(\1\|\|\{\}\)/g;
const MEMBER = /\.(\w+)=([-\w]+)\]/g;
/** Made when first looked into: most programs look an enum up by value only for the texts of errors. */
const HELPER = `var $enum = (text) => {
  let made;
  const get = () => {
    if (!made) {
      made = {};
      const words = text.split(" ");
      for (let i = 0; i < words.length; i += 2) made[made[words[i]] = +words[i + 1]] = words[i];
    }
    return made;
  };
  return new Proxy({}, {
    get: (_, key) => get()[key],
    has: (_, key) => key in get(),
    ownKeys: () => Object.keys(get()),
    getOwnPropertyDescriptor: (_, key) => Object.getOwnPropertyDescriptor(get(), key),
  });
};`;

/** @param code a minified bundle */
export function compactEnums(code) {
  let any = false;
  const compact = code.replace(LARGE_ENUM, (whole, name, _parameter, members) => {
    const pairs = [...members.matchAll(MEMBER)].map(([, member, value]) => `${member} ${value}`);
    if (pairs.length < FEWEST) return whole;
    any = true;
    return `${name}=$enum("${pairs.join(' ')}")`;
  });
  return any ? compact.replace('"use strict";', `"use strict";${HELPER}`) : code;
}
