/* `--browser` with a real Chromium, without a display: the window, what signs it in, and its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { chromium } from 'playwright';
import { browserFlags, wholeBrowser } from '../scripts/browser.ts';
import { commandLine, makeDataDir, removeDataDir } from './server.ts';

const program = wholeBrowser();

test('a window of Chromium opens signed in, with no code in the list of processes, and its end is the server’s @browser', async () => {
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
  // The browser may begin with an empty page, which is not the window.
  const window = () =>
    browser
      .contexts()
      .flatMap((context) => context.pages())
      .find((one) => one.url().startsWith('http://127.0.0.1:'));
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

  const ended = once(child, 'exit');
  // Without a display the browser stays when its last window goes: it is ended as a closed window ends it.
  await (await browser.newBrowserCDPSession()).send('Browser.close');
  expect(await ended).toEqual([0, null]);
  expect(readdirSync(data).filter((name) => name.startsWith('browser-window-'))).toEqual([]);
  await removeDataDir(data);
});
