import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BrowserWindow } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { exportDiagnostics, gather, isReportable } from './diagnostics.ts';
import { readShellState } from './shell-state.ts';
import * as fake from './testing/fake-electron.ts';
import { temporaryFolder } from './testing/temp-folder.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const TIMESTAMP = '2026-03-01T10:00:00.000Z';
const ID = '0b9f6a52-7a3e-4a66-9f7e-1c5d0f3b8a11';

beforeEach(() => void vi.clearAllMocks());

it.each([
  ['server ready on port 40123', 'server ready on port 40123'],
  ['server exited with code -1', 'server exited with code -1'],
  ['server not started: /home/jane/records.db is damaged.', 'server not started'],
  [
    `server: request ${ID} failed: SqliteError SQLITE_FULL`,
    `server: request ${ID} failed: SqliteError SQLITE_FULL`,
  ],
  [
    'server:     at async Store.write (file:///home/jane/app/dist/server/cli.js:10:20)',
    'server:     at async Store.write cli.js:10:20',
  ],
  ['server:     at file:///home/jane/app/dist/server/cli.js:10:20', 'server:     at cli.js:10:20'],
  ['ipc refused: foreign origin', 'ipc refused: foreign origin'],
  ['page gone: oom', 'page gone: oom'],
])('reports %s as %s', (line, reported) => {
  expect(isReportable(`${TIMESTAMP} ${line}`)).toBe(`${TIMESTAMP} ${reported}`);
});

it.each([
  'server: Error: Unexpected token in {"title":"Jane"}',
  'server: GET /fhir-r4/v1/CarePlan?subject=jane 200',
  `server: request ${ID} failed: Error Jane Doe has`,
  'server: Bearer abcdefghijklmnopqrstuvwxyz',
  'server:     at Jane says (no place)',
  'server ready on port 40123 for jane',
  'something else',
  '',
])('omits %j', (line) => {
  expect(isReportable(`${TIMESTAMP} ${line}`)).toBeUndefined();
});

it('omits a line without a time', () => {
  expect(isReportable('server ready on port 1')).toBeUndefined();
});

const CANARIES = [
  'canary-title',
  'canary-patient',
  'canary-token',
  'canary-folder',
  'canary-connection',
  'canary-user',
];

function prepare() {
  const folder = join(temporaryFolder(), 'canary-folder');
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'records.db'), 'canary-title');
  writeFileSync(join(dataDir, 'canary-patient.db'), '');
  const log = join(folder, 'chartkeeper.log');
  writeFileSync(
    log,
    [
      'server ready on port 40123',
      'server not started: canary-patient',
      'server: Error: canary-title',
      'server:     at write (file:///home/canary-user/dist/server/cli.js:1:2)',
      'server: Bearer canary-token',
    ]
      .map((line) => `${TIMESTAMP} ${line}\n`)
      .join(''),
  );
  writeFileSync(`${log}.1`, `${TIMESTAMP} server exited with code 9\n`);
  const state = readShellState({ connections: ['canary-connection'], lockMinutes: 15 });
  return { folder, facts: () => gather({ log, dataDir, state, secrets: 'session' }) };
}

it('collects versions, settings, sizes and the log, but nothing of a record, a person or a secret', () => {
  const facts = prepare().facts();
  expect(facts).toMatchObject({
    versions: { chartkeeper: '1.2.3', node: process.versions.node },
    settings: { lockMinutes: 15, secrets: 'session', connections: 1 },
    data: { 'records.db': 12 },
    log: [
      `${TIMESTAMP} server exited with code 9`,
      `${TIMESTAMP} server ready on port 40123`,
      `${TIMESTAMP} server not started`,
      `${TIMESTAMP} server:     at write cli.js:1:2`,
    ],
    logLinesLeftOut: 2,
  });
  for (const canary of CANARIES) expect(JSON.stringify(facts)).not.toContain(canary);
});

it('writes the file only to the chosen path, with mode 0600', async () => {
  const { folder, facts } = prepare();
  const filePath = join(folder, 'diagnostics.json');
  const window = new BrowserWindow();
  fake.dialog.showSaveDialog.mockResolvedValueOnce({ canceled: true, filePath });
  await exportDiagnostics(window, facts);
  expect(() => statSync(filePath)).toThrow('ENOENT');

  fake.dialog.showSaveDialog.mockResolvedValueOnce({ canceled: false, filePath });
  await exportDiagnostics(window, facts);
  expect(JSON.parse(readFileSync(filePath, 'utf8'))).toMatchObject({ settings: { lockMinutes: 15 } });
  expect(statSync(filePath).mode & 0o777).toBe(0o600);
  expect(fake.dialog.showMessageBox).not.toHaveBeenCalled();

  fake.dialog.showSaveDialog.mockResolvedValueOnce({ canceled: false, filePath: join(filePath, 'below') });
  await exportDiagnostics(window, facts);
  expect(fake.dialog.showMessageBox.mock.calls[0]?.[1]).toMatchObject({
    message: 'Couldn’t save the diagnostics there.',
  });
});

it('suggests a name that contains only the date', async () => {
  await exportDiagnostics(new BrowserWindow(), prepare().facts);
  expect(fake.dialog.showSaveDialog.mock.calls[0]?.[1].defaultPath).toMatch(
    /^chartkeeper-diagnostics-\d{4}-\d\d-\d\d\.json$/,
  );
});
