import { expect, test } from 'vitest';
import { confirmedHeader, connectionHeader, unconfirmedHeader } from '../app/connections.ts';
import { clientHeader } from './client.ts';
import { ApiFailure, isTokenRejected, UnconfirmedWriteError, UnexpectedFormatError } from './failure.ts';
import { provenanceHeader } from './provenance.ts';
import { clientOf, failureOf, local, plan, remote, outcomeOf } from './testing/answered.ts';

const etag = { ETag: 'W/"3"' };
const subsetted = plan({ meta: { tag: [{ code: 'SUBSETTED' }] } });

test('sends token, caller and content type if they are set', async () => {
  const bare = clientOf(() => ({ body: plan() }));
  await bare.client.read('CarePlan', 'a');
  expect(bare.requests).toEqual([
    { method: 'GET', path: `${local}/a`, headers: { Accept: 'application/json' } },
  ]);

  const fullClient = clientOf(() => ({ body: plan() }), { token: () => 't', caller: 'workbench' });
  await fullClient.client.create('CarePlan', '{}', {
    confirmed: 'clinic.example',
    provenance: '{}',
    etag: 'W/"1"',
  });
  expect(fullClient.requests).toEqual([
    {
      method: 'POST',
      path: local,
      body: '{}',
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        Authorization: 'Bearer t',
        [clientHeader]: 'workbench',
        [confirmedHeader]: 'clinic.example',
        [provenanceHeader]: '{}',
      },
    },
  ]);
});

test.each<[label: string, meta: object, etag: string | undefined, kept: object]>([
  ['none', {}, undefined, {}],
  ['that of a record without a version', {}, 'W/"3"', { etag: 'W/"3"', version: 3 }],
  ['that of the version that the record says', { versionId: '3' }, 'W/"3"', { etag: 'W/"3"', version: 3 }],
  ['one that is no number', { versionId: 'x-1' }, 'W/"x-1"', { etag: 'W/"x-1"' }],
  ['that of another version', { versionId: '4' }, 'W/"3"', {}],
  ['one whose name only begins alike', { versionId: '3' }, 'W/"33"', {}],
  ['that of a coding that nobody names', { versionId: '3' }, 'W/"3-gzip"', {}],
])('reads the ETag of a remote server with %s', async (_label, meta, tag, expectedVersion) => {
  const body = plan({ meta });
  const headers = tag === undefined ? {} : { ETag: tag };
  const { client } = clientOf(() => ({ body, headers }), { remote });
  const expected = { text: JSON.stringify(body), ...expectedVersion };
  expect(await client.read('CarePlan', 'a')).toEqual(expected);
  expect(await client.create('CarePlan', '{}')).toEqual(expected);
});

test.each<[label: string, tag: string | undefined]>([
  ['unchanged', 'W/"3"'],
  ['with the coding of an Apache', 'W/"3-gzip"'],
  ['with the coding of a Jetty', '"3--gzip"'],
  ['of another version', 'W/"7"'],
  ['that nobody knows', '"5f0e"'],
  ['that was taken away', undefined],
])('derives the local version from the record if the ETag is %s', async (_label, tag) => {
  const headers = tag === undefined ? {} : { ETag: tag };
  const { client, requests } = clientOf(() => ({ body: plan(), headers }));
  const base = await client.read('CarePlan', 'a');
  expect(base).toEqual({ text: JSON.stringify(plan()), etag: 'W/"3"', version: 3 });
  await client.update('CarePlan', 'a', '{}', base);
  await client.patch('CarePlan', 'a', '[]', { text: base.text });
  expect(requests.map(({ method, headers: requestHeaders }) => [method, requestHeaders['If-Match']])).toEqual(
    [
      ['GET', undefined],
      ['PUT', 'W/"3"'],
      ['PATCH', 'W/"3"'],
    ],
  );
});

test.each([
  ['gzip', 'W/"h-gzip"', 'W/"h"'],
  ['x-gzip', '"h--gzip"', '"h"'],
  [undefined, 'W/"h-gzip"', 'W/"h-gzip"'],
])('returns the ETag of a remote server without the content coding %s', async (coding, tag, match) => {
  const headers = { ETag: tag, ...(coding !== undefined && { 'Content-Encoding': coding }) };
  const { client, requests } = clientOf(() => ({ body: plan({ meta: {} }), headers }), { remote });
  await client.update('CarePlan', 'a', '{}', await client.read('CarePlan', 'a'));
  expect(requests.map(({ headers: requestHeaders }) => requestHeaders['If-Match'])).toEqual([
    undefined,
    match,
  ]);
});

test('sends nothing to the local server if the text names no version', async () => {
  const { client, requests } = clientOf(() => ({ body: plan() }));
  const text = JSON.stringify(plan({ meta: {} }));
  for (const from of [{ text }, {}]) {
    const failure = await failureOf(client.update('CarePlan', 'a', '{}', from));
    expect(failure).toMatchObject({ status: 400, message: expect.stringContaining('Nothing was sent') });
  }
  expect(requests).toEqual([]);
});

const late = outcomeOf('Version conflict.');

// Row 102 of docs/api-rows.md.
test.each<[status: number, now: string, expected: object]>([
  // The record has changed: compared and merged, for any error status.
  [409, '4', { status: 412, currentVersion: 4, message: 'Version conflict.' }],
  [412, '4', { status: 412, message: 'Version conflict.' }],
  // The version is unchanged: the error has another cause.
  [409, '3', { status: 409, message: 'Version conflict.' }],
  [412, '3', { status: 409, message: expect.stringContaining('refuses the name that it gave') }],
])('maps a remote %s if the current version is %s', async (status, now, expected) => {
  for (const write of ['update', 'patch'] as const) {
    let currentVersion = '3';
    const { client } = clientOf(
      ({ method }) => {
        if (method !== 'GET') currentVersion = now;
        const headers = { ETag: `W/"${currentVersion}"`, [connectionHeader]: 'r' };
        return method === 'GET'
          ? { body: plan({ meta: { versionId: currentVersion } }), headers }
          : { status, body: late, headers: { [connectionHeader]: 'r' } };
      },
      { remote },
    );
    const { etag, text } = await client.read('CarePlan', 'a');
    for (const from of [{ etag, text }, { etag }])
      expect(await failureOf(client[write]('CarePlan', 'a', '[]', from))).toMatchObject({
        ...expected,
        connection: 'r',
        host: 'clinic.example:8443',
      });
  }
});

// Row 102 of docs/api-rows.md.
test("keeps the server's message of a 409 if the record cannot be read", async () => {
  const { client } = clientOf(
    ({ method }) => (method === 'GET' ? { status: 404 } : { status: 409, body: late }),
    {
      remote,
    },
  );
  const failure = await failureOf(client.update('CarePlan', 'a', '{}', { etag: 'W/"3"' }));
  expect(failure).toMatchObject({ status: 409, message: 'Version conflict.' });
});

test.each([
  ['another id', plan({ id: 'b' })],
  ['another type', plan({ resourceType: 'Composition' })],
  ['no JSON', '<html>'],
  ['a number', '7'],
])('does not open a response with %s', async (_label, body) => {
  const { client } = clientOf(() => ({ body }));
  const failure = await failureOf(client.read('CarePlan', 'a'));
  expect(failure).toBeInstanceOf(UnexpectedFormatError);
  expect(failure).toHaveProperty('message', expect.stringContaining('a different record'));
});

test('reports status, message, version, wait and server of a failure', async () => {
  const headers = { ETag: 'W/"5"', 'Retry-After': '7', [connectionHeader]: 'r' };
  const { client } = clientOf(() => ({ status: 412, body: outcomeOf('Late.'), headers }), { remote });
  const failure = await failureOf(client.read('CarePlan', 'a'));
  expect(failure).toBeInstanceOf(ApiFailure);
  expect(failure).toMatchObject({
    status: 412,
    message: 'Late.',
    currentVersion: 5,
    retryAfter: 7,
    connection: 'r',
    host: 'clinic.example:8443',
  });

  const failureWithoutConnection = await failureOf(
    clientOf(() => ({ status: 300 }), { remote }).client.read('CarePlan', 'a'),
  );
  expect(failureWithoutConnection).toMatchObject({
    message: 'The server answered 300.',
    connection: undefined,
    host: undefined,
  });
});

test.each<[status: number, connection: object, is: boolean]>([
  [401, {}, true],
  [403, {}, false],
  [401, { [connectionHeader]: 'r' }, false],
])(
  'classifies %s with the headers %j as rejection of the local token: %s',
  async (status, headers, isRejection) => {
    const { client } = clientOf(() => ({ status, headers: headers as Record<string, string> }));
    expect(isTokenRejected(await failureOf(client.read('CarePlan', 'a')))).toBe(isRejection);
  },
);

test('does not treat other errors as rejection of a token', () => {
  expect(isTokenRejected(new UnexpectedFormatError())).toBe(false);
  expect(isTokenRejected(undefined)).toBe(false);
});

test.each([
  [outcomeOf('Not sure.'), 'Not sure.'],
  [
    {
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code: 'invalid', diagnostics: 'lost' }],
    },
    'lost',
  ],
  ['', 'It is not known whether the change was saved.'],
])('reports an unconfirmed write: %j', async (body, message) => {
  const { client } = clientOf(() => ({ status: 502, body, headers: { [unconfirmedHeader]: 'true' } }));
  const failure = await failureOf(client.update('CarePlan', 'a', '{}', { anyVersion: true }));
  expect(failure).toBeInstanceOf(UnconfirmedWriteError);
  expect(failure).toHaveProperty('message', message);
});

test('sends the ETag of the base version, for any text', async () => {
  const { client, requests } = clientOf(() => ({ body: plan(), headers: etag }));
  const updatedRecord = await client.update('CarePlan', 'a', '{}', {
    etag: 'W/"2"',
    text: 'x',
    confirmed: 'h',
  });
  expect(updatedRecord).toEqual({ text: JSON.stringify(plan()), etag: 'W/"3"', version: 3 });
  await client.patch('CarePlan', 'a', '[]', { anyVersion: true });
  await client.update('CarePlan', 'a', '{}', { anyVersion: true, provenance: '{}' });
  expect(
    requests.map(({ method, path, body, headers }) => [method, path, body, headers['If-Match']]),
  ).toEqual([
    ['PUT', `${local}/a`, '{}', 'W/"2"'],
    ['PATCH', `${local}/a`, '[]', undefined],
    ['PUT', `${local}/a`, '{}', undefined],
  ]);
  expect(requests[0]?.headers[confirmedHeader]).toBe('h');
  expect(requests[2]?.headers[provenanceHeader]).toBe('{}');
});

test.each<[label: string, headers: Readonly<Record<string, string>>, match: string | undefined]>([
  ['the version that was found', etag, 'W/"3"'],
  ['nothing where the server names none', {}, undefined],
])('compares the text first without a version and sends %s', async (_label, headers, match) => {
  const body = plan({ meta: {} });
  const { client, requests } = clientOf(() => ({ body, headers }), { remote });
  const text = JSON.stringify(body, undefined, 2);
  await client.update('CarePlan', 'a', '{}', { text, confirmed: 'h' });
  expect(requests.map(({ method }) => method)).toEqual(['GET', 'PUT']);
  expect(requests[1]?.headers).toMatchObject({ [confirmedHeader]: 'h' });
  expect(requests[1]?.headers['If-Match']).toBe(match);
  expect(Object.hasOwn(requests[1]?.headers ?? {}, 'If-Match')).toBe(match !== undefined);
});

test('does not overwrite a changed record', async () => {
  const { client, requests } = clientOf(() => ({ body: plan({ title: 'B' }), headers: etag }), { remote });
  const failure = await failureOf(client.patch('CarePlan', 'a', '[]', { text: JSON.stringify(plan()) }));
  expect(failure).toMatchObject({ status: 412, currentVersion: 3, connection: 'r' });
  expect(failure).toHaveProperty('message', expect.stringContaining('Someone else has changed this record'));
  expect(requests.map(({ method }) => method)).toEqual(['GET']);
});

test.each([
  ['nothing', ''],
  ['an outcome', outcomeOf('Done.')],
  ['an extract', subsetted],
  ['a number', '7'],
])('rereads after an update that returns %s, and reports a create as unconfirmed', async (_label, body) => {
  const { client } = clientOf(({ method }) => ({ body: method === 'GET' ? plan() : body }));
  const from = { anyVersion: true };
  expect(await client.update('CarePlan', 'a', '{}', from)).toMatchObject({ text: JSON.stringify(plan()) });
  expect(await failureOf(client.create('CarePlan', '{}'))).toBeInstanceOf(UnconfirmedWriteError);
});

test('treats a response with another record as unconfirmed', async () => {
  const { client, requests } = clientOf(() => ({ body: plan({ id: 'b' }) }));
  const failure = await failureOf(client.update('CarePlan', 'a', '{}', { anyVersion: true }));
  expect(failure).toBeInstanceOf(UnconfirmedWriteError);
  expect(requests).toHaveLength(1);
});
