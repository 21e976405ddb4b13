// SPDX-License-Identifier: MIT
// esbuild writes an enum that is looked up by value, too, as one assignment per member. V8 takes 8 ms at each start for
// the 800 of SPIR-V's opcodes, and a tenth of that for a loop over one string.

const FEWEST = 40;
const LARGE_ENUM = /(\w+)=\((\w+)=>\(((?:\2\[\2\.\w+=[-\w]+\]="\w+",)+)\2\)\)\(\1\|\|\{\}\)/g;
const MEMBER = /\.(\w+)=([-\w]+)\]/g;
const HELPER =
  'var $enum=t=>{let e={},w=t.split(" ");for(let i=0;i<w.length;i+=2)e[e[w[i]]=+w[i+1]]=w[i];return e};';

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
