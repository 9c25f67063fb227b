import type { GenericSchema } from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ActivityPage } from '../../core/app/activity.ts';
import { AuditActions, AuditPage, AuditVerification } from '../../core/app/audit.ts';
import { DamageList } from '../../core/app/damage.ts';
import { Backup, BackupList } from '../../core/app/backups.ts';
import { BulkPage, BulkRun, BulkRunList } from '../../core/app/bulk.ts';
import { ConnectionList, ConnectionTest } from '../../core/app/connections.ts';
import { Draft, DraftList } from '../../core/app/drafts.ts';
import { HistoryPage } from '../../core/app/history.ts';
import { IssueCountsAnswer } from '../../core/app/issue-counts.ts';
import { ReferenceNames } from '../../core/app/reference-names.ts';
import { SubjectNames } from '../../core/app/subject-names.ts';
import { Overview } from '../../core/app/models.ts';
import { FacetAnswer } from '../../core/app/facets.ts';
import { RecordsOverview } from '../../core/app/overview.ts';
import { QualityOverview, QualityPage, StoreFindings } from '../../core/app/quality.ts';
import { SavedList, SearchList } from '../../core/app/searches.ts';
import { WorkbenchSession } from '../../core/app/session.ts';
import { TokenList } from '../../core/app/tokens.ts';
import { TrainingState, WriterState } from '../../core/app/training.ts';
import { OperationOutcome } from '../../core/fhir/outcome.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { connect } from '../gateway/testing/connect.ts';
import { sendFhir, startPeer, type Peer } from '../gateway/testing/peer.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { createClientToken } from '../testing/tokens.ts';

const plan = { resourceType: 'CarePlan', id: 'a', status: 'actve', subject: { reference: 'Patient/1' } };
const query = { type: 'CarePlan', pairs: [['status', 'active']] };
const planSummary = { type: 'CarePlan', id: 'a', title: 'Plan' };
const statement = {
  resourceType: 'CapabilityStatement',
  fhirVersion: '4.0.1',
  software: { name: 'Peer', version: '1' },
  format: ['json'],
  rest: [{ resource: [{ type: 'CarePlan', versioning: 'versioned', interaction: [{ code: 'patch' }] }] }],
};

let server: TestServer;
let peer: Peer;
let run: string;
let ward: string;
let silent: string;
const workbenchHeaders = { 'X-Chartkeeper-Client': 'workbench' };
const send = async (method: string, path: string, body?: unknown) => {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await server.send(method, path, text, workbenchHeaders);
  expect([path, response.status < 300]).toEqual([path, true]);
  return response.json;
};

beforeAll(async () => {
  server = await startTestServer();
  peer = await startPeer((_request, response) => sendFhir(response, 200, JSON.stringify(statement)));
  await server.send('POST', '/app/import?level=off&keepIds=true', JSON.stringify(plan), {
    'Content-Type': 'application/x-ndjson',
  });
  await server.send('PUT', '/fhir-r4/v1/CarePlan/a', '{}', workbenchHeaders);
  server.damage.scrub();
  await server.damage.idle();
  const { id } = await createClientToken(server, ['system/*.r'], 60);
  await send('DELETE', `/app/tokens/${id}`);
  const operations = [{ path: '/status', value: '"active"', now: '"actve"' }];
  run = (await send('POST', '/app/bulk', { label: 'All', operations })).id;
  const target = { ...planSummary, place: 0, state: 'failed', version: 1, etag: 'W/"1"', detail: 'Refused.' };
  await send('POST', `/app/bulk/${run}/targets`, [target]);
  const draft = { type: 'CarePlan', recordId: 'a', title: 'Plan', window: 'w', text: '{', base: '{}' };
  await send('PUT', '/app/drafts/one', { ...draft, baseVersion: 1, baseEtag: 'W/"1"' });
  await send('POST', '/app/recents', query);
  await send('POST', '/app/searches', { name: 'Mine', ...query });
  const tabs = [
    { kind: 'record', record: planSummary },
    { kind: 'view', view: 'quality' },
  ];
  await send('PUT', '/app/session', { tabs, active: 0, search: query, recent: [planSummary] });
  await send('POST', '/app/backups', {});
  await send('POST', '/app/activity', { kind: 'import', note: '1 record imported', counts: { stored: 1 } });
  const oauth = { clientId: 'us', scope: 'system/*.r', tokenEndpoint: `${peer.origin}/token` };
  const authentication = { kind: 'smart-backend', algorithm: 'RS384', keyId: 'k', ...oauth };
  await connect(server, { baseUrl: peer.origin, authentication });
  ward = (await connect(server, { baseUrl: peer.origin })).id;
  silent = (await connect(server, { baseUrl: 'http://127.0.0.1:1' })).id;
});
afterAll(async () => {
  await server.remove();
  await peer.close();
});

const cases: readonly (readonly [name: string, schema: GenericSchema, ask: () => Promise<unknown>])[] = [
  ['overview', Overview, () => send('GET', '/app/overview')],
  [
    'overview of the records',
    RecordsOverview,
    () => send('GET', '/app/overview/records?since=2020-01-01T00:00:00Z'),
  ],
  ['history', HistoryPage, () => send('GET', '/app/history/CarePlan/a?count=1')],
  ['quality', QualityOverview, () => send('GET', '/app/quality')],
  ['findings', QualityPage, () => send('GET', '/app/quality/findings?count=1')],
  ['store findings', StoreFindings, () => send('GET', '/app/quality/records/CarePlan/a')],
  [
    'issue counts',
    IssueCountsAnswer,
    () => send('POST', '/app/issue-counts', { type: 'CarePlan', ids: ['a'] }),
  ],
  ['facets', FacetAnswer, () => send('GET', '/app/facets/CarePlan/status')],
  [
    'subject names',
    SubjectNames,
    async () => {
      const namedPlan = carePlan('Patient/named').replace('"Patient/named"', '"Patient/named","display":"A"');
      await server.send('POST', '/fhir-r4/v1/CarePlan', namedPlan);
      return send('POST', '/app/subject-names', { of: ['named'] });
    },
  ],
  [
    'reference names',
    ReferenceNames,
    async () => {
      const condition = '{"resourceType":"Condition","id":"named","code":{"text":"A"}}';
      const entry = `{"fullUrl":"http://x.test/Condition/named","resource":${condition}}`;
      await server.send(
        'POST',
        '/app/import',
        `{"resourceType":"Bundle","type":"collection","entry":[${entry}]}`,
        { 'Content-Type': 'application/json' },
      );
      return send('POST', '/app/reference-names', { of: ['Condition/named'] });
    },
  ],
  ['activity', ActivityPage, () => send('GET', '/app/activity?kind=write')],
  ['jobs', ActivityPage, () => send('GET', '/app/activity?kind=import&count=1')],
  ['audit trail', AuditPage, () => send('GET', '/app/audit')],
  ['damage', DamageList, () => send('GET', '/app/damage')],
  ['its groups', AuditActions, () => send('GET', '/app/audit/actions')],
  ['its check', AuditVerification, () => send('POST', '/app/audit/verify', {})],
  ['backup', Backup, () => send('POST', '/app/backups', {})],
  ['backups', BackupList, () => send('GET', '/app/backups')],
  ['bulk run', BulkRun, () => send('GET', `/app/bulk/${run}`)],
  ['bulk runs', BulkRunList, () => send('GET', '/app/bulk')],
  ['bulk targets', BulkPage, () => send('GET', `/app/bulk/${run}/targets`)],
  ['draft', Draft, () => send('GET', '/app/drafts/one')],
  ['drafts', DraftList, () => send('GET', '/app/drafts')],
  ['recent searches', SearchList, () => send('GET', '/app/recents')],
  ['saved searches', SavedList, () => send('GET', '/app/searches')],
  ['session', WorkbenchSession, () => send('GET', '/app/session')],
  ['tokens', TokenList, () => send('GET', '/app/tokens')],
  ['connections', ConnectionList, () => send('GET', '/app/connections')],
  ['test of a connection', ConnectionTest, () => send('POST', `/app/connections/${ward}/test`)],
  ['test that fails', ConnectionTest, () => send('POST', `/app/connections/${silent}/test`)],
  ['training', TrainingState, () => send('GET', '/app/training')],
  ['busy ward', WriterState, async () => (await send('GET', '/app/training')).writer],
  ['outcome', OperationOutcome, async () => (await server.send('POST', '/fhir-r4/v1/CarePlan', '{}')).json],
];

/** Generates copies with one wrong value each. Lists vary their first item only. */
function* withOneWrong(value: unknown, path = ''): Generator<readonly [path: string, value: unknown]> {
  if (Array.isArray(value)) {
    const [firstItem, ...remainingItems] = value as unknown[];
    if (firstItem === undefined) return;
    for (const [wrongPath, wrong] of withOneWrong(firstItem, `${path}/0`))
      yield [wrongPath, [wrong, ...remainingItems]];
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      for (const [wrongPath, wrong] of withOneWrong(member, `${path}/${name}`))
        yield [wrongPath, { ...value, [name]: wrong }];
    }
  } else yield [path, typeof value === 'boolean' ? 'wrong' : false];
}

test.each(cases)('%s: matches its schema in every member', async (_name, schema, ask) => {
  const response = await ask();
  expect([matchesSchema(schema, response), response]).toEqual([true, response]);
  const wrongResponses = [...withOneWrong(response)];
  expect(wrongResponses.length).toBeGreaterThan(0);
  expect(wrongResponses.filter(([, value]) => matchesSchema(schema, value)).map(([path]) => path)).toEqual(
    [],
  );
});

test.each(cases)('%s: accepts additional members of a later release', async (_name, schema, ask) => {
  const response = await ask();
  const extended = Array.isArray(response)
    ? response.map((item: object) => ({ ...item, added: { later: true } }))
    : { ...(response as object), ...(schema !== IssueCountsAnswer && { added: { later: true } }) };
  expect(matchesSchema(schema, extended)).toBe(true);
});
