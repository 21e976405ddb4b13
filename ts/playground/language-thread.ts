// SPDX-License-Identifier: MIT
//
// Answers while the user types: the compiler and the JIT, without a device.
import { defaultToolchain } from '../backend/software/build/default-toolchain';
import { stageOf, watOf } from '../cli/compile/jit-text';
import { compile } from '../compiler/compile';
import type { FunctionDecl } from '../compiler/frontend/ast/checked';
import { BrowserHost } from '../host/browser/browser-host';
import { library } from '../host/browser/embedded';
import { completions } from '../language-service/completion';
import { describe } from '../language-service/describe';
import { type OpenDocument, openDocument } from '../language-service/document';
import { hover } from '../language-service/hover';
import { disassemble } from '../spirv/text';
import { answerWith } from './answering';
import type { KernelSignature } from './messages';

const NAME = 'kernel.cl';
const host = new BrowserHost(library);
const toolchain = defaultToolchain(host);
/** The document of the last question. */
let current: OpenDocument | undefined;

function opened(source: string, options: string): OpenDocument {
  if (current?.input.text !== source || current.input.options !== options)
    current = openDocument({ name: NAME, text: source, options });
  return current;
}

function signature(decl: FunctionDecl): KernelSignature {
  return {
    name: decl.name,
    parameters: decl.parameters.map((each) => ({
      name: each.name,
      type: describe('', { kind: 'variable', identity: each }).trim(),
    })),
  };
}

answerWith({
  analyze: ({ source, options }) => {
    const { diagnostics, names } = opened(source, options);
    const kernels = names.entities.flatMap(({ what }) =>
      what.kind === 'function' && what.identity.isKernel && what.identity.body
        ? [signature(what.identity)]
        : [],
    );
    return { diagnostics, kernels };
  },
  hover: ({ offset }) => current && hover(current, offset),
  complete: ({ source, options, offset }) => completions(opened(source, options), offset),
  show: ({ source, options, stage }) => {
    const { module, log } = compile({ name: NAME, text: source, options });
    if (!module) throw new Error(log);
    const tools = { host, toolchain };
    if (stage === 'spvasm') return disassemble(module, { friendlyNames: true });
    return stage === 'wat' ? watOf(module, tools) : stageOf(module, stage, tools);
  },
});

// biome-ignore lint/complexity/noUselessEmptyExport: esbuild takes a file without exports for CommonJS, and wraps all that it imports.
export {};
