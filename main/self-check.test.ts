import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeProgram } from './testing/fake-program.ts';
import { channels } from '../core/app/shell.ts';
import { launch, launchReady, settle } from './testing/launch.ts';
import { temporaryFolder } from './testing/temp-folder.ts';

const own = { argv: process.argv, program: process.execPath };
const sound = { type: 'checked', sound: true, found: 'A record came back.' };
const page = { sandboxed: true, isolated: true };
let written = '';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  written = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  process.argv = ['chartkeeper', '--self-check'];
  useProgram('010011001');
});
afterEach(() => {
  process.argv = own.argv;
  process.execPath = own.program;
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Has the fuses of a program with this wire read. */
function useProgram(wire: string): void {
  process.execPath = join(temporaryFolder(), 'chartkeeper');
  writeFileSync(process.execPath, fakeProgram(wire));
}

/** Launches, lets the page stand, and the server answer the check where it is asked; the code that it ended with. */
async function check(facts: object = page, report: object = sound) {
  const launched = await launchReady();
  const { fake, child, window } = launched;
  const { webContents } = window;
  child().postMessage.mockImplementation(({ type }) => {
    if (type === 'check') child().emit('message', report);
    if (type === 'stop') child().emit('exit', 0);
  });
  webContents.emit('ipc-message', { senderFrame: webContents.mainFrame }, channels.ready, facts);
  await vi.waitFor(() => expect(fake.app.exit).toHaveBeenCalled(), { timeout: 60_000 });
  return { ...launched, code: fake.app.exit.mock.calls[0]?.[0] };
}

/** Whether each part was right, in the order that it is told. */
function told(): Record<string, boolean> {
  const rows = written.split('\n').map((line) => /^(ok|failed) +(\w+) +\S/.exec(line));
  return Object.fromEntries(rows.flatMap((row) => (row ? [[row[2], row[1] === 'ok']] : [])));
}

const all = { versions: true, window: true, sandbox: true, fuses: true, store: true };

test('all is right: each part is told, and it ends with 0, without a trace', async () => {
  const { fake, folder, code } = await check();
  expect(told()).toEqual(all);
  expect(code).toBe(0);
  expect(written).toMatch(/Chartkeeper 1\.2\.3, Electron .+, Node \d+\./);
  expect(fake.paths.userData).not.toBe(folder);
  expect(existsSync(fake.paths.userData ?? '')).toBe(false);
  expect(fake.app.setAsDefaultProtocolClient).not.toHaveBeenCalled();
});

test.each([
  ['sandbox', () => check({ ...page, sandboxed: false })],
  ['sandbox', () => check({ ...page, isolated: false })],
  ['sandbox', () => (process.argv.push('--no-sandbox'), check())],
  ['fuses', () => (useProgram('110011001'), check())],
  ['fuses', () => ((process.execPath = import.meta.filename), check())],
  ['store', () => check(page, { ...sound, sound: false })],
])('what is not right is named, and it ends with 1: %s', async (name, run) => {
  const { code } = await run();
  expect(told()).toEqual({ ...all, [name]: false });
  expect(code).toBe(1);
});

test.each(['the server does not start', 'the page does not come'])(
  '%s: it says so, and ends with 1',
  async (why) => {
    const { fake } = await launch();
    const child = fake.newest(fake.children);
    child.postMessage.mockImplementation(({ type }) => {
      if (type === 'stop') child.emit('exit', 0);
    });
    if (why.startsWith('the server')) child.emit('message', { type: 'failed', message: 'No.' });
    else {
      child.emit('message', { type: 'ready', origin: 'http://127.0.0.1:40123' });
      vi.advanceTimersByTime(120_000);
    }
    await settle();
    await vi.waitFor(() => expect(fake.app.exit).toHaveBeenCalledWith(1), { timeout: 60_000 });
    expect(told()).toEqual({ versions: true, window: false });
  },
);
