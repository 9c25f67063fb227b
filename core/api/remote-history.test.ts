import { expect, test } from 'vitest';
import type { HistoryPage } from '../app/history.ts';
import { scan } from '../json/scan.ts';
import { hostOf, nextLink, versionsOf, withTypedReferences } from './remote.ts';
import { remoteHistory } from './remote-history.ts';

const server = { id: 'r', baseUrl: 'https://clinic.example/fhir' };
const day = '2026-01-01T00:00:00Z';

const version = (versionId: string, parts: object = {}, method = 'PUT') => ({
  resource: { resourceType: 'CarePlan', id: '1', meta: { versionId, lastUpdated: day }, ...parts },
  request: { method },
});
const bundle = (entry: readonly object[], next?: string) => ({
  resourceType: 'Bundle',
  entry,
  link:
    next === undefined
      ? []
      : [
          { relation: 'self', url: 'x' },
          { relation: 'next', url: next },
        ],
});
const versionsIn = (...entries: readonly object[]) =>
  versionsOf(
    entries.map((one) => scan(JSON.stringify(one)).root),
    'CarePlan',
  );

/** The history of a server that answers by its rule; and what it was asked for. */
function historyOf(answer: (path: string) => object) {
  const asked: string[] = [];
  const history = remoteHistory(server, {
    address: (type, id) => (id === undefined ? `/${type}` : `/${type}/${id}`),
    get: (path) => {
      asked.push(path);
      return Promise.resolve(JSON.stringify(answer(path)));
    },
  });
  return { history, asked };
}

test('versions by numbers keep them, however many digits they have', () => {
  const found = versionsIn(version('10'), version('9'), version('1'));
  expect(found.map(({ versionId, entry }) => [versionId, entry.version])).toEqual([
    ['10', 10],
    ['9', 9],
    ['1', 1],
  ]);
});

test.each([['0'], ['01'], ['x1'], ['1x'], ['1234567890'], ['']])(
  'where one version is called %j all are counted from the oldest',
  (odd) => {
    const found = versionsIn(version('7'), version(odd));
    expect(found.map(({ entry }) => entry.version)).toEqual([2, 1]);
  },
);

test('a version says what wrote it and what it changed, stamps aside', () => {
  const found = versionsIn(
    version('4', { title: 'B', status: 'active', intent: 'plan', note: [], period: {} }, 'PATCH'),
    version('3', { title: 'A' }, 'other'),
    version('2', { title: 'A' }, 'PUT'),
    { resource: version('1').resource },
  );
  expect(found.map(({ entry }) => [entry.operation, entry.changes, entry.paths.length])).toEqual([
    ['patch', 5, 3],
    ['update', 0, 0],
    ['update', 1, 1],
    ['create', 0, 0],
  ]);
  expect(found[2]?.entry).toMatchObject({ paths: ['/title'], lastUpdated: day, author: '' });
  expect(versionsIn(version('1', {}, 'POST'))[0]?.entry.operation).toBe('create');
});

test('tells one removed item of another server as one change', () => {
  const activity = (...names: readonly string[]) =>
    names.map((description) => ({ detail: { description, status: 'scheduled' } }));
  const [newest] = versionsIn(
    version('2', { activity: activity('Walk', 'Read') }),
    version('1', { activity: activity('Swim', 'Walk', 'Read') }),
  );
  expect(newest?.entry).toMatchObject({
    ...{ changes: 1, paths: ['/activity/0'] },
    named: [{ kind: 'removed', pointer: '/activity/0', title: 'Swim' }],
  });
});

test('what is no version of the type is left out, and one that says nothing of itself is blank', () => {
  const entries = [{}, { resource: { resourceType: 'Goal' } }, { resource: { resourceType: 'CarePlan' } }];
  expect(versionsIn(...entries)).toMatchObject([{ versionId: '', entry: { version: 1, lastUpdated: '' } }]);
});

test('a history is read page by page, with who wrote each version', async () => {
  const provenance = {
    resource: {
      ...{ resourceType: 'Provenance', recorded: day, target: [{ reference: 'CarePlan/1/_history/a' }] },
      agent: [{ who: { display: 'Dr Lee' } }],
    },
    search: { mode: 'include' },
  };
  const { history, asked } = historyOf((path) => {
    if (path.includes('_revinclude')) return bundle([provenance]);
    return path.includes('page') ? bundle([version('a')]) : bundle([version('b')], '?page=2');
  });
  const page: HistoryPage = await history.read('CarePlan', '1');
  expect(page.total).toBe(2);
  expect(page.versions.map((one) => [one.version, one.author])).toEqual([
    [2, ''],
    [1, 'Dr Lee'],
  ]);
  expect(asked).toEqual([
    '/CarePlan/1/_history?_count=100',
    `/app/connections/r/page?type=CarePlan&link=${encodeURIComponent(`${server.baseUrl}?page=2`)}`,
    '/CarePlan?_id=1&_revinclude=Provenance%3Atarget',
  ]);
});

test('a history without end is read for ten pages', async () => {
  const { history, asked } = historyOf((path) =>
    path.includes('_revinclude') ? bundle([]) : bundle([version('1')], `?page=${asked.length}`),
  );
  expect((await history.read('CarePlan', '1')).total).toBe(10);
  expect(asked).toHaveLength(11);
});

test('a server that does not tell who wrote has a history all the same', async () => {
  const { history } = historyOf((path) => {
    if (path.includes('_revinclude')) throw new TypeError('not here');
    return bundle([version('1')]);
  });
  expect((await history.read('CarePlan', '1')).versions).toMatchObject([{ version: 1, author: '' }]);
});

test('versions of one record are not those of another', async () => {
  const { history } = historyOf((path) =>
    bundle(
      path.includes('_revinclude')
        ? []
        : [version(path.includes('/2/') ? 'b' : 'a', { id: path.includes('/2/') ? '2' : '1' })],
    ),
  );
  expect(await history.versionId('CarePlan', '1', 1)).toBe('a');
  expect(await history.versionId('CarePlan', '2', 1)).toBe('b');
});

test.each([
  ['subject', '17', 'Patient/17'],
  ['patient', '17,Patient/3', 'Patient/17,Patient/3'],
  ['encounter', 'a.b-c', 'Encounter/a.b-c'],
  ['subject', 'urn:uuid:x', 'urn:uuid:x'],
  ['subject', 'a'.repeat(64), `Patient/${'a'.repeat(64)}`],
  ['subject', 'a'.repeat(65), 'a'.repeat(65)],
  ['subject', '', ''],
  ['status', 'active', 'active'],
])('%s=%s is asked for as %s', (name, value, typed) => {
  expect(withTypedReferences([[name, value]])).toEqual([[name, typed]]);
});

test('the host of a server is told with its port', () => {
  expect(hostOf({ id: 'r', baseUrl: 'HTTPS://clinic.example:8443/fhir' })).toBe('clinic.example:8443');
  expect(hostOf({ id: 'r', baseUrl: 'clinic.example' })).toBeUndefined();
  expect(hostOf(undefined)).toBeUndefined();
});

test('the next link of a list is the one that says so', () => {
  const linkOf = (link: unknown) => nextLink(scan(JSON.stringify({ link })).root);
  expect(
    linkOf([
      { relation: 'self', url: 'a' },
      { relation: 'next', url: 'b' },
    ]),
  ).toBe('b');
  expect(linkOf([{ relation: 'self', url: 'a' }])).toBeUndefined();
});
