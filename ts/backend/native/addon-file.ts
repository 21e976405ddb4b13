// SPDX-License-Identifier: MIT
//
// Where the addon can be: built in a checkout, or prebuilt in the package (prebuildify's folders). What bundlers make of the
// package has left its folder; the addon is beside the program then, or in the package that is installed there.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folder, load } from '../../host/node/place';

/** musl's loader does not open what was built for glibc, nor the other way round: the first that opens is the one. */
const PREBUILT = ['anycl.glibc.node', 'anycl.musl.node', 'anycl.node'];

/** Files that exist, the most wanted first. `ANYCL_PREBUILD` names a folder to look in instead of all others. */
export function addonFiles(): readonly string[] {
  const named = process.env.ANYCL_PREBUILD;
  return [...new Set(named ? [named] : packageFolders())].flatMap(filesIn);
}

function filesIn(root: string): string[] {
  const built = process.env.PREBUILDS_ONLY ? [] : [join(root, 'build', 'Release', 'anycl.node')];
  const prebuilt = join(root, 'prebuilds', `${process.platform}-${process.arch}`);
  return [...built, ...PREBUILT.map((name) => join(prebuilt, name))].filter((file) => existsSync(file));
}

function packageFolders(): string[] {
  const program = [folder, dirname(process.argv[1] ?? ''), dirname(process.execPath)];
  return [packageFolder(), ...program, ...program.flatMap(installed)].filter(
    (path): path is string => path !== undefined,
  );
}

/** Above `dist/` where the package is as it was built, above `ts/backend/native/` in tests; undefined in a bundle. */
function packageFolder(): string | undefined {
  for (let path = folder; dirname(path) !== path; path = dirname(path))
    if (existsSync(join(path, 'CMakeLists.txt')) && existsSync(join(path, 'native'))) return path;
  return undefined;
}

function installed(from: string): string[] {
  try {
    return [dirname(load.resolve('anycl/package.json', { paths: [from] }))];
  } catch {
    return [];
  }
}
