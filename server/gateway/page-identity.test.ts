/** Row 29: the page's own client before answers that are about something else. */
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../core/api/client.ts';
import { Unconfirmed } from '../../core/api/failure.ts';
import { startTestServer } from '../testing/test-server.ts';
import { connect } from './testing/connect.ts';
import { fhir, startPeer } from './testing/peer.ts';

const plan = (description: string, id: string) =>
  JSON.stringify({ resourceType: 'CarePlan', id, status: 'active', intent: 'plan', description });

const bundle = (parts: object) => JSON.stringify({ resourceType: 'Bundle', type: 'searchset', ...parts });

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test('row 29: a record that is another one is not opened, and what is searched beside it neither', async () => {
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
  const unread = await failureOf(lying.read('CarePlan', 'a'));
  expect(unread).toMatchObject({
    name: 'UnknownForm',
    message: expect.stringContaining('another record than'),
  });
  expect(await failureOf(lying.readVersion('CarePlan', 'a', 1))).toMatchObject({ name: 'UnknownForm' });
  expect(await failureOf(lying.history('CarePlan', 'a'))).toMatchObject({ name: 'UnknownForm' });
  expect(await failureOf(lying.search('Composition', [['subject', '17']]))).toMatchObject({
    name: 'UnknownForm',
  });
  const from = { etag: 'W/"1"' };
  expect(await failureOf(lying.update('CarePlan', 'a', plan('Mine', 'a'), from))).toBeInstanceOf(Unconfirmed);
  expect(await failureOf(lying.patch('CarePlan', 'a', '[]', from))).toBeInstanceOf(Unconfirmed);
});

test('row 29: an ETag of another version than the record says it is starts no write: the record is compared, and names its own', async () => {
  const held = JSON.stringify({ ...(JSON.parse(plan('Held', 'a')) as object), meta: { versionId: '3' } });
  const server = await startTestServer();
  const peer = await startPeer((_seen, response) => fhir(response, 200, held, { ETag: 'W/"7"' }));
  onTestFinished(() => Promise.all([server.remove(), peer.close()]).then(() => undefined));
  const { id } = await connect(server, { baseUrl: peer.origin });
  const remote = { id, baseUrl: peer.origin };
  const client = createClient({ base: server.origin, fetch, token: () => server.token, remote });
  const from = await client.read('CarePlan', 'a');
  expect(from).toEqual({ text: held });
  await client.update('CarePlan', 'a', held.replace('Held', 'Mine'), from);
  expect(peer.seen.slice(-2).map(({ method }) => method)).toEqual(['GET', 'PUT']);
  expect(peer.seen.at(-1)?.headers['if-match']).toBe('W/"3"');
});
