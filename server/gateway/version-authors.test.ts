/** Who wrote the versions of another server's record, asked by the page's own client through the gateway. */
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../core/api/client.ts';
import { startTestServer } from '../testing/test-server.ts';
import { connect } from './testing/connect.ts';
import { fhir, startPeer } from './testing/peer.ts';

const versions = ['2', '1'].map((versionId) => ({
  resource: {
    ...{ resourceType: 'CarePlan', id: 'a', status: 'active', intent: 'plan', title: `Version ${versionId}` },
    subject: { reference: 'Patient/17' },
    meta: { versionId, lastUpdated: `2026-01-0${versionId}T10:00:00Z` },
  },
}));
const provenance = {
  resourceType: 'Provenance',
  target: [{ reference: 'CarePlan/a/_history/2' }],
  recorded: '2026-01-02T10:00:01Z',
  agent: [{ who: { display: 'Dr. Imre Specimen' } }],
};
const bundle = (type: string, entry: readonly object[]) =>
  JSON.stringify({ resourceType: 'Bundle', type, entry });

/** The versions with their authors, as a server tells them that has Provenances to include, or refuses to. */
async function written(tells: boolean) {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const peer = await startPeer(({ url }, response) => {
    const { pathname, searchParams: query } = new URL(url, 'http://peer');
    const asked = query.get('_id') === 'a' && query.get('_revinclude') === 'Provenance:target';
    const included = { resource: provenance, search: { mode: 'include' } };
    if (pathname.endsWith('/_history')) fhir(response, 200, bundle('history', versions));
    else if (asked && tells) fhir(response, 200, bundle('searchset', [...versions.slice(0, 1), included]));
    else fhir(response, 400, '{"resourceType":"OperationOutcome","issue":[]}');
  });
  onTestFinished(() => peer.close());
  const baseUrl = `${peer.origin}/fhir`;
  const { id } = await connect(server, { baseUrl });
  const client = createClient({
    base: server.origin,
    fetch: (address, init) => fetch(address, init),
    token: () => server.token,
    remote: { id, baseUrl },
  });
  return (await client.history('CarePlan', 'a')).versions.map(({ version, author }) => [version, author]);
}

test('a version says who wrote it where the server has its Provenance', async () => {
  expect(await written(true)).toEqual([
    [2, 'Dr. Imre Specimen'],
    [1, ''],
  ]);
});

test('a server that includes no Provenance gives its history all the same, without names', async () => {
  expect(await written(false)).toEqual([
    [2, ''],
    [1, ''],
  ]);
});
