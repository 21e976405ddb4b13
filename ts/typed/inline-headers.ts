// SPDX-License-Identifier: MIT
//
// A source with the text of each included file in its place, since a driver does not find these files where the program runs.
// `#line` keeps the places of the driver's messages. What the compiler did not read stays as it is.
import { dirname, isAbsolute, join } from 'node:path';

const INCLUDE = /^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">].*$/gm;
const ONCE = /^[ \t]*#[ \t]*pragma[ \t]+once\b.*$/m;
/** `#ifndef NAME` and `#define NAME` as the first directives of a file. */
const MACRO_GUARD = /^[^#]*#[ \t]*ifndef[ \t]+(\w+)\s+#[ \t]*define[ \t]+\1\b/;
const BRANCH = /^[ \t]*#[ \t]*(if|endif)/gm;
/** Headers that include themselves without a guard are not followed further. */
const DEEPEST = 100;

/** @param included the text of each file that the compiler read, by its path */
export function inlineHeaders(text: string, file: string, included: ReadonlyMap<string, string>): string {
  return included.size === 0 ? text : new HeaderInliner(included).inline(text, file, [file], false);
}

class HeaderInliner {
  /** Headers with a guard that are certain to have been read before: a second copy would be empty. */
  private readonly done = new Set<string>();

  constructor(private readonly included: ReadonlyMap<string, string>) {}

  /**
   * @param open the files whose text contains this one, from the source on
   * @param inBranch whether one of them includes the next between `#if` and `#endif`
   */
  inline(text: string, file: string, open: readonly string[], inBranch: boolean): string {
    if (open.length > DEEPEST) return text;
    return text.replace(INCLUDE, (directive, name: string, offset: number) => {
      const path = this.find(name, dirname(file));
      if (path === undefined) return directive;
      const before = text.slice(0, offset);
      const header = this.header(path, [...open, path], inBranch || isInBranch(text, before));
      const line = before.split('\n').length;
      return header === '' ? '' : `${header}\n#line ${line + 1} ${JSON.stringify(file)}`;
    });
  }

  private header(path: string, open: readonly string[], inBranch: boolean): string {
    const text = this.included.get(path)!;
    const isOnce = ONCE.test(text);
    if (isOnce || MACRO_GUARD.test(text)) {
      if (this.done.has(path) || open.indexOf(path) < open.length - 1) return '';
      if (!inBranch) this.done.add(path);
    }
    const inside = this.inline(text.replace(ONCE, ''), path, open, inBranch);
    const placed = `#line 1 ${JSON.stringify(path)}\n${inside}`;
    if (!isOnce) return placed;
    const macro = `ANYCL_ONCE_${[...this.included.keys()].indexOf(path)}`;
    return `#ifndef ${macro}\n#define ${macro}\n${placed}\n#endif`;
  }

  /** A file in the folder of the file that includes it; otherwise, the file that the compiler found. */
  private find(name: string, folder: string): string | undefined {
    const beside = isAbsolute(name) ? name : join(folder, name);
    const paths = [...this.included.keys()];
    const ending = join(name).replaceAll('\\', '/');
    return (
      paths.find((path) => join(path) === beside) ??
      paths.find((path) => join(path).replaceAll('\\', '/').endsWith(`/${ending}`))
    );
  }
}

/** Whether the end of `before` is between `#if` and `#endif`, other than those of the file's guard. */
function isInBranch(text: string, before: string): boolean {
  let depth = MACRO_GUARD.test(text) ? -1 : 0;
  for (const [, directive] of before.matchAll(BRANCH)) depth += directive === 'if' ? 1 : -1;
  return depth !== 0;
}
