// SPDX-License-Identifier: MIT
//
// The playground: a source, its kernel's arguments, and the results. Nothing leaves the browser.
import type { EditorView } from 'codemirror';
import { argumentsFor } from './default-arguments';
import { createEditor, showDiagnostics } from './editor';
import { EXAMPLES } from './examples';
import type { KernelSignature, Picture, RunAnswer, RunResult, Stage } from './messages';
import { STAGES } from './messages';
import { decodeShared, encodeShared, type Shared } from './share';
import { Thread, Unanswered } from './thread';

/** Milliseconds from the last key to the compilation. */
const TYPING_MS = 200;
/** Milliseconds after which a run is terminated. */
const RUN_LIMIT_MS = 5000;
const ANALYSIS_LIMIT_MS = 20_000;
/** Characters. Nobody would wait for the compilation of a longer source. */
const LONGEST_SOURCE = 1 << 20;

function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} '${id}'`);
  return found;
}

const ui = {
  editor: element('editor', HTMLElement),
  example: element('example', HTMLSelectElement),
  share: element('share', HTMLButtonElement),
  options: element('options', HTMLInputElement),
  kernel: element('kernel', HTMLSelectElement),
  global: element('global', HTMLInputElement),
  local: element('local', HTMLInputElement),
  args: element('args', HTMLElement),
  picture: element('picture', HTMLInputElement),
  check: element('check', HTMLInputElement),
  run: element('run', HTMLButtonElement),
  status: element('status', HTMLElement),
  tabs: element('tabs', HTMLElement),
  panel: element('panel', HTMLElement),
};

const language = new Thread('language-thread.js');
const device = new Thread('device-thread.js');

/** The state of the page that is not in its input fields. */
const state: {
  kernels: readonly KernelSignature[];
  args: { type: string; text: string }[];
  picture: Picture;
  tab: 'result' | Stage;
  last: RunAnswer | undefined;
  /** Whether the last run was of an earlier text: the present one has an error, or did not end. */
  lastIsEarlier: boolean;
  /** The number of changes so far. An answer about an older version is dropped. */
  version: number;
} = {
  kernels: [],
  args: [],
  picture: await builtInPicture(),
  tab: 'result',
  last: undefined,
  lastIsEarlier: false,
  version: 0,
};

// ---- typing, compiling, running

let typing: ReturnType<typeof setTimeout> | undefined;
function changed(): void {
  state.version++;
  ui.status.setAttribute('aria-busy', 'true');
  clearTimeout(typing);
  typing = setTimeout(() => void update(), TYPING_MS);
}

const source = (): string => editor.state.doc.toString();

/** Compiles, and runs the kernel if there is no error. */
async function update(): Promise<void> {
  const { version } = state;
  // A compilation that is still running is for an older text.
  if (language.isBusy) language.end('a newer text');
  const { length } = editor.state.doc;
  if (length > LONGEST_SOURCE) {
    const millions = (length / 1e6).toFixed(1);
    keepEarlier();
    say(`The source has ${millions} million characters; the playground compiles up to one million.`, true);
    return;
  }
  say('compiling…', false, true);
  try {
    const ask = { source: source(), options: ui.options.value };
    const { diagnostics, kernels } = await language.ask('analyze', ask, ANALYSIS_LIMIT_MS);
    if (version !== state.version) return;
    showDiagnostics(editor, diagnostics);
    showKernels(kernels);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) {
      keepEarlier();
      const [first] = errors;
      const line = first?.position ? `line ${first.position.line}: ` : '';
      say(`${errors.length === 1 ? '1 error' : `${errors.length} errors`}: ${line}${first?.message}`, true);
    } else await run();
    if (state.tab !== 'result') await showStage(state.tab);
  } catch (error) {
    if (version !== state.version) return;
    keepEarlier();
    say(`Compiling ${reason(error)}.`, true);
  }
}

async function run(): Promise<void> {
  const { version } = state;
  const kernel = ui.kernel.value;
  if (kernel === '') {
    say('There is no kernel to run.');
    return;
  }
  const global = sizes(ui.global.value);
  const local = ui.local.value.trim() === '' ? undefined : sizes(ui.local.value);
  if (!global || (ui.local.value.trim() !== '' && !local)) {
    say('Sizes are one to three numbers, such as 320,240.', true);
    return;
  }
  if (device.isBusy) device.end('a newer run');
  say('running…', false, true);
  const request = {
    source: source(),
    options: ui.options.value,
    kernel,
    global,
    local,
    args: state.args.map(({ text }) => text),
    picture: state.picture,
    check: ui.check.checked,
  };
  try {
    const answer = await device.ask('run', request, RUN_LIMIT_MS);
    if (version !== state.version) return;
    state.last = answer;
    state.lastIsEarlier = false;
    say(
      answer.ok
        ? `built in ${answer.buildMs.toFixed(0)} ms, ran in ${answer.runMs.toFixed(1)} ms`
        : answer.message,
      !answer.ok,
    );
    if (state.tab === 'result') showResult();
  } catch (error) {
    if (version !== state.version) return;
    keepEarlier();
    const hint = error instanceof Unanswered ? ' The kernel may never end, or have too much to do.' : '';
    say(`The run was ${reason(error)}.${hint}`, true);
  }
}

/** The answer, or `otherwise` if a newer text ended the thread before it answered. */
async function answerOr<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Unanswered) return otherwise;
    throw error;
  }
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function sizes(text: string): number[] | undefined {
  const list = text.split(',').map((each) => Number(each.trim()));
  return list.length <= 3 && list.every((each) => Number.isInteger(each) && each > 0) ? list : undefined;
}

/** @param busy whether more follows, which the page's tests wait for */
function say(text: string, isError = false, busy = false): void {
  ui.status.setAttribute('aria-busy', String(busy));
  ui.status.textContent = text;
  ui.status.classList.toggle('error', isError);
}

// ---- the kernel and its arguments

function showKernels(kernels: readonly KernelSignature[]): void {
  // While a text has an error, its kernels may be unknown.
  if (kernels.length === 0) return;
  const chosen = ui.kernel.value;
  state.kernels = kernels;
  ui.kernel.replaceChildren(...kernels.map(({ name }) => new Option(name, name)));
  ui.kernel.value = kernels.some(({ name }) => name === chosen) ? chosen : kernels[0]!.name;
  showArguments();
}

function showArguments(): void {
  const kernel = state.kernels.find(({ name }) => name === ui.kernel.value);
  if (!kernel) return;
  const workItems = (sizes(ui.global.value) ?? [1]).reduce((a, b) => a * b, 1);
  const args = argumentsFor(kernel, workItems, state.args);
  const same =
    ui.args.childElementCount === args.length && args.every(({ type }, i) => type === state.args[i]?.type);
  state.args = args;
  if (same) return;
  ui.args.replaceChildren(
    ...args.map(({ type, text }, i) => {
      const label = document.createElement('label');
      const input = document.createElement('input');
      input.value = text;
      input.spellcheck = false;
      input.addEventListener('input', () => {
        state.args[i] = { type, text: input.value };
        changed();
      });
      const name = document.createElement('span');
      name.textContent = `${type} ${kernel.parameters[i]!.name}`.replace(/\* (?=\w+$)/, '*');
      label.append(name, input);
      return label;
    }),
  );
}

// ---- results

/** The results on the page stay, and are said not to be results of the present text. */
function keepEarlier(): void {
  state.lastIsEarlier = true;
  if (state.tab === 'result') showResult();
}

function showResult(): void {
  const { last, lastIsEarlier } = state;
  ui.panel.replaceChildren();
  if (!last) return;
  if (lastIsEarlier) ui.panel.append(block('p', 'From the last text that ran:', 'earlier'));
  if (!last.ok) {
    ui.panel.append(block('pre', last.message));
    return;
  }
  for (const { text } of last.faults)
    ui.panel.append(block('pre', text.replaceAll('<source>:', 'line '), 'fault'));
  if (ui.check.checked && last.faults.length === 0) ui.panel.append(block('p', 'No faults were found.'));
  if (last.printed.length > 0) ui.panel.append(block('h2', 'printf'), block('pre', last.printed.join('\n')));
  for (const result of last.results) ui.panel.append(resultSection(result));
}

function resultSection({ argument, text, picture }: RunResult): HTMLElement {
  const section = document.createElement('section');
  section.append(block('h2', argument));
  if (picture) {
    const canvas = document.createElement('canvas');
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `${argument} as a picture`);
    const pixels = new ImageData(new Uint8ClampedArray(picture.rgba), picture.width, picture.height);
    canvas.getContext('2d')?.putImageData(pixels, 0, 0);
    section.append(canvas);
    const numbers = document.createElement('details');
    numbers.append(block('summary', 'numbers'), block('pre', text));
    section.append(numbers);
  } else section.append(block('pre', text));
  return section;
}

function block(tag: string, text: string, name?: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  if (name) made.className = name;
  // A pane that scrolls is reached by the keyboard.
  if (tag === 'pre') made.tabIndex = 0;
  return made;
}

async function showStage(stage: Stage): Promise<void> {
  const { version } = state;
  try {
    const text = await language.ask(
      'show',
      { source: source(), options: ui.options.value, stage },
      ANALYSIS_LIMIT_MS,
    );
    if (version === state.version && state.tab === stage) ui.panel.replaceChildren(block('pre', text));
  } catch (error) {
    if (version === state.version && state.tab === stage)
      ui.panel.replaceChildren(block('pre', reason(error)));
  }
}

const TAB_TITLES: Readonly<Record<'result' | Stage, string>> = {
  result: 'Result',
  spvasm: 'SPIR-V',
  ir: 'Kernel IR',
  'ir-vectorized': 'Vectorized IR',
  plan: 'Vector plan',
  wat: 'WebAssembly',
};

function showTab(tab: 'result' | Stage, focus = false): void {
  state.tab = tab;
  for (const button of ui.tabs.querySelectorAll('button')) {
    const isChosen = button.dataset['tab'] === tab;
    button.setAttribute('aria-selected', String(isChosen));
    button.tabIndex = isChosen ? 0 : -1;
    if (isChosen) {
      ui.panel.setAttribute('aria-labelledby', button.id);
      if (focus) button.focus();
    }
  }
  if (tab === 'result') showResult();
  else void showStage(tab);
}

function createTabs(): void {
  const names = ['result', ...STAGES] as const;
  for (const [i, name] of names.entries()) {
    const button = document.createElement('button');
    button.textContent = TAB_TITLES[name];
    button.id = `tab-${name}`;
    button.dataset['tab'] = name;
    button.setAttribute('role', 'tab');
    button.setAttribute('aria-controls', 'panel');
    button.addEventListener('click', () => showTab(name));
    button.addEventListener('keydown', ({ key }) => {
      const next = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 }[key];
      if (next !== undefined) showTab(names.at(next % names.length)!, true);
    });
    ui.tabs.append(button);
  }
}

// ---- pictures, examples, addresses

async function decodePicture(blob: Blob): Promise<Picture> {
  const bitmap = await createImageBitmap(blob);
  // Larger pictures would take more memory without looking better.
  const scale = Math.min(1, 1024 / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.drawImage(bitmap, 0, 0, width, height);
  return { width, height, rgba: new Uint8Array(context.getImageData(0, 0, width, height).data.buffer) };
}

async function builtInPicture(): Promise<Picture> {
  const response = await fetch(new URL('photo.webp', document.baseURI));
  return decodePicture(await response.blob());
}

async function openPicture(): Promise<void> {
  const [file] = ui.picture.files ?? [];
  if (!file) return;
  try {
    state.picture = await decodePicture(file);
  } catch {
    say(`'${file.name}' is not a picture that this browser can read.`, true);
    return;
  }
  say(`'${file.name}' is photo.png now: ${state.picture.width} × ${state.picture.height}`);
  changed();
}

function load(shared: Shared): void {
  ui.options.value = shared.options;
  ui.global.value = shared.global;
  ui.local.value = shared.local;
  ui.kernel.replaceChildren(new Option(shared.kernel, shared.kernel));
  // The first compilation determines the types of the arguments.
  state.args = shared.args.map((text) => ({ type: '', text }));
  ui.args.replaceChildren();
  state.last = undefined;
  state.lastIsEarlier = false;
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: shared.source } });
  changed();
}

function loadExample(index: number): void {
  load(EXAMPLES[index]!);
  ui.example.value = String(index);
}

async function share(): Promise<void> {
  const { args } = state;
  const shared = {
    source: source(),
    options: ui.options.value,
    kernel: ui.kernel.value,
    global: ui.global.value,
    local: ui.local.value,
    args: args.map(({ text }) => text),
  };
  location.hash = await encodeShared(shared);
  try {
    await navigator.clipboard.writeText(location.href);
    say('The address was copied. It contains the whole program.');
  } catch {
    say('The page’s address contains the whole program.');
  }
}

const editor: EditorView = createEditor(ui.editor, '', {
  changed: () => {
    // Not an example any more, so that choosing the same example brings it back.
    ui.example.value = '';
    changed();
  },
  run: () => void update(),
  hover: (offset) => answerOr(language.ask('hover', { offset }), undefined),
  complete: (text, offset) =>
    answerOr(language.ask('complete', { source: text, options: ui.options.value, offset }), []),
});
createTabs();
ui.example.append(...EXAMPLES.map(({ title }, i) => new Option(title, String(i))));
ui.example.addEventListener('change', () => loadExample(Number(ui.example.value)));
ui.share.addEventListener('click', () => void share());
ui.run.addEventListener('click', () => void update());
ui.picture.addEventListener('change', () => void openPicture());
ui.kernel.addEventListener('change', () => {
  showArguments();
  changed();
});
for (const input of [ui.options, ui.global, ui.local, ui.check]) input.addEventListener('input', changed);
const shared = location.hash.length > 1 ? await decodeShared(location.hash.slice(1)) : undefined;
if (shared) load(shared);
else loadExample(0);
showTab('result');
if (location.hash.length > 1 && !shared) {
  clearTimeout(typing);
  await update();
  say('The address contains no program that can be read.', true);
}
