// SPDX-License-Identifier: MIT
//
// The user's program in the page's address after `#`: compressed JSON in base64url. No server sees it.

export interface Shared {
  readonly source: string;
  readonly options: string;
  readonly kernel: string;
  readonly global: string;
  readonly local: string;
  readonly args: readonly string[];
}

export async function encodeShared(shared: Shared): Promise<string> {
  const stream = new Blob([JSON.stringify(shared)])
    .stream()
    .pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** At most this many characters are decompressed from an address: a short one could expand to gigabytes. */
const LIMIT = 1 << 20;

/** Undefined if the text is not a shared program. */
export async function decodeShared(text: string): Promise<Shared | undefined> {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const decoder = new TextDecoder();
    let json = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      json += decoder.decode(part.value, { stream: true });
      if (json.length > LIMIT) {
        await reader.cancel();
        return undefined;
      }
    }
    return asShared(JSON.parse(json));
  } catch {
    return undefined;
  }
}

function asShared(value: unknown): Shared | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { source, options, kernel, global, local, args } = value as Record<string, unknown>;
  const texts = [source, options, kernel, global, local];
  if (!texts.every((each) => typeof each === 'string')) return undefined;
  if (!Array.isArray(args) || !args.every((each) => typeof each === 'string')) return undefined;
  return value as Shared;
}
