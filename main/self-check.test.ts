import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeProgram } from './testing/fake-program.ts';
import { channels } from '../core/app/shell.ts';
import { launch, launchReady, flushPromises } from './testing/launch.ts';
import { temporaryFolder } from './testing/temp-folder.ts';

const originalProcess = { argv: process.argv, program: process.execPath };
const intactReport = { type: 'checked', sound: true, found: 'A record came back.' };
const page = { sandboxed: true, isolated: true };
let output = '';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  process.argv = ['chartkeeper', '--self-check'];
  useProgram('010011001');
});
afterEach(() => {
  process.argv = originalProcess.argv;
  process.execPath = originalProcess.program;
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Makes the check read the fuses of a program with this wire. */
function useProgram(wire: string): void {
  process.execPath = join(temporaryFolder(), 'chartkeeper');
  writeFileSync(process.execPath, createFakeProgram(wire));
}

/** Launches the shell, loads the page, and answers the check of the store. Returns the exit code. */
async function check(facts: object = page, report: object = intactReport) {
  const launched = await launchReady();
  const { fake, getLatestChild, window } = launched;
  const { webContents } = window;
  getLatestChild().postMessage.mockImplementation(({ type }) => {
    if (type === 'check') getLatestChild().emit('message', report);
    if (type === 'stop') getLatestChild().emit('exit', 0);
  });
  webContents.emit('ipc-message', { senderFrame: webContents.mainFrame }, channels.ready, facts);
  await vi.waitFor(() => expect(fake.app.exit).toHaveBeenCalled(), { timeout: 60_000 });
  return { ...launched, code: fake.app.exit.mock.calls[0]?.[0] };
}

/** Returns the result of each part, in the order of the output. */
function parseOutput(): Record<string, boolean> {
  const rows = output.split('\n').map((line) => /^(ok|failed) +(\w+) +\S/.exec(line));
  return Object.fromEntries(rows.flatMap((row) => (row ? [[row[2], row[1] === 'ok']] : [])));
}

const passingChecks = { versions: true, window: true, sandbox: true, fuses: true, store: true };

test('reports each part, exits with 0 if all are right, and removes its folder', async () => {
  const { fake, folder, code } = await check();
  expect(parseOutput()).toEqual(passingChecks);
  expect(code).toBe(0);
  expect(output).toMatch(/Chartkeeper 1\.2\.3, Electron .+, Node \d+\./);
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
  ['store', () => check(page, { ...intactReport, sound: false })],
])('reports a failed part and exits with 1: %s', async (name, run) => {
  const { code } = await run();
  expect(parseOutput()).toEqual({ ...passingChecks, [name]: false });
  expect(code).toBe(1);
});

test.each(['the server does not start', 'the page does not come'])(
  'reports the failure and exits with 1: %s',
  async (reason) => {
    const { fake } = await launch();
    const child = fake.getLatest(fake.children);
    child.postMessage.mockImplementation(({ type }) => {
      if (type === 'stop') child.emit('exit', 0);
    });
    if (reason.startsWith('the server')) child.emit('message', { type: 'failed', message: 'No.' });
    else {
      child.emit('message', { type: 'ready', origin: 'http://127.0.0.1:40123' });
      vi.advanceTimersByTime(120_000);
    }
    await flushPromises();
    await vi.waitFor(() => expect(fake.app.exit).toHaveBeenCalledWith(1), { timeout: 60_000 });
    expect(parseOutput()).toEqual({ versions: true, window: false });
  },
);
