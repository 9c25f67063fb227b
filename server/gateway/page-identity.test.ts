/** Tests the page's client with responses about another record. Row 29 of docs/api-rows.md. */
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../core/api/client.ts';
import { UnconfirmedWriteError } from '../../core/api/failure.ts';
import { startTestServer } from '../testing/test-server.ts';
import { connect } from './testing/connect.ts';
import { sendFhir, startPeer } from './testing/peer.ts';

const plan = (description: string, id: string) =>
  JSON.stringify({ resourceType: 'CarePlan', id, status: 'active', intent: 'plan', description });

const bundle = (members: object) => JSON.stringify({ resourceType: 'Bundle', type: 'searchset', ...members });

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

// Row 29 of docs/api-rows.md.
test('rejects another record in a read and in a search', async () => {
  const stray = plan('Plan of another patient', 'SOMEONE-ELSE');
  const lying = createClient({
    base: '',
    fetch: (address) => {
      const text =
        address.includes('_history') || address.includes('?')
          ? bundle({ entry: [{ resource: JSON.parse(stray) as unknown }] })
          : stray;
      return Promise.resolve({
        status: 200,
        headers: new Headers({ ETag: 'W/"7"' }),
        text: () => Promise.resolve(text),
      });
    },
    remote: { id: 'x', baseUrl: 'http://remote.example/fhir' },
  });
  const failure = await failureOf(lying.read('CarePlan', 'a'));
  expect(failure).toMatchObject({
    name: 'UnexpectedFormatError',
    message: expect.stringContaining('a different record'),
  });
  expect(await failureOf(lying.readVersion('CarePlan', 'a', 1))).toMatchObject({
    name: 'UnexpectedFormatError',
  });
  expect(await failureOf(lying.history('CarePlan', 'a'))).toMatchObject({ name: 'UnexpectedFormatError' });
  expect(await failureOf(lying.search('Composition', [['subject', '17']]))).toMatchObject({
    name: 'UnexpectedFormatError',
  });
  const from = { etag: 'W/"1"' };
  expect(await failureOf(lying.update('CarePlan', 'a', plan('Mine', 'a'), from))).toBeInstanceOf(
    UnconfirmedWriteError,
  );
  expect(await failureOf(lying.patch('CarePlan', 'a', '[]', from))).toBeInstanceOf(UnconfirmedWriteError);
});

// Row 29 of docs/api-rows.md.
test('compares the record before a write if its ETag names another version', async () => {
  const storedText = JSON.stringify({
    ...(JSON.parse(plan('Held', 'a')) as object),
    meta: { versionId: '3' },
  });
  const server = await startTestServer();
  const peer = await startPeer((_request, response) =>
    sendFhir(response, 200, storedText, { ETag: 'W/"7"' }),
  );
  onTestFinished(() => Promise.all([server.remove(), peer.close()]).then(() => undefined));
  const { id } = await connect(server, { baseUrl: peer.origin });
  const remote = { id, baseUrl: peer.origin };
  const client = createClient({ base: server.origin, fetch, token: () => server.token, remote });
  const from = await client.read('CarePlan', 'a');
  expect(from).toEqual({ text: storedText });
  await client.update('CarePlan', 'a', storedText.replace('Held', 'Mine'), from);
  expect(peer.requests.slice(-2).map(({ method }) => method)).toEqual(['GET', 'PUT']);
  expect(peer.requests.at(-1)?.headers['if-match']).toBe('W/"3"');
});
