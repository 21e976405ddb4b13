// SPDX-License-Identifier: MIT
//
// The playground in Chromium, as `anycl playground` serves it, and as files of a server that sends no headers of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { describeNeeding } from '../../tests/helpers/needs';

const root = join(__dirname, '../..');
const FILES = join(root, 'dist/playground');
const CHROMIUM = '/usr/bin/chromium';
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

let server: ChildProcess;
let plain: Server;
let browser: Browser;
let page: Page;
let address: string;
let plainAddress: string;
const failures: string[] = [];

describeNeeding('chromium', existsSync(CHROMIUM))('the playground', () => {
  beforeAll(async () => {
    server = spawn(process.execPath, [join(root, 'dist/cli.cjs'), 'playground'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    address = await new Promise((resolve) => {
      server.stdout!.on('data', (text: Buffer) => {
        const found = /http:\S+/.exec(String(text));
        if (found) resolve(found[0]);
      });
    });
    plain = createServer(({ url = '/' }, response) => {
      const name = url === '/' ? 'index.html' : url.slice(1);
      const types: Record<string, string> = {
        '.html': 'text/html',
        '.js': 'text/javascript',
        '.mjs': 'text/javascript',
        '.css': 'text/css',
      };
      response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream');
      response.end(readFileSync(join(FILES, name)));
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    plainAddress = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    page = await opened(address);
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    server.kill();
    plain.close();
  });

  afterEach(async () => {
    await page.click('#tab-result');
    expect(failures).toEqual([]);
  });

  async function opened(url: string, expected = /ran in/): Promise<Page> {
    const made = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    made.on('pageerror', ({ message }) => failures.push(message));
    await made.goto(url);
    await status(expected, made);
    return made;
  }

  /** Waits until the status line has said it, and nothing more is to come. */
  const status = (expected: RegExp, where: Page = page): Promise<unknown> =>
    where.waitForFunction(
      (source) => {
        const line = document.getElementById('status');
        return line?.getAttribute('aria-busy') === 'false' && new RegExp(source).test(line.textContent ?? '');
      },
      expected.source,
      { timeout: 50_000 },
    );

  async function write(source: string): Promise<void> {
    await page.locator('#editor .cm-content').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(source);
  }

  const panel = (): Promise<string | null> => page.locator('#panel').textContent();

  test('a kernel that is typed in runs, with arguments made for it', async () => {
    await page.fill('#global', '8');
    await write(
      'kernel void twice(global const int *in, global int *out) { int i = get_global_id(0); out[i] = 2 * in[i]; }',
    );
    await page.waitForSelector('text=out: 8 × int');
    expect(await panel()).toContain('0 2 4 6 8 10 12 14');
    // The page is isolated, as anycl playground sends the headers for that.
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  }, 120_000);

  test('an error is underlined and named, and goes away', async () => {
    await write('kernel void k(global int *p) { p[0] = missing; }');
    await status(/1 error: line 1: use of undeclared identifier 'missing'/);
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe('missing');
    expect(await panel()).toMatch(/^From the last text that ran:/);
    await write('kernel void k(global int *p) { p[0] = 1; }');
    await status(/ran in/);
    expect(await page.locator('.cm-lintRange-error').count()).toBe(0);
    expect(await panel()).not.toContain('From the last text');
  }, 120_000);

  test('each stage is shown, and each example runs', async () => {
    for (const [tab, expected] of [
      ['spvasm', 'OpEntryPoint'],
      ['ir', 'func '],
      ['ir-vectorized', 'func '],
      ['plan', 'tile:'],
      ['wat', '(module'],
    ] as const) {
      await page.click(`#tab-${tab}`);
      await page.waitForFunction(
        (text) => document.getElementById('panel')?.textContent?.includes(text),
        expected,
      );
    }
    await page.click('#tab-result');
    const count = await page.locator('#example option:enabled').count();
    expect(count).toBeGreaterThan(5);
    for (let i = 1; i < count; i++) {
      await page.selectOption('#example', String(i));
      await status(/ran in/);
    }
    await page.check('#check');
    await page.waitForSelector('.fault');
    expect(await panel()).toMatch(/line 6:\d+: error: .* outside of argument 'in'/);
  }, 300_000);

  test('an example that was changed is chosen again', async () => {
    await page.selectOption('#example', '0');
    await status(/ran in/);
    await write('kernel void own(void) {}');
    await status(/ran in/);
    expect(await page.inputValue('#example')).toBe('');
    await page.selectOption('#example', '0');
    await page.waitForSelector('text=Two drops in a pond');
    expect(await page.inputValue('#example')).toBe('0');
    await status(/ran in/);
  }, 120_000);

  test('the keyboard alone: the editor is left, shows that it has the focus, and runs; tabs have Home and End', async () => {
    await page.focus('#share');
    await page.keyboard.press('Tab');
    await page.waitForSelector('.cm-focused');
    const outline = () =>
      page.evaluate(() => {
        const { outlineStyle, outlineColor } = getComputedStyle(document.querySelector('.cm-editor')!);
        return `${outlineStyle} ${outlineColor}`;
      });
    const accent = await page.evaluate(
      () => getComputedStyle(document.getElementById('run')!).backgroundColor,
    );
    expect(await outline()).toBe(`solid ${accent}`);
    const before = await page.locator('#editor .cm-line').count();
    await page.keyboard.press('Control+Enter');
    await status(/ran in/);
    expect(await page.locator('#editor .cm-line').count()).toBe(before);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('kernel');
    await page.focus('#tab-result');
    for (const [key, tab] of [
      ['End', 'tab-wat'],
      ['ArrowRight', 'tab-result'],
      ['ArrowLeft', 'tab-wat'],
      ['Home', 'tab-result'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await page.locator('[role=tab][aria-selected=true]').getAttribute('id')).toBe(tab);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe(tab);
    }
  }, 120_000);

  test('a narrow window, down to 320 pixels, has nothing beside its edge', async () => {
    for (const width of [320, 400, 800, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }
  }, 120_000);

  test('an endless kernel is stopped, and the page goes on', async () => {
    await write('kernel void k(global int *p) { while (p[0] == 0) p[1]++; }');
    await status(/stopped after 5 s/);
    await write('kernel void k(global int *p) { p[0] = 7; }');
    await status(/ran in/);
  }, 120_000);

  test('wrong arguments and sizes are explained', async () => {
    await write('kernel void k(global int *p) { p[0] = 7; }');
    await status(/ran in/);
    await page.fill('#args input', 'int[4=zero');
    await status(/expected TYPE=VALUE/);
    await page.fill('#args input', 'int[99999999999]=zero');
    await status(/no memory for the 399999999996 bytes of int\[99999999999\]/);
    await page.fill('#args input', 'int[4]=zero');
    await page.fill('#global', 'many');
    await status(/one to three numbers/);
  }, 120_000);

  test('an upload that is not a picture is refused', async () => {
    await page.setInputFiles('#picture', {
      name: 'no.png',
      mimeType: 'image/png',
      buffer: Buffer.from('no picture'),
    });
    await status(/'no.png' is not a picture/);
  }, 120_000);

  test('a program travels in the address; an address with another text is refused', async () => {
    await page.fill('#global', '4');
    await write('kernel void shared(global int *numbers) { numbers[get_global_id(0)] = 42; }');
    await page.waitForSelector('text=numbers: 4 × int');
    await page.click('#share');
    await page.waitForFunction(() => location.hash.length > 1);
    const other = await opened(page.url());
    expect(await other.locator('#panel').textContent()).toContain('42 42 42 42');
    await other.close();
    const wrong = await opened(`${address}#AAAA`, /contains no program that can be read/);
    await wrong.close();
  }, 120_000);

  test('a text of ten megabytes is refused, and the page goes on', async () => {
    await page.evaluate(() => {
      const event = new ClipboardEvent('paste', {
        clipboardData: new DataTransfer(),
        bubbles: true,
        cancelable: true,
      });
      event.clipboardData!.setData('text/plain', `/*${'x'.repeat(10 << 20)}*/\nkernel void large(void) {}\n`);
      document.querySelector('#editor .cm-content')!.dispatchEvent(event);
    });
    await status(/10\.5 million characters; the playground compiles up to one million/);
    await page.selectOption('#example', '4');
    await page.waitForSelector('text=x: 16 × float', { timeout: 50_000 });
  }, 120_000);

  test('without shared memory, from files alone, it works', async () => {
    const made = await opened(plainAddress);
    expect(await made.evaluate(() => crossOriginIsolated)).toBe(false);
    expect(await made.evaluate(() => typeof SharedArrayBuffer)).toBe('undefined');
    await made.close();
  }, 120_000);

  test('accessibility: no fault in the light scheme, and in the dark one', async () => {
    await page.evaluate(AXE);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
      );
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    }
  }, 120_000);
});
