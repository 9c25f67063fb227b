/**
 * Another server, in a process of its own: makes its records of a seed while they are asked for, sorted by
 * `_lastUpdated`, in pages with next links. Forked by bench/remote.ts with the seed and the number of records; says its
 * base, answers one request with 503 at each `outage`, and says how many records it sent at each `sent`.
 */
import { startPeer, fhir } from '../server/gateway/testing/peer.ts';
import { isResourceType } from '../core/fhir/resource.ts';
import { firstFrom, remoteRecord, remoteTexts, shareOf } from './remote-records.ts';

const [seed = '', records = ''] = process.argv.slice(2);
const texts = remoteTexts(Number(seed));
const share = shareOf(Number(records));
const outcome = '{"resourceType":"OperationOutcome"}';
let outages = 0;
let sent = 0;

const peer = await startPeer(({ url }, response) => {
  peer.seen.length = 0;
  const { pathname, searchParams: query } = new URL(url, peer.origin);
  const type = pathname.replace('/fhir/', '');
  if (!isResourceType(type)) {
    fhir(response, 404, outcome);
    return;
  }
  if (outages > 0) {
    outages -= 1;
    fhir(response, 503, outcome, { 'Retry-After': '5' });
    return;
  }
  const first = firstFrom(query.get('_lastUpdated')?.replace(/^ge/, '') ?? '');
  const from = first + Number(query.get('_offset') ?? 0);
  const end = Math.min(share[type], from + Number(query.get('_count') ?? 20));
  query.set('_offset', String(end - first));
  const link =
    end < share[type] ? [{ relation: 'next', url: `${peer.origin}/fhir/${type}?${query.toString()}` }] : [];
  const entries: string[] = [];
  for (let index = from; index < end; index += 1) {
    entries.push(`{"resource":${remoteRecord(texts, type, index)},"search":{"mode":"match"}}`);
  }
  sent += entries.length;
  const head = JSON.stringify({
    resourceType: 'Bundle',
    type: 'searchset',
    total: share[type] - first,
    link,
  });
  fhir(response, 200, `${head.slice(0, -1)},"entry":[${entries.join(',')}]}`);
});

process.on('message', (message) => {
  if (message === 'outage') outages += 1;
  else process.send?.(sent);
});
process.send?.(`${peer.origin}/fhir`);
