import { expect, test } from 'vitest';
import { confirmedHeader, connectionHeader, unconfirmedHeader } from '../app/connections.ts';
import { clientHeader } from './client.ts';
import { ApiFailure, isTokenRefused, Unconfirmed, UnknownForm } from './failure.ts';
import { provenanceHeader } from './provenance.ts';
import { clientOf, failureOf, local, plan, remote, told } from './testing/answered.ts';

const etag = { ETag: 'W/"3"' };
const subsetted = plan({ meta: { tag: [{ code: 'SUBSETTED' }] } });

test('a request names its token, its caller and the type of its body where it has them', async () => {
  const bare = clientOf(() => ({ body: plan() }));
  await bare.client.read('CarePlan', 'a');
  expect(bare.sent).toEqual([{ method: 'GET', path: `${local}/a`, headers: { Accept: 'application/json' } }]);

  const named = clientOf(() => ({ body: plan() }), { token: () => 't', caller: 'workbench' });
  await named.client.create('CarePlan', '{}', {
    confirmed: 'clinic.example',
    provenance: '{}',
    etag: 'W/"1"',
  });
  expect(named.sent).toEqual([
    {
      ...{ method: 'POST', path: local, body: '{}' },
      headers: {
        ...{ Accept: 'application/json', 'Content-Type': 'application/json', Authorization: 'Bearer t' },
        ...{ [clientHeader]: 'workbench', [confirmedHeader]: 'clinic.example', [provenanceHeader]: '{}' },
      },
    },
  ]);
});

test.each<[what: string, meta: object, etag: string | undefined, kept: object]>([
  ['none', {}, undefined, {}],
  ['that of a record without a version', {}, 'W/"3"', { etag: 'W/"3"', version: 3 }],
  ['that of the version that the record says', { versionId: '3' }, 'W/"3"', { etag: 'W/"3"', version: 3 }],
  ['one that is no number', { versionId: 'x-1' }, 'W/"x-1"', { etag: 'W/"x-1"' }],
  ['that of another version', { versionId: '4' }, 'W/"3"', {}],
  ['one whose name only begins alike', { versionId: '3' }, 'W/"33"', {}],
  ['that of a coding that nobody names', { versionId: '3' }, 'W/"3-gzip"', {}],
])('of the ETags of another server %s is kept as it should be', async (_what, meta, tag, kept) => {
  const body = plan({ meta });
  const headers = tag === undefined ? {} : { ETag: tag };
  const { client } = clientOf(() => ({ body, headers }), { remote });
  const expected = { text: JSON.stringify(body), ...kept };
  expect(await client.read('CarePlan', 'a')).toEqual(expected);
  expect(await client.create('CarePlan', '{}')).toEqual(expected);
});

test.each<[what: string, tag: string | undefined]>([
  ['as it was sent', 'W/"3"'],
  ['with the coding of an Apache', 'W/"3-gzip"'],
  ['with the coding of a Jetty', '"3--gzip"'],
  ['of another version', 'W/"7"'],
  ['that nobody knows', '"5f0e"'],
  ['that was taken away', undefined],
])('names the version of the own server by its record where the ETag came %s', async (_what, tag) => {
  const headers = tag === undefined ? {} : { ETag: tag };
  const { client, sent } = clientOf(() => ({ body: plan(), headers }));
  const from = await client.read('CarePlan', 'a');
  expect(from).toEqual({ text: JSON.stringify(plan()), etag: 'W/"3"', version: 3 });
  await client.update('CarePlan', 'a', '{}', from);
  await client.patch('CarePlan', 'a', '[]', { text: from.text });
  expect(sent.map(({ method, headers: own }) => [method, own['If-Match']])).toEqual([
    ['GET', undefined],
    ['PUT', 'W/"3"'],
    ['PATCH', 'W/"3"'],
  ]);
});

test.each([
  ['gzip', 'W/"h-gzip"', 'W/"h"'],
  ['x-gzip', '"h--gzip"', '"h"'],
  [undefined, 'W/"h-gzip"', 'W/"h-gzip"'],
])('sends the ETag of another server back without the content coding %s', async (coding, tag, match) => {
  const headers = { ETag: tag, ...(coding !== undefined && { 'Content-Encoding': coding }) };
  const { client, sent } = clientOf(() => ({ body: plan({ meta: {} }), headers }), { remote });
  await client.update('CarePlan', 'a', '{}', await client.read('CarePlan', 'a'));
  expect(sent.map(({ headers: own }) => own['If-Match'])).toEqual([undefined, match]);
});

test('sends nothing to the own server where the text names no version', async () => {
  const { client, sent } = clientOf(() => ({ body: plan() }));
  const text = JSON.stringify(plan({ meta: {} }));
  for (const from of [{ text }, {}]) {
    const failure = await failureOf(client.update('CarePlan', 'a', '{}', from));
    expect(failure).toMatchObject({ status: 400, message: expect.stringContaining('Nothing was sent') });
  }
  expect(sent).toEqual([]);
});

const late = told('Version conflict.');

test.each<[status: number, now: string, told: object]>([
  // Another version by now: compared and merged, whatever the server calls it.
  [409, '4', { status: 412, currentVersion: 4, message: 'Version conflict.' }],
  [412, '4', { status: 412, message: 'Version conflict.' }],
  // The same version: the server means something else.
  [409, '3', { status: 409, message: 'Version conflict.' }],
  [412, '3', { status: 409, message: expect.stringContaining('refuses it under the name') }],
])('row 102: a remote %s is a conflict where the record is version %s now', async (status, now, expected) => {
  for (const write of ['update', 'patch'] as const) {
    let held = '3';
    const { client } = clientOf(
      ({ method }) => {
        if (method !== 'GET') held = now;
        const headers = { ETag: `W/"${held}"`, [connectionHeader]: 'r' };
        return method === 'GET'
          ? { body: plan({ meta: { versionId: held } }), headers }
          : { status, body: late, headers: { [connectionHeader]: 'r' } };
      },
      { remote },
    );
    const { etag, text } = await client.read('CarePlan', 'a');
    for (const from of [{ etag, text }, { etag }])
      expect(await failureOf(client[write]('CarePlan', 'a', '[]', from))).toMatchObject({
        ...expected,
        ...{ connection: 'r', host: 'clinic.example:8443' },
      });
  }
});

test('row 102: a 409 is told in the words of the server where the record cannot be read', async () => {
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
])('an answer with %s is not opened', async (_what, body) => {
  const { client } = clientOf(() => ({ body }));
  const failure = await failureOf(client.read('CarePlan', 'a'));
  expect(failure).toBeInstanceOf(UnknownForm);
  expect(failure).toHaveProperty('message', expect.stringContaining('another record'));
});

test('a failure tells status, sentence, version, wait and whose it is', async () => {
  const headers = { ETag: 'W/"5"', 'Retry-After': '7', [connectionHeader]: 'r' };
  const { client } = clientOf(() => ({ status: 412, body: told('Late.'), headers }), { remote });
  const failure = await failureOf(client.read('CarePlan', 'a'));
  expect(failure).toBeInstanceOf(ApiFailure);
  expect(failure).toMatchObject({
    ...{ status: 412, message: 'Late.', currentVersion: 5, retryAfter: 7 },
    ...{ connection: 'r', host: 'clinic.example:8443' },
  });

  const own = await failureOf(clientOf(() => ({ status: 300 }), { remote }).client.read('CarePlan', 'a'));
  expect(own).toMatchObject({ message: 'The server answered 300.', connection: undefined, host: undefined });
});

test.each<[status: number, connection: object, is: boolean]>([
  [401, {}, true],
  [403, {}, false],
  [401, { [connectionHeader]: 'r' }, false],
])('%s with the headers %j is a refusal of the own token: %s', async (status, headers, is) => {
  const { client } = clientOf(() => ({ status, headers: headers as Record<string, string> }));
  expect(isTokenRefused(await failureOf(client.read('CarePlan', 'a')))).toBe(is);
});

test('what is no failure of a server is no refusal of a token', () => {
  expect(isTokenRefused(new UnknownForm())).toBe(false);
  expect(isTokenRefused(undefined)).toBe(false);
});

test.each([
  [told('Not sure.'), 'Not sure.'],
  [
    {
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code: 'invalid', diagnostics: 'lost' }],
    },
    'lost',
  ],
  ['', 'It is not known whether the change was made.'],
])('a write that no answer confirms says so: %j', async (body, message) => {
  const { client } = clientOf(() => ({ status: 502, body, headers: { [unconfirmedHeader]: 'true' } }));
  const failure = await failureOf(client.update('CarePlan', 'a', '{}', { anyVersion: true }));
  expect(failure).toBeInstanceOf(Unconfirmed);
  expect(failure).toHaveProperty('message', message);
});

test('a write names the version that it starts from, whatever its text', async () => {
  const { client, sent } = clientOf(() => ({ body: plan(), headers: etag }));
  const written = await client.update('CarePlan', 'a', '{}', { etag: 'W/"2"', text: 'x', confirmed: 'h' });
  expect(written).toEqual({ text: JSON.stringify(plan()), etag: 'W/"3"', version: 3 });
  await client.patch('CarePlan', 'a', '[]', { anyVersion: true });
  await client.update('CarePlan', 'a', '{}', { anyVersion: true, provenance: '{}' });
  expect(sent.map(({ method, path, body, headers }) => [method, path, body, headers['If-Match']])).toEqual([
    ['PUT', `${local}/a`, '{}', 'W/"2"'],
    ['PATCH', `${local}/a`, '[]', undefined],
    ['PUT', `${local}/a`, '{}', undefined],
  ]);
  expect(sent[0]?.headers[confirmedHeader]).toBe('h');
  expect(sent[2]?.headers[provenanceHeader]).toBe('{}');
});

test.each<[what: string, headers: Readonly<Record<string, string>>, match: string | undefined]>([
  ['the version that was found', etag, 'W/"3"'],
  ['nothing where the server names none', {}, undefined],
])('without a version the text is compared first, and the write names %s', async (_what, headers, match) => {
  const body = plan({ meta: {} });
  const { client, sent } = clientOf(() => ({ body, headers }), { remote });
  const text = JSON.stringify(body, undefined, 2);
  await client.update('CarePlan', 'a', '{}', { text, confirmed: 'h' });
  expect(sent.map(({ method }) => method)).toEqual(['GET', 'PUT']);
  expect(sent[1]?.headers).toMatchObject({ [confirmedHeader]: 'h' });
  expect(sent[1]?.headers['If-Match']).toBe(match);
  expect(Object.hasOwn(sent[1]?.headers ?? {}, 'If-Match')).toBe(match !== undefined);
});

test('a record that is another by now is not written', async () => {
  const { client, sent } = clientOf(() => ({ body: plan({ title: 'B' }), headers: etag }), { remote });
  const failure = await failureOf(client.patch('CarePlan', 'a', '[]', { text: JSON.stringify(plan()) }));
  expect(failure).toMatchObject({ status: 412, currentVersion: 3, connection: 'r' });
  expect(failure).toHaveProperty('message', expect.stringContaining('another client has changed it'));
  expect(sent.map(({ method }) => method)).toEqual(['GET']);
});

test.each([
  ['nothing', ''],
  ['an outcome', told('Done.')],
  ['an extract', subsetted],
  ['a number', '7'],
])(
  'a write that answers %s is read anew; a new record like that is to be looked for',
  async (_what, body) => {
    const { client } = clientOf(({ method }) => ({ body: method === 'GET' ? plan() : body }));
    const from = { anyVersion: true };
    expect(await client.update('CarePlan', 'a', '{}', from)).toMatchObject({ text: JSON.stringify(plan()) });
    expect(await failureOf(client.create('CarePlan', '{}'))).toBeInstanceOf(Unconfirmed);
  },
);

test('a write that answers another record is not confirmed', async () => {
  const { client, sent } = clientOf(() => ({ body: plan({ id: 'b' }) }));
  const failure = await failureOf(client.update('CarePlan', 'a', '{}', { anyVersion: true }));
  expect(failure).toBeInstanceOf(Unconfirmed);
  expect(sent).toHaveLength(1);
});
