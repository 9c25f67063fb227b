import { BrowserWindow } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { channels } from '../core/app/shell.ts';
import { createRegistry, setupIpc } from './ipc.ts';
import * as fake from './testing/fake-electron.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const ORIGIN = 'http://127.0.0.1:40123';

interface Case {
  readonly action: keyof typeof actions;
  readonly good: unknown[][];
  readonly bad: unknown[][];
}

/** Accepted and rejected argument lists for each channel that the page may use. */
const cases: Record<string, Case> = {
  [channels.ready]: {
    action: 'onReady',
    good: [[{ sandboxed: true, isolated: true }]],
    bad: [[], [undefined], [1], [{ sandboxed: true }], [{ sandboxed: 1, isolated: true }]],
  },
  [channels.unlock]: { action: 'onUnlock', good: [[]], bad: [[undefined], [true]] },
  [channels.connection]: {
    action: 'onConnection',
    good: [['Local'], ['Ward 3 & 4'], ['é'.repeat(60)]],
    bad: [[], [''], ['  '], [1], [null], [['Local']], ['a\nb'], ['a\u202eb'], ['x'.repeat(61)], ['a', 'b']],
  },
  [channels.unsavedTabs]: {
    action: 'onUnsavedTabs',
    good: [[0], [1], [25]],
    bad: [
      [],
      [-1],
      [1.5],
      [Number.NaN],
      [Infinity],
      ['1'],
      [null],
      [[1]],
      [{ valueOf: 1 }],
      [1, 2],
      [2 ** 53],
    ],
  },
};

const actions = {
  onReady: vi.fn<() => void>(),
  onUnlock: vi.fn<() => void>(),
  onUnsavedTabs: vi.fn<(count: number) => void>(),
  onConnection: vi.fn<(name: string) => void>(),
};
const log = vi.fn<(line: string) => void>();
let origin: string | undefined;

function openWindow(): fake.FakeWebContents {
  setupIpc(new BrowserWindow(), { origin: () => origin, log, ...actions });
  const { webContents } = fake.getLatest(fake.windows);
  webContents.mainFrame = { origin: ORIGIN };
  return webContents;
}

function send(
  contents: fake.FakeWebContents,
  frame: fake.FakeFrame | null,
  channel: string,
  args: unknown[],
): void {
  contents.emit('ipc-message', { senderFrame: frame }, channel, ...args);
}

beforeEach(() => {
  origin = ORIGIN;
  for (const action of Object.values(actions)) action.mockClear();
  log.mockClear();
});

function expectRejection(reason: string): void {
  for (const action of Object.values(actions)) expect(action).not.toHaveBeenCalled();
  expect(log.mock.calls).toEqual([[`ipc refused: ${reason}`]]);
}

it('has a case for each channel of the registry', () => {
  expect([...createRegistry(actions).keys()].sort()).toEqual(Object.keys(cases).sort());
});

describe.each(Object.entries(cases))('%s', (channel, { action, good, bad }) => {
  it.each(good.map((args) => [args]))('handles %j from the main frame', (args) => {
    const contents = openWindow();
    send(contents, contents.mainFrame, channel, args);
    expect(actions[action].mock.calls).toEqual([args]);
    const otherActions = Object.values(actions).filter((candidate) => candidate !== actions[action]);
    for (const action of otherActions) expect(action).not.toHaveBeenCalled();
    expect(log).not.toHaveBeenCalled();
  });

  it.each(bad.map((args) => [args]))('rejects %j', (args) => {
    const contents = openWindow();
    send(contents, contents.mainFrame, channel, args);
    expectRejection('bad argument');
  });

  it('rejects a message of another frame, even from its own origin', () => {
    send(openWindow(), { origin: ORIGIN }, channel, good[0] ?? []);
    expectRejection('foreign frame');
  });

  it('rejects a message of a removed frame', () => {
    send(openWindow(), null, channel, good[0] ?? []);
    expectRejection('foreign frame');
  });

  it.each(['http://127.0.0.1:40124', 'https://evil.example', 'null', ''])(
    'rejects a message of the main frame at %o',
    (frameOrigin) => {
      const contents = openWindow();
      contents.mainFrame = { origin: frameOrigin };
      send(contents, contents.mainFrame, channel, good[0] ?? []);
      expectRejection('foreign origin');
    },
  );

  it('rejects messages while the server has no origin', () => {
    origin = undefined;
    const contents = openWindow();
    send(contents, contents.mainFrame, channel, good[0] ?? []);
    expectRejection('foreign origin');
  });
});

it.each([
  channels.command,
  channels.open,
  channels.lock,
  'chartkeeper:secrets',
  '__proto__',
  'constructor',
  '',
])('rejects the channel %o', (channel) => {
  const contents = openWindow();
  send(contents, contents.mainFrame, channel, [1]);
  expectRejection('unknown channel');
});
