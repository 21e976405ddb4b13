// SPDX-License-Identifier: MIT
// esbuild writes an enum with one assignment per member if the program looks it up by value, too. V8 takes 8 ms at each start for the
// 800 members of SPIR-V's opcodes; a string costs nothing.

const FEWEST = 40;
const LARGE_ENUM =
  /var (\w+) = \/\* @__PURE__ \*\/ \(\((\w+)\) => \{\n((?:\s*\2\[\2\["\w+"\] = -?[\de]+\] = "\w+";\n)+)\s*return \2;\n\}\)\(\1 \|\| \{\}\);/g;
const MEMBER = /\["(\w+)"\] = (-?[\de]+)\]/g;
/**
 * Names are looked up in the text: most programs use at most two. An object is created only if all members are used.
 */
const HELPER = `var $enum = (text) => {
  const known = new Map();
  const find = (key) => {
    if (typeof key !== "string") return undefined;
    if (known.has(key)) return known.get(key);
    const isValue = key.charCodeAt(0) < 58;
    const at = isValue ? text.lastIndexOf(" " + key + " ") : text.indexOf(" " + key + " ");
    let found;
    if (at >= 0 && isValue) found = text.slice(text.lastIndexOf(" ", at - 1) + 1, at);
    else if (at >= 0) found = +text.slice(at + key.length + 2, text.indexOf(" ", at + key.length + 2));
    known.set(key, found);
    return found;
  };
  let made;
  const all = () => {
    if (!made) {
      made = {};
      const words = text.split(" ");
      for (let i = 1; i + 1 < words.length; i += 2) made[made[words[i]] = +words[i + 1]] = words[i];
    }
    return made;
  };
  // util.inspect looks at the target, behind the traps.
  return new Proxy({ [Symbol.for("nodejs.util.inspect.custom")]: all }, {
    get: (_, key) => find(key),
    has: (_, key) => find(key) !== undefined,
    ownKeys: () => Object.keys(all()),
    getOwnPropertyDescriptor: (_, key) => Object.getOwnPropertyDescriptor(all(), key),
  });
};`;

/** @param code a bundle of esbuild */
export function compactEnums(code) {
  let any = false;
  const compact = code.replace(LARGE_ENUM, (whole, name, _parameter, members) => {
    const pairs = [...members.matchAll(MEMBER)].map(([, member, value]) => `${member} ${Number(value)}`);
    if (pairs.length < FEWEST) return whole;
    any = true;
    return `var ${name} = $enum(" ${pairs.join(' ')} ");`;
  });
  return any ? `${HELPER}\n${compact}` : code;
}
