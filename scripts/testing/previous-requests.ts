/**
 * Requests to every documented address, for `scripts/previous-release.test.ts`. They name only public things,
 * so that the same file also runs in a checkout of the previous release, which made the fixture.
 */
import { profileUrl, tgzOf } from '../../server/packages/testing/make-package.ts';
import { Recorder, required, type Json, type ResponseNames, type Server } from './request-recorder.ts';
import { custom, lines, ndjson, note, plan } from './request-samples.ts';
import {
  sendBackupRequests,
  sendConnectionRequests,
  sendSettingsRequests,
  sendTrainingRequests,
  sendWorkRequests,
} from './workbench-requests.ts';

/** A documented example: a request with the placeholders `{id}` and `{document}`. */
export interface Example {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends the documented examples in order. The first one stores the record that `{id}` stands for. */
export async function sendExamples(
  server: Server,
  examples: readonly Example[],
): Promise<ReadonlyMap<string, ResponseNames>> {
  const recorder = new Recorder(server);
  const document = await recorder.send('POST /fhir-r4/v1/Composition', { body: note });
  let id = '';
  for (const { name, method, path, headers, body } of examples) {
    const place = path.replace('{id}', id).replace('{document}', document.id);
    const options = { headers, ...(body !== undefined && { body }) };
    const response = await recorder.send(`${method} ${place}`, { ...options, label: name });
    if (id === '') id = response.id;
    const key = `${method} ${place} ${name}`;
    const names = recorder.responses.get(key);
    recorder.responses.delete(key);
    if (names) recorder.responses.set(name, names);
  }
  return recorder.responses;
}

/** Sends one request at least to every documented address, and returns the names in the responses. */
export async function sendRequests(server: Server): Promise<ReadonlyMap<string, ResponseNames>> {
  const recorder = new Recorder(server);
  const send = recorder.send.bind(recorder);
  await send('POST /app/import', {
    query: '?level=off&keepIds=true&dryRun=false',
    body: lines,
    headers: ndjson,
  });
  await sendPeopleRequests(recorder);
  await sendFhirRequests(recorder);
  await sendRecordRequests(recorder);
  await sendPackageRequests(recorder);
  await sendQualityRequests(recorder);
  await sendWorkRequests(recorder);
  await sendConnectionRequests(recorder, server);
  await sendSettingsRequests(recorder);
  await sendTrainingRequests(recorder);
  await sendBackupRequests(recorder);
  return recorder.responses;
}

/** Returns the statuses of searches that fail, by search. */
export async function sendSearches(
  { origin, token }: Server,
  searches: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const failures: Record<string, number> = {};
  for (const search of searches) {
    const headers = { Authorization: `Bearer ${token}`, Prefer: 'handling=strict' };
    const { status } = await fetch(`${origin}/fhir-r4/v1/${search}`, { headers });
    if (status !== 200) failures[search] = status;
  }
  return failures;
}

/** Sign-in, people, tokens and OAuth. */
async function sendPeopleRequests(recorder: Recorder): Promise<void> {
  const send = recorder.send.bind(recorder);
  await send('GET /app/openid', { token: '' });
  const { code } = await send('POST /app/sign-in-codes', { body: { scope: 'system/*.*' } });
  const { token } = await send('POST /app/sign-in', { body: { code }, token: '' });
  const { id: ada } = await send('POST /app/people', { body: { name: 'Ada' } });
  const { id: ben } = await send('POST /app/people', { body: { name: 'Ben' }, label: 'second' });
  await send('PUT /app/people/{id}', { path: [ada], body: { name: 'Ada Fixture' } });
  await send('PUT /app/person', { body: { id: ada }, token });
  await send('GET /app/people', { token });
  await send('DELETE /app/people/{id}', { path: [ben] });
  const { sessions } = await send('GET /app/sessions', { token });
  await send('DELETE /app/sessions/{id}', { path: [sessions[0].id] });
  const { code: secondCode } = await send('POST /app/sign-in-codes', { body: {}, label: 'all scopes' });
  const session = await send('POST /app/sign-in', {
    body: { code: secondCode },
    token: '',
    label: 'all scopes',
  });
  await send('POST /app/sign-out', { token: session.token });
  const scopes = ['system/*.read'];
  const created = await send('POST /app/tokens', { body: { name: 'lab feed', scopes, expiresIn: 3600 } });
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = `grant_type=client_credentials&client_id=${created.id}&client_secret=${created.token}`;
  await send('POST /oauth2/token', { body, headers: form, token: '' });
  await send('GET /app/tokens');
  await send('DELETE /app/tokens/{id}', { path: [created.id] });
  await send('GET /.well-known/smart-configuration', { token: '' });
  await send('GET /openapi.json');
  await send('GET /metrics');
}

/** The FHIR operations, with their headers. Search parameters have requests of their own. */
async function sendFhirRequests(recorder: Recorder): Promise<void> {
  const send = recorder.send.bind(recorder);
  const base = '/fhir-r4/v1/{type}';
  const record = `${base}/{id}`;
  const type = ['CarePlan'];
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  await send('GET /fhir-r4/v1/metadata', { token: '' });
  const reason = { resourceType: 'Provenance', reason: [{ text: 'As asked' }] };
  const { id } = await send(`POST ${base}`, {
    path: type,
    body: { ...plan, identifier: [{ system: 'urn:s', value: '1' }] },
    headers: { 'X-Provenance': JSON.stringify(reason), Prefer: 'return=representation' },
  });
  const path = ['CarePlan', id];
  const exists = { 'If-None-Exist': 'identifier=urn:s|1' };
  await send(`POST ${base}`, { path: type, body: plan, headers: exists, label: 'If-None-Exist' });
  await send(`POST ${base}`, { path: type, body: {}, label: 'refused' });
  await send(`GET ${base}`, { path: type, query: '?subject=p&_include=CarePlan:replaces&_count=1' });
  await send(`POST ${base}/_search`, { path: type, body: 'subject=p&_count=1', headers: form });
  await send(`GET ${base}/_history`, { path: type, query: '?_count=2' });
  await send(`POST ${base}/$validate`, { path: type, body: { ...plan, status: 'walking' } });
  await send(`GET ${record}`, { path });
  const etag = 'W/"1"';
  await send(`GET ${record}`, { path, headers: { 'If-None-Match': etag }, label: 'If-None-Match' });
  const since = { 'If-Modified-Since': new Date(Date.now() + 60_000).toUTCString() };
  await send(`GET ${record}`, { path, headers: since, label: 'If-Modified-Since' });
  await send(`GET ${record}`, { path: ['CarePlan', 'absent'], label: 'absent' });
  await send(`PUT ${record}`, { path, body: { ...plan, id, title: 'Walk' }, headers: { 'If-Match': etag } });
  await send(`PUT ${record}`, { path, body: { ...plan, id }, headers: { 'If-Match': etag }, label: 'stale' });
  const operations = [{ op: 'replace', path: '/language', value: 'en-GB' }];
  const patch = { 'Content-Type': 'application/json-patch+json', 'If-Match': 'W/"2"' };
  await send(`PATCH ${record}`, { path, body: operations, headers: patch });
  const minimal = { 'If-Match': 'W/"3"', Prefer: 'return=minimal' };
  await send(`PATCH ${record}`, { path, body: operations, headers: minimal, label: 'return=minimal' });
  const outcome = { Prefer: 'return=OperationOutcome' };
  await send(`PUT ${record}`, {
    path,
    body: { ...plan, id },
    headers: outcome,
    label: 'return=OperationOutcome',
  });
  const document = ['Composition', 'c'];
  await send(`GET ${record}/$document`, { path: document });
  await send(`POST ${record}/$document`, { path: document });
  await send(`GET ${record}/$validate`, { path: ['CarePlan', 'a'] });
  await send(`POST ${record}/$validate`, { path, body: { ...plan, id } });
  await send(`GET ${record}/_history`, { path, query: '?_count=1' });
  await send(`GET ${record}/_history/{vid}`, { path: [...path, 1] });
  await send(`DELETE ${record}`, { path, label: 'unsupported' });
}

/** Overview, search, history, supporting resources, audit and damage. */
async function sendRecordRequests(recorder: Recorder): Promise<void> {
  const send = recorder.send.bind(recorder);
  await recorder.until('/app/overview', ({ rebuild }) => required(rebuild?.state) === 'idle');
  await recorder.until('/app/find?q=fixture', ({ behind }) => required(behind) === 0);
  await send('GET /app/overview');
  await send('GET /app/overview/records', { query: '?since=2020-01-01T00:00:00Z' });
  await recorder.readStream('GET /app/changes', () =>
    send('POST /fhir-r4/v1/{type}', { path: ['CarePlan'], body: plan, label: 'streamed' }),
  );
  await send('GET /app/find', { query: '?q=fixture&limit=8' });
  await send('POST /app/issue-counts', { body: { type: 'CarePlan', ids: ['a', 'b'] } });
  await send('GET /app/facets/{type}/{name}', { path: ['CarePlan', 'status'], query: '?count=10' });
  await send('GET /app/facets/{type}/{name}', { path: ['CarePlan', 'findings'], label: 'findings' });
  await send('POST /app/subject-names', { body: { of: ['p', 'CarePlan/b'] } });
  await send('POST /app/reference-names', { body: { of: ['Condition/x', 'Patient/p'] } });
  await send('PUT /fhir-r4/v1/{type}/{id}', {
    path: ['CarePlan', 'b'],
    body: { ...plan, id: 'b', title: 'Walk', status: 'on-hold', meta: { profile: [profileUrl] } },
    label: 'history',
  });
  await send('GET /app/history/{type}/{id}', { path: ['CarePlan', 'b'], query: '?count=1' });
  await send('GET /app/provenance');
  await send('GET /app/provenance/{type}/{id}', { path: ['CarePlan', 'b'] });
  await send('GET /app/export', { query: '?type=CarePlan&status=active' });
  await send('GET /app/companions');
  await send('GET /app/companions/resolve', { query: '?reference=Patient/p' });
  await send('GET /app/companions/export', { query: '?type=Patient' });
  await send('GET /app/companions/{type}/{id}', { path: ['Patient', 'p'] });
  await send('GET /app/audit', { query: '?text=CarePlan&outcome=done&since=2020-01-01T00:00:00Z' });
  await send('GET /app/audit', { query: '?action=patch&changes=true', label: 'patch' });
  await send('GET /app/audit/actions');
  await send('GET /app/audit/events');
  await send('POST /app/audit/verify');
  await send('GET /app/losses');
  await send('POST /app/losses/{id}/read', { path: ['1'] });
  await send('GET /app/damage');
  await send('POST /app/damage/scrub');
  await send('POST /app/damage/{type}/{id}/mend', { path: ['CarePlan', 'b'], body: { backup: 'none' } });
}

/** Packages and profiles. */
async function sendPackageRequests(recorder: Recorder): Promise<void> {
  const send = recorder.send.bind(recorder);
  const { file } = await send('POST /app/packages', {
    body: await tgzOf(),
    headers: { 'Content-Type': 'application/gzip' },
  });
  await send('GET /app/packages');
  await send('POST /app/packages/look');
  await send('GET /app/profiles', { query: `?url=${encodeURIComponent(profileUrl)}` });
  const record = JSON.stringify({ ...plan, meta: { profile: [profileUrl, 'urn:absent'] }, title: undefined });
  await send('POST /app/profiles/findings', { body: { type: 'CarePlan', record } });
  const isDone = ({ done, total }: Json) => required(done) === required(total);
  await recorder.until('/app/profiles/progress', (types) => types.length > 0 && types.every(isDone));
  await recorder.until('/app/quality', ({ undecided }) => undecided !== undefined);
  await send('GET /app/profiles/progress');
  await send('GET /app/profiles/undecided', { query: '?type=CarePlan' });
  await send('GET /app/quality', { label: 'profiles' });
  await send('DELETE /app/packages/{file}', { path: [file] });
  await recorder.until('/app/quality', ({ undecided }) => undecided === undefined);
}

/** The worklist and custom checks. */
async function sendQualityRequests(recorder: Recorder): Promise<void> {
  const send = recorder.send.bind(recorder);
  const id = 'has-goal';
  await send('PUT /app/checks/{id}', { path: [id], body: { ...custom, active: true, version: 0 } });
  await recorder.until(
    '/app/checks',
    ([{ progress }]) => progress && required(progress.done) === required(progress.total),
  );
  await send('GET /app/checks');
  const { type, applies, holds, points } = custom;
  await send('POST /app/checks/try', { body: { type, applies, holds, points } });
  await send('POST /app/checks/findings', { body: { type: 'CarePlan', record: JSON.stringify(plan) } });
  await send('GET /app/checks/{id}/skipped', { path: [id] });
  await recorder.until('/app/overview', ({ rebuild }) => required(rebuild?.state) === 'idle');
  await send('GET /app/quality', { query: '?type=CarePlan&state=open' });
  const { findings } = await send('GET /app/quality/findings', { query: '?severity=error&count=1' });
  await send('GET /app/quality/findings', {
    query: '?category=completeness&text=goal&count=1',
    label: 'check',
  });
  await send('GET /app/quality/records/{type}/{id}', { path: ['CarePlan', 'a'] });
  await send('GET /app/quality.csv');
  const places = findings.map(({ type, id, rule, pointer }: Json) => ({ type, id, rule, pointer }));
  const assigned = { set: 'assigned', assignee: 'Ada', findings: places };
  await send('PUT /app/quality/states', { body: assigned });
  await send('PUT /app/quality/states', {
    body: { set: 'note', note: 'Ask', findings: places },
    label: 'note',
  });
  const waiver = { set: 'waived', reason: 'Known', until: '2999-01-01', findings: places };
  await send('GET /app/quality/findings', { query: '?state=assigned&assignee=Ada', label: 'assigned' });
  await send('PUT /app/quality/states', { body: waiver, label: 'waived' });
  await send('GET /app/quality/findings', { query: '?state=waived', label: 'waived' });
  await send('PUT /app/quality/states', { body: { set: 'open', filter: 'state=waived' }, label: 'open' });
  for (const by of ['record', 'patient', 'rule', 'source', 'author', 'month'])
    await send('GET /app/quality/groups', { query: `?by=${by}`, label: by });
  const today = new Date().toISOString().slice(0, 10);
  const days = `?from=${today}&to=${today}`;
  const hasCheck = ({ check }: Json) => check === `my/${id}`;
  await recorder.until(`/app/quality/measures${days}`, ({ series }) => series.some(hasCheck));
  await send('GET /app/quality/measures', { query: days });
  await send('GET /app/quality/measures.csv', { query: days });
  await send('GET /app/quality/compared', { query: days });
  await send('GET /app/quality/report', { query: days });
  await send('POST /app/quality/judge');
  await recorder.until('/app/overview', ({ rebuild }) => required(rebuild?.state) === 'idle');
  await send('DELETE /app/checks/{id}', { path: [id] });
}
