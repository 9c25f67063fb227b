/* Tests `--browser` with a real Chromium without a display: the window, its sign-in, and its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { chromium } from 'playwright';
import { browserFlags, findFullBrowser } from '../scripts/browser.ts';
import { commandLine, makeDataDir, removeDataDir } from './server.ts';

const program = findFullBrowser();

test('opens a signed-in Chromium window without a code in the process list, and ends the server with it @sign-in @browser', async () => {
  test.skip(program === undefined || process.platform !== 'linux', 'not run: no Chromium, or no /proc');
  const data = await makeDataDir();
  const flags = ['--headless=new', '--remote-debugging-port=0', ...browserFlags].join(' ');
  const child = spawn(process.execPath, [commandLine, '--browser', '--port', '0', '--data', data], {
    stdio: 'inherit',
    env: { ...process.env, CHARTKEEPER_CHROMIUM: program, CHARTKEEPER_CHROMIUM_FLAGS: flags },
  });
  const profile = () =>
    join(data, readdirSync(data).find((name) => name.startsWith('browser-window-')) ?? '');
  await expect.poll(() => existsSync(join(profile(), 'DevToolsActivePort'))).toBe(true);
  const [port] = readFileSync(join(profile(), 'DevToolsActivePort'), 'utf8').split('\n');
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  // The browser may start with an empty page, which is not the window.
  const window = () =>
    browser
      .contexts()
      .flatMap((context) => context.pages())
      .find((page) => page.url().startsWith('http://127.0.0.1:'));
  await expect.poll(window).toBeDefined();
  const page = window();
  if (!page) throw new Error('There is no window.');
  await expect(page.getByRole('navigation').first()).toBeVisible();
  expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/(?!.*code)/);
  const arguments_ = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
    .map((name) => readFileSync(`/proc/${name}/cmdline`, 'utf8'))
    .filter((text) => text.includes(data));
  expect(arguments_.length).toBeGreaterThan(1);
  expect(arguments_.filter((text) => text.includes('code='))).toEqual([]);

  const exit = once(child, 'exit');
  // Without a display the browser stays after its last window, so the test ends it like a closed window.
  await (await browser.newBrowserCDPSession()).send('Browser.close');
  expect(await exit).toEqual([0, null]);
  expect(readdirSync(data).filter((name) => name.startsWith('browser-window-'))).toEqual([]);
  await removeDataDir(data);
});
