// SPDX-License-Identifier: MIT
//
// Where the addon can be: built in a checkout, or prebuilt in the package (prebuildify's folders). A bundle of a program is
// outside the package's folder; the addon is then beside the program, or in the package that is installed there.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environment, processSettings } from '../../host/node/environment';
import { folder, load } from '../../host/node/place';

/** The dynamic loaders of glibc and musl refuse each other's libraries, so the first file that opens is the right one. */
const PREBUILT = ['anycl.glibc.node', 'anycl.musl.node', 'anycl.node'];

/** Existing files in order of preference. `ANYCL_PREBUILD` names the only folder to look in. */
export function addonFiles(): readonly string[] {
  const named = processSettings().addonFolder;
  return [...new Set(named ? [named] : packageFolders())].flatMap(filesIn);
}

function filesIn(root: string): string[] {
  const built = environment('PREBUILDS_ONLY') ? [] : [join(root, 'build', 'Release', 'anycl.node')];
  const prebuilt = join(root, 'prebuilds', `${process.platform}-${process.arch}`);
  return [...built, ...PREBUILT.map((name) => join(prebuilt, name))].filter((file) => existsSync(file));
}

function packageFolders(): string[] {
  const program = [folder, dirname(process.argv[1] ?? ''), dirname(process.execPath)];
  return [packageFolder(), ...program, ...program.flatMap(installed)].filter(
    (path): path is string => path !== undefined,
  );
}

/** The parent of `dist/` in the installed package, or of `ts/backend/native/` in tests; undefined in a bundle. */
function packageFolder(): string | undefined {
  for (let path = folder; dirname(path) !== path; path = dirname(path))
    if (existsSync(join(path, 'CMakeLists.txt')) && existsSync(join(path, 'native'))) return path;
  return undefined;
}

function installed(from: string): string[] {
  try {
    return [dirname(load().resolve('anycl/package.json', { paths: [from] }))];
  } catch {
    return [];
  }
}
