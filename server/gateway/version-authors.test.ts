/** Reads the authors of a remote record's versions with the page's client through the gateway. */
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../core/api/client.ts';
import { startTestServer } from '../testing/test-server.ts';
import { connect } from './testing/connect.ts';
import { sendFhir, startPeer } from './testing/peer.ts';

const versions = ['2', '1'].map((versionId) => ({
  resource: {
    resourceType: 'CarePlan',
    id: 'a',
    status: 'active',
    intent: 'plan',
    title: `Version ${versionId}`,
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

/** Reads the versions with authors from a server that includes Provenances or refuses to. */
async function readVersions(includesProvenance: boolean) {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const peer = await startPeer(({ url }, response) => {
    const { pathname, searchParams: query } = new URL(url, 'http://peer');
    const includesAuthors = query.get('_id') === 'a' && query.get('_revinclude') === 'Provenance:target';
    const included = { resource: provenance, search: { mode: 'include' } };
    if (pathname.endsWith('/_history')) sendFhir(response, 200, bundle('history', versions));
    else if (includesAuthors && includesProvenance)
      sendFhir(response, 200, bundle('searchset', [...versions.slice(0, 1), included]));
    else sendFhir(response, 400, '{"resourceType":"OperationOutcome","issue":[]}');
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

test('lists the author of a version if the server has its Provenance', async () => {
  expect(await readVersions(true)).toEqual([
    [2, 'Dr. Imre Specimen'],
    [1, ''],
  ]);
});

test('lists the history without authors if the server includes no Provenance', async () => {
  expect(await readVersions(false)).toEqual([
    [2, ''],
    [1, ''],
  ]);
});
