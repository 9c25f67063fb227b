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
    entries.map((entry) => scan(JSON.stringify(entry)).root),
    'CarePlan',
  );

/** Creates the history reader of a fake server. Returns it with its requests. */
function historyOf(answer: (path: string) => object) {
  const requestedPaths: string[] = [];
  const history = remoteHistory(server, {
    address: (type, id) => (id === undefined ? `/${type}` : `/${type}/${id}`),
    get: (path) => {
      requestedPaths.push(path);
      return Promise.resolve(JSON.stringify(answer(path)));
    },
  });
  return { history, requestedPaths };
}

test('preserves numeric version ids of any length', () => {
  const versions = versionsIn(version('10'), version('9'), version('1'));
  expect(versions.map(({ versionId, entry }) => [versionId, entry.version])).toEqual([
    ['10', 10],
    ['9', 9],
    ['1', 1],
  ]);
});

test.each([['0'], ['01'], ['x1'], ['1x'], ['1234567890'], ['']])(
  'counts versions from the oldest if one is named %j',
  (odd) => {
    const versions = versionsIn(version('7'), version(odd));
    expect(versions.map(({ entry }) => entry.version)).toEqual([2, 1]);
  },
);

test('derives operation and changes of a version, without server metadata', () => {
  const versions = versionsIn(
    version('4', { title: 'B', status: 'active', intent: 'plan', note: [], period: {} }, 'PATCH'),
    version('3', { title: 'A' }, 'other'),
    version('2', { title: 'A' }, 'PUT'),
    { resource: version('1').resource },
  );
  expect(versions.map(({ entry }) => [entry.operation, entry.changes, entry.paths.length])).toEqual([
    ['patch', 5, 3],
    ['update', 0, 0],
    ['update', 1, 1],
    ['create', 0, 0],
  ]);
  expect(versions[2]?.entry).toMatchObject({ paths: ['/title'], lastUpdated: day, author: '' });
  expect(versionsIn(version('1', {}, 'POST'))[0]?.entry.operation).toBe('create');
});

test('counts one removed item of a remote server as one change', () => {
  const activity = (...names: readonly string[]) =>
    names.map((description) => ({ detail: { description, status: 'scheduled' } }));
  const [newest] = versionsIn(
    version('2', { activity: activity('Walk', 'Read') }),
    version('1', { activity: activity('Swim', 'Walk', 'Read') }),
  );
  expect(newest?.entry).toMatchObject({
    changes: 1,
    paths: ['/activity/0'],
    named: [{ kind: 'removed', pointer: '/activity/0', title: 'Swim' }],
  });
});

test('skips entries of other types and leaves missing members blank', () => {
  const entries = [{}, { resource: { resourceType: 'Goal' } }, { resource: { resourceType: 'CarePlan' } }];
  expect(versionsIn(...entries)).toMatchObject([{ versionId: '', entry: { version: 1, lastUpdated: '' } }]);
});

test('reads a history page by page with the author of each version', async () => {
  const provenance = {
    resource: {
      resourceType: 'Provenance',
      recorded: day,
      target: [{ reference: 'CarePlan/1/_history/a' }],
      agent: [{ who: { display: 'Dr Lee' } }],
    },
    search: { mode: 'include' },
  };
  const { history, requestedPaths } = historyOf((path) => {
    if (path.includes('_revinclude')) return bundle([provenance]);
    return path.includes('page') ? bundle([version('a')]) : bundle([version('b')], '?page=2');
  });
  const page: HistoryPage = await history.read('CarePlan', '1');
  expect(page.total).toBe(2);
  expect(page.versions.map((version) => [version.version, version.author])).toEqual([
    [2, ''],
    [1, 'Dr Lee'],
  ]);
  expect(requestedPaths).toEqual([
    '/CarePlan/1/_history?_count=100',
    `/app/connections/r/page?type=CarePlan&link=${encodeURIComponent(`${server.baseUrl}?page=2`)}`,
    '/CarePlan?_id=1&_revinclude=Provenance%3Atarget',
  ]);
});

test('stops an endless history after ten pages', async () => {
  const { history, requestedPaths } = historyOf((path) =>
    path.includes('_revinclude') ? bundle([]) : bundle([version('1')], `?page=${requestedPaths.length}`),
  );
  expect((await history.read('CarePlan', '1')).total).toBe(10);
  expect(requestedPaths).toHaveLength(11);
});

test('reads the history of a server without authors', async () => {
  const { history } = historyOf((path) => {
    if (path.includes('_revinclude')) throw new TypeError('not here');
    return bundle([version('1')]);
  });
  expect((await history.read('CarePlan', '1')).versions).toMatchObject([{ version: 1, author: '' }]);
});

test('separates the versions of two records', async () => {
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
])('sends %s=%s as %s', (name, value, typedValue) => {
  expect(withTypedReferences([[name, value]])).toEqual([[name, typedValue]]);
});

test('returns the host of a server with its port', () => {
  expect(hostOf({ id: 'r', baseUrl: 'HTTPS://clinic.example:8443/fhir' })).toBe('clinic.example:8443');
  expect(hostOf({ id: 'r', baseUrl: 'clinic.example' })).toBeUndefined();
  expect(hostOf(undefined)).toBeUndefined();
});

test('finds the next link of a list by its relation', () => {
  const linkOf = (link: unknown) => nextLink(scan(JSON.stringify({ link })).root);
  expect(
    linkOf([
      { relation: 'self', url: 'a' },
      { relation: 'next', url: 'b' },
    ]),
  ).toBe('b');
  expect(linkOf([{ relation: 'self', url: 'a' }])).toBeUndefined();
});
