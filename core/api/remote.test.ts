import { expect, test } from 'vitest';
import { confirmedHeader } from '../app/connections.ts';
import { gatewayPage, gatewayPath, isGatewayPath } from './contract.ts';
import { absolute, linkPath } from './remote.ts';
import { remoteHistory } from './remote-history.ts';
import { provenanceHeader } from './provenance.ts';
import { toConfirmationHeaders } from './write-base.ts';

const baseUrl = 'https://clinic.example:8443/fhir/r4';

test.each([
  ['https://other.example/page?2', 'https://other.example/page?2'],
  ['?_page=2', `${baseUrl}?_page=2`],
  ['/fhir/page/2', 'https://clinic.example:8443/fhir/page/2'],
  ['CarePlan?_page=2', `${baseUrl}/CarePlan?_page=2`],
])('resolves the link %s to %s', (link, target) => {
  expect(absolute(baseUrl, link)).toBe(target);
  expect(linkPath({ id: 'a b', baseUrl }, 'CarePlan', link)).toBe(
    `/app/connections/a%20b/page?type=CarePlan&link=${encodeURIComponent(target)}`,
  );
});

test.each([
  [gatewayPath('a') + '/CarePlan/1', true],
  [gatewayPage('a', 'CarePlan', baseUrl).replace(/\?.*/, ''), true],
  [gatewayPath('a'), false],
  ['/app/connections/a', false],
  ['/app/connections/a/test', false],
  ['/x/app/connections/a/page', false],
  ['/app/connections/a/page\n', false],
])('recognizes %j as a remote request: %s', (path, isRemote) => {
  expect(isGatewayPath(path)).toBe(isRemote);
});

test('formats confirmation and reason of a write if they exist', () => {
  expect(toConfirmationHeaders({ etag: 'W/"1"' })).toEqual({});
  expect(toConfirmationHeaders({ confirmed: 'clinic.example', provenance: '{}' })).toEqual({
    [confirmedHeader]: 'clinic.example',
    [provenanceHeader]: '{}',
  });
});

test("requests a version by the server's id and reads the history once", async () => {
  const version = (versionId: string) => ({
    resource: { resourceType: 'CarePlan', id: '1', meta: { versionId, lastUpdated: '2026-01-01T00:00:00Z' } },
    request: { method: 'PUT' },
  });
  const bundle = { resourceType: 'Bundle', entry: [version('b-2'), version('a-1')] };
  const requestedPaths: string[] = [];
  const history = remoteHistory(
    { id: 'a', baseUrl },
    {
      address: (type, id) => [`/${type}`, id].filter((part) => part !== undefined).join('/'),
      get: (path) => {
        requestedPaths.push(path);
        return Promise.resolve(JSON.stringify(bundle));
      },
    },
  );
  expect(await history.versionId('CarePlan', '1', 2)).toBe('b-2');
  const times = requestedPaths.length;
  expect(await history.versionId('CarePlan', '1', 1)).toBe('a-1');
  expect(await history.versionId('CarePlan', '1', 7)).toBe('7');
  expect(requestedPaths).toHaveLength(times);
});
