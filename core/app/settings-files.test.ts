import { expect, test } from 'vitest';
import { checkConnection } from './connection-check.ts';
import type { ConnectionSettings } from './connections.ts';
import { listPreviousFiles, settingsFiles, type SettingsFile } from './settings-files.ts';
import { planImport } from './settings-import.ts';
import { localName, type PortableItem } from './settings-kinds.ts';
import { safeName } from './settings-names.ts';

function connection(name: string, changes: object = {}): PortableItem & { readonly kind: 'connections' } {
  const checked = checkConnection({ name, baseUrl: 'https://fhir.example.org/r4', ...changes });
  if ('problems' in checked) throw new Error(checked.problems[0]?.text);
  return { kind: 'connections', value: checked.value };
}
const search = (name: string, connectionName = localName): PortableItem => ({
  kind: 'searches',
  value: { name, connection: connectionName, type: 'CarePlan', pairs: [['status', 'active']] },
});
const head = { path: 'chartkeeper.json', text: '{"format": "chartkeeper-settings", "version": 1}' };
const linesOf = (files: readonly SettingsFile[], existingItems: readonly PortableItem[] = []) =>
  planImport([head, ...files], existingItems).map(({ line }) => line);
const connectionFile = (settings: object, path = 'connections/a.json') => ({
  path,
  text: JSON.stringify(settings),
});
const settings: ConnectionSettings = connection('Ward').value;

test.each([
  ['Ward 3', 'Ward 3'],
  ['a/b\\c:d', 'a%2Fb%5Cc%3Ad'],
  ['100 %', '100 %25'],
  ['con', '%63on'],
  ['LPT1.old', '%4CPT1.old'],
  ['Console', 'Console'],
  ['..', '%2E%2E'],
  ['St.', 'St%2E'],
  ['x.json', 'x%2Ejson'],
  ['Zoë', 'Zoë'],
])('writes %s to the file %s', (name, file) => {
  expect(safeName(name)).toBe(file);
});

test('separates paths that file systems confuse, in any order of the settings', () => {
  const items = [search('Ärzte'), search('ärzte'), search('Ward', 'Clinic'), connection('Clinic')];
  const paths = settingsFiles(items).map(({ path }) => path);
  expect(paths).toEqual([
    'chartkeeper.json',
    'connections/Clinic.json',
    'searches/Clinic/Ward.json',
    'searches/Ärzte.json',
    'searches/ärzte (2).json',
  ]);
  expect(settingsFiles(items.toReversed())).toEqual(settingsFiles(items));
});

test('writes members in a fixed order, two spaces of indent and a final newline', () => {
  const [, file] = settingsFiles([search('Active')]);
  expect(file?.text).toBe(
    '{\n  "name": "Active",\n  "connection": "Local",\n  "type": "CarePlan",\n  "pairs": [\n    [\n      "status",\n      "active"\n    ]\n  ]\n}\n',
  );
});

test('plans the result of each file of an import', () => {
  const files = settingsFiles([
    connection('Ward', { mode: 'normal' }),
    connection('Clinic'),
    search('Active', 'Clinic'),
    search('Active', 'Nowhere'),
    search('Mine'),
  ]);
  const existingItems = [connection('Ward'), search('Mine')];
  expect(linesOf(files.slice(1), existingItems)).toEqual([
    { path: 'connections/Clinic.json', result: 'new' },
    expect.objectContaining({ path: 'connections/Ward.json', result: 'changed', text: 'Changes mode.' }),
    { path: 'searches/Clinic/Active.json', result: 'new' },
    { path: 'searches/Mine.json', result: 'same' },
    {
      path: 'searches/Nowhere/Active.json',
      result: 'refused',
      text: 'There is no connection named Nowhere.',
      messageCode: 'settings.noConnection',
      parameters: { name: 'Nowhere' },
    },
  ]);
});

test('compares only the settings that a file names', () => {
  const existingItems: PortableItem[] = [{ kind: 'settings', value: { theme: 'dark', wordWrap: true } }];
  const file = (text: string) => linesOf([{ path: 'settings.json', text }], existingItems)[0];
  expect(file('{"theme": "dark"}')).toMatchObject({ result: 'same' });
  expect(file('{"theme": "light"}')).toMatchObject({ result: 'changed', text: 'Changes theme.' });
});

test.each([
  [{ ...settings, colr: 'red' }, /^Send only name, baseUrl/],
  [{ ...settings, mode: 'wild' }, /^mode: mode must be read-only/],
  [
    { ...settings, authentication: { kind: 'bearer', token: 'x' } },
    /^authentication\.token looks like a secret/,
  ],
  [{ ...settings, clientSecret: 'canary-1' }, /^clientSecret looks like a secret/],
  [{ ...settings, caFile: '-----BEGIN PRIVATE KEY-----' }, /^caFile looks like a secret/],
  [{ ...settings, name: 'Local' }, /^name: A name must have 1 to 60 characters/],
])('rejects %j and names the member', (file, sentence) => {
  const [line] = linesOf([connectionFile(file)]);
  expect(line).toMatchObject({ result: 'refused', text: expect.stringMatching(sentence) as string });
  expect(line?.text).not.toContain('canary');
});

test('accepts endpoints and key ids', () => {
  const authentication = {
    kind: 'smart-backend',
    algorithm: 'ES384',
    keyId: 'k1',
    clientId: 'ward',
    tokenEndpoint: 'https://id.example.org/token',
  };
  expect(linesOf([connectionFile({ ...settings, authentication })])).toMatchObject([{ result: 'new' }]);
});

test('rejects invalid JSON, duplicate members and unknown files one by one', () => {
  const bad = [
    { path: 'columns.json', text: '{"shown": [' },
    { path: 'settings.json', text: '{"theme": "dark", "theme": "light"}' },
    { path: 'notes.json', text: '{}' },
  ];
  const lines = linesOf([...bad, connectionFile(settings), connectionFile(settings, 'connections/b.json')]);
  expect(lines).toMatchObject([
    { path: 'connections/a.json', result: 'new' },
    { path: 'connections/b.json', result: 'refused', text: 'connections/a.json has the same name.' },
    { path: 'columns.json', result: 'refused', text: expect.stringContaining('line 1, column') as string },
    { path: 'settings.json', result: 'refused' },
    { path: 'notes.json', result: 'refused', messageCode: 'settings.unknownFile' },
  ]);
});

test('ignores the order of widths', () => {
  const columns = (widths: object) => ({
    path: 'columns.json',
    text: JSON.stringify({ shown: ['id'], widths }),
  });
  const [plannedFile] = planImport([head, columns({ title: 2, id: 1 })], []);
  const items = plannedFile?.item ? [plannedFile.item] : [];
  expect(linesOf([columns({ id: 1, title: 2 })], items)).toMatchObject([{ result: 'same' }]);
  expect(settingsFiles(items)[1]?.text).toContain('"id": 1,\n    "title": 2');
});

test('rejects the 51st connection', () => {
  const existingItems = Array.from({ length: 50 }, (_, index) => connection(`c${index}`));
  expect(linesOf([connectionFile(settings)], existingItems)).toMatchObject([
    { result: 'refused', messageCode: 'settings.full', parameters: { n: 50 } },
  ]);
});

test.each([
  ['{"format": "chartkeeper-settings", "version": 2}', /newer Chartkeeper/],
  ['{"format": "chartkeeper-settings", "version": 1, "more": true}', /newer Chartkeeper/],
  ['{"format": "other"}', /^Unknown format/],
  ['[', /line 1/],
])('imports nothing with the header %s', (text, sentence) => {
  const plan = planImport([{ ...head, text }, connectionFile(settings)], []);
  expect(plan).toMatchObject([
    {
      line: {
        path: 'chartkeeper.json',
        result: 'refused',
        text: expect.stringMatching(sentence) as string,
      },
    },
  ]);
});

test('lists previous files of an export only', () => {
  const previousFile = connectionFile(settings, 'connections/Ward.json');
  const foreignFile = { path: 'connections/notes.json', text: '{"mine": true}' };
  const newFiles = settingsFiles([connection('Clinic')]);
  expect(listPreviousFiles([head, previousFile, foreignFile, ...newFiles.slice(1)], newFiles)).toEqual([
    previousFile.path,
  ]);
  expect(listPreviousFiles([previousFile], newFiles)).toEqual([]);
});
