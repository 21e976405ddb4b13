// SPDX-License-Identifier: MIT
// Rewrites for-of loops over arrays to loops by index, and destructuring of arrays to reads of elements. Code that V8 has not
// optimized yet makes an object for each step of a for-of loop, and two for each `const [a, b] = pair`: half of all garbage of a first
// build. The sources keep the short forms. A form is rewritten if its operand has an array type.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/** The rewritten files of the program at `root`, by their path from there; unchanged files are absent. */
export function indexLoops(root) {
  const api = new API({ cwd: root });
  try {
    const config = join(root, 'tsconfig.json');
    const project = api.updateSnapshot({ openProject: config }).getProject(config);
    const results = new Map();
    for (const name of project.program.getSourceFileNames()) {
      const path = relative(root, name);
      if (!/^ts\/.*\.ts$/.test(path) || /\.(test|d)\.ts$/.test(path)) continue;
      const changed = rewrite(project.program.getSourceFile(name), project.checker);
      if (changed !== undefined) results.set(path, changed);
    }
    return results;
  } finally {
    api.close();
  }
}

/**
 * As a plugin of esbuild.
 * @param digest changes with every source: the result is cached for the next build
 */
export function indexLoopsPlugin(root, digest) {
  const rewritten = kept(root, digest);
  return {
    name: 'index-loops',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
        contents: rewritten.get(relative(root, path)) ?? readFileSync(path, 'utf8'),
        loader: 'ts',
      }));
    },
  };
}

function kept(root, digest) {
  const folder = join(root, 'build', 'index-loops');
  const path = join(folder, `${digest}.json`);
  if (existsSync(path)) return new Map(JSON.parse(readFileSync(path, 'utf8')));
  const rewritten = indexLoops(root);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, JSON.stringify([...rewritten]));
  return rewritten;
}

function rewrite(file, checker) {
  const { text } = file;
  const loops = [];
  const pairs = [];
  const visit = (node) => {
    if (node.kind === SyntaxKind.ForOfStatement && !node.awaitModifier) loops.push(node);
    else if (node.kind === SyntaxKind.VariableDeclaration && node.initializer && isPlainPattern(node.name))
      pairs.push(node);
    node.forEachChild(visit);
  };
  visit(file);
  const patterns = loops.map(patternOf).filter((pattern) => pattern !== undefined);
  const typed = [
    ...loops.map((loop) => loop.expression),
    ...pairs.map((pair) => pair.initializer),
    ...patterns,
  ];
  if (typed.length === 0) return undefined;
  const types = checker.getTypeAtLocation(typed);
  const arrays = new Set(typed.filter((_, i) => types[i] !== undefined && checker.isArrayLikeType(types[i])));
  /** [from, to, replacement], none within another. */
  const edits = [];
  const start = (node) => node.getStart(file);
  const source = (node) => text.slice(start(node), node.end);
  let count = 0;
  const elements = (pattern, array) =>
    pattern.elements.flatMap((element, i) =>
      element.name ? [`${source(element.name)} = ${array}[${i}]`] : [],
    );
  for (const pair of pairs) {
    if (!arrays.has(pair.initializer)) continue;
    const array = `$pair${count++}`;
    edits.push([start(pair), start(pair.initializer), `${array} = `]);
    edits.push([pair.end, pair.end, `, ${elements(pair.name, array).join(', ')}`]);
  }
  for (const loop of loops) {
    const { initializer, expression, statement } = loop;
    const pattern = patternOf(loop);
    const keyword = text.slice(start(initializer)).match(/^(const|let)\b/)?.[0];
    if (keyword === undefined || !(arrays.has(expression) || arrays.has(pattern))) continue;
    const name = arrays.has(pattern) ? `$pair${count++}` : undefined;
    const declared = name === undefined ? source(initializer) : `${keyword} ${name}`;
    const taken = name === undefined ? '' : `${keyword} ${elements(pattern, name).join(', ')}; `;
    if (arrays.has(expression)) {
      const [list, at] = [`$list${count}`, `$at${count++}`];
      edits.push([start(loop), start(expression), `for (let ${list} = `]);
      const header = `, ${at} = 0; ${at} < ${list}.length; ${at}++) { ${declared} = ${list}[${at}]; ${taken}`;
      edits.push([expression.end, start(statement), header]);
    } else {
      edits.push([start(initializer), initializer.end, declared]);
      edits.push([expression.end, start(statement), `) { ${taken}`]);
    }
    edits.push([statement.end, statement.end, ' }']);
  }
  edits.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let result = '';
  let from = 0;
  for (const [begin, end, replacement] of edits) {
    result += text.slice(from, begin) + replacement;
    from = end;
  }
  return result + text.slice(from);
}

/** Names for the first elements, perhaps with gaps: no defaults, no rest, nothing within. */
function isPlainPattern(name) {
  return (
    name.kind === SyntaxKind.ArrayBindingPattern &&
    name.elements.every(
      (element) =>
        element.kind === SyntaxKind.OmittedExpression ||
        !element.name ||
        (element.name.kind === SyntaxKind.Identifier && !element.initializer && !element.dotDotDotToken),
    ) &&
    name.elements.some((element) => element.name)
  );
}

function patternOf(loop) {
  const name = loop.initializer.declarations?.[0]?.name;
  return name && isPlainPattern(name) ? name : undefined;
}
