// SPDX-License-Identifier: MIT
// api-extractor, as the types of the package and the reference both use it.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const SILENT = { default: { logLevel: 'none' } };

/**
 * Reads a file of declarations. Throws if it has errors.
 * @param output what to write: `docModel` or `dtsRollup` of api-extractor's configuration
 */
export function extractDeclarations(root, declarations, output) {
  const { Extractor, ExtractorConfig } = createRequire(import.meta.url)('@microsoft/api-extractor');
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: join(root, 'package.json'),
    configObjectFullPath: join(root, 'api-extractor.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: declarations,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2022',
            module: 'esnext',
            moduleResolution: 'bundler',
            lib: ['es2023', 'esnext', 'dom'],
            types: [],
            skipLibCheck: true,
          },
          files: [declarations],
        },
      },
      apiReport: { enabled: false },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      dtsRollup: { enabled: false },
      ...output,
      messages: {
        compilerMessageReporting: SILENT,
        extractorMessageReporting: SILENT,
        tsdocMessageReporting: SILENT,
      },
    },
  });
  const { succeeded, errorCount } = Extractor.invoke(config, { localBuild: true, messageCallback: quiet });
  if (!succeeded || errorCount > 0) throw new Error(`api-extractor failed for ${declarations}`);
}

function quiet(message) {
  if (message.logLevel !== 'error') message.handled = true;
}
