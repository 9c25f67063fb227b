/**
 * The other server, in a separate process. It creates records from a seed on request, sorted by
 * `_lastUpdated`, in pages with next links. bench/remote.ts forks it with the seed and the number of records.
 * It reports its base address, responds once with 503 after each `outage` message, and reports the number of
 * sent records after each `sent` message.
 */
import { startPeer, sendFhir } from '../server/gateway/testing/peer.ts';
import { isResourceType } from '../core/fhir/resource.ts';
import { findFirstIndex, createRemoteRecord, createRemoteTexts, computeShares } from './remote-records.ts';

const [seed = '', records = ''] = process.argv.slice(2);
const texts = createRemoteTexts(Number(seed));
const share = computeShares(Number(records));
const outcome = '{"resourceType":"OperationOutcome"}';
let outages = 0;
let sentCount = 0;

const peer = await startPeer(({ url }, response) => {
  peer.requests.length = 0;
  const { pathname, searchParams: query } = new URL(url, peer.origin);
  const type = pathname.replace('/fhir/', '');
  if (!isResourceType(type)) {
    sendFhir(response, 404, outcome);
    return;
  }
  if (outages > 0) {
    outages -= 1;
    sendFhir(response, 503, outcome, { 'Retry-After': '5' });
    return;
  }
  const firstIndex = findFirstIndex(query.get('_lastUpdated')?.replace(/^ge/, '') ?? '');
  const startIndex = firstIndex + Number(query.get('_offset') ?? 0);
  const endIndex = Math.min(share[type], startIndex + Number(query.get('_count') ?? 20));
  query.set('_offset', String(endIndex - firstIndex));
  const link =
    endIndex < share[type]
      ? [{ relation: 'next', url: `${peer.origin}/fhir/${type}?${query.toString()}` }]
      : [];
  const entries: string[] = [];
  for (let index = startIndex; index < endIndex; index += 1) {
    entries.push(`{"resource":${createRemoteRecord(texts, type, index)},"search":{"mode":"match"}}`);
  }
  sentCount += entries.length;
  const bundleHead = JSON.stringify({
    resourceType: 'Bundle',
    type: 'searchset',
    total: share[type] - firstIndex,
    link,
  });
  sendFhir(response, 200, `${bundleHead.slice(0, -1)},"entry":[${entries.join(',')}]}`);
});

process.on('message', (message) => {
  if (message === 'outage') outages += 1;
  else process.send?.(sentCount);
});
process.send?.(`${peer.origin}/fhir`);
