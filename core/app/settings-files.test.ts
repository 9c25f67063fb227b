import { expect, test } from 'vitest';
import { checkConnection } from './connection-check.ts';
import type { ConnectionSettings } from './connections.ts';
import { formerFiles, settingsFiles, type SettingsFile } from './settings-files.ts';
import { planImport } from './settings-import.ts';
import { localName, type CarriedItem } from './settings-kinds.ts';
import { safeName } from './settings-names.ts';

function connection(name: string, more: object = {}): CarriedItem & { readonly kind: 'connections' } {
  const read = checkConnection({ name, baseUrl: 'https://fhir.example.org/r4', ...more });
  if ('problems' in read) throw new Error(read.problems[0]?.text);
  return { kind: 'connections', value: read.value };
}
const search = (name: string, of = localName): CarriedItem => ({
  kind: 'searches',
  value: { name, connection: of, type: 'CarePlan', pairs: [['status', 'active']] },
});
const head = { path: 'chartkeeper.json', text: '{"format": "chartkeeper-settings", "version": 1}' };
const linesOf = (files: readonly SettingsFile[], held: readonly CarriedItem[] = []) =>
  planImport([head, ...files], held).map(({ line }) => line);
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
])('%s is the file %s', (name, file) => {
  expect(safeName(name)).toBe(file);
});

test('paths tell apart what systems do not, whatever order things come in', () => {
  const held = [search('Ärzte'), search('ärzte'), search('Ward', 'Clinic'), connection('Clinic')];
  const paths = settingsFiles(held).map(({ path }) => path);
  expect(paths).toEqual([
    'chartkeeper.json',
    'connections/Clinic.json',
    'searches/Clinic/Ward.json',
    'searches/Ärzte.json',
    'searches/ärzte (2).json',
  ]);
  expect(settingsFiles(held.toReversed())).toEqual(settingsFiles(held));
});

test('a file has its members in one order, two spaces and a newline at its end', () => {
  const [, file] = settingsFiles([search('Active')]);
  expect(file?.text).toBe(
    '{\n  "name": "Active",\n  "connection": "Local",\n  "type": "CarePlan",\n  "pairs": [\n    [\n      "status",\n      "active"\n    ]\n  ]\n}\n',
  );
});

test('an import says of each file what it would do', () => {
  const files = settingsFiles([
    connection('Ward', { mode: 'normal' }),
    connection('Clinic'),
    search('Active', 'Clinic'),
    search('Active', 'Nowhere'),
    search('Mine'),
  ]);
  const held = [connection('Ward'), search('Mine')];
  expect(linesOf(files.slice(1), held)).toEqual([
    { path: 'connections/Clinic.json', result: 'new' },
    { path: 'connections/Ward.json', result: 'changed', text: 'Changes mode.' },
    { path: 'searches/Clinic/Active.json', result: 'new' },
    { path: 'searches/Mine.json', result: 'same' },
    { path: 'searches/Nowhere/Active.json', result: 'refused', text: 'No connection is named Nowhere.' },
  ]);
});

test('settings that a file does not name stay; those that it names are compared', () => {
  const held: CarriedItem[] = [{ kind: 'settings', value: { theme: 'dark', wordWrap: true } }];
  const file = (text: string) => linesOf([{ path: 'settings.json', text }], held)[0];
  expect(file('{"theme": "dark"}')).toMatchObject({ result: 'same' });
  expect(file('{"theme": "light"}')).toMatchObject({ result: 'changed', text: 'Changes theme.' });
});

test.each([
  [{ ...settings, colr: 'red' }, /^Send nothing beside name, baseUrl/],
  [{ ...settings, mode: 'wild' }, /^mode: mode is one of/],
  [
    { ...settings, authentication: { kind: 'bearer', token: 'x' } },
    /^authentication\.token looks like a secret/,
  ],
  [{ ...settings, clientSecret: 'canary-1' }, /^clientSecret looks like a secret/],
  [{ ...settings, caFile: '-----BEGIN PRIVATE KEY-----' }, /^caFile looks like a secret/],
  [{ ...settings, name: 'Local' }, /^name: A name is/],
])('%j is refused, with its place', (file, sentence) => {
  const [line] = linesOf([connectionFile(file)]);
  expect(line).toMatchObject({ result: 'refused', text: expect.stringMatching(sentence) as string });
  expect(line?.text).not.toContain('canary');
});

test('endpoints and ids of keys are no secrets', () => {
  const authentication = {
    ...{ kind: 'smart-backend', algorithm: 'ES384', keyId: 'k1', clientId: 'ward' },
    tokenEndpoint: 'https://id.example.org/token',
  };
  expect(linesOf([connectionFile({ ...settings, authentication })])).toMatchObject([{ result: 'new' }]);
});

test('what is no JSON, names a member twice, or is no file of settings is refused by itself', () => {
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
    { path: 'notes.json', result: 'refused', text: 'Settings have no file of this name.' },
  ]);
});

test('widths in another order are the same', () => {
  const columns = (widths: object) => ({
    path: 'columns.json',
    text: JSON.stringify({ shown: ['id'], widths }),
  });
  const [planned] = planImport([head, columns({ title: 2, id: 1 })], []);
  const held = planned?.item ? [planned.item] : [];
  expect(linesOf([columns({ id: 1, title: 2 })], held)).toMatchObject([{ result: 'same' }]);
  expect(settingsFiles(held)[1]?.text).toContain('"id": 1,\n    "title": 2');
});

test('the fifty-first connection is refused', () => {
  const held = Array.from({ length: 50 }, (_, index) => connection(`c${index}`));
  expect(linesOf([connectionFile(settings)], held)).toMatchObject([
    { result: 'refused', text: 'There are 50 already; remove one first.' },
  ]);
});

test.each([
  ['{"format": "chartkeeper-settings", "version": 2}', /newer Chartkeeper/],
  ['{"format": "chartkeeper-settings", "version": 1, "more": true}', /newer Chartkeeper/],
  ['{"format": "other"}', /names no format/],
  ['[', /line 1/],
])('the head %s ends the import, and takes nothing', (text, sentence) => {
  const plan = planImport([{ ...head, text }, connectionFile(settings)], []);
  expect(plan).toEqual([
    {
      line: {
        path: 'chartkeeper.json',
        result: 'refused',
        text: expect.stringMatching(sentence) as string,
      },
    },
  ]);
});

test('former files are those of an export alone', () => {
  const gone = connectionFile(settings, 'connections/Ward.json');
  const other = { path: 'connections/notes.json', text: '{"mine": true}' };
  const now = settingsFiles([connection('Clinic')]);
  expect(formerFiles([head, gone, other, ...now.slice(1)], now)).toEqual([gone.path]);
  expect(formerFiles([gone], now)).toEqual([]);
});
