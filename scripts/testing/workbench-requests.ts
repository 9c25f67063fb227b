/** Requests to the addresses of the workbench, for `previous-requests.ts`. */
import { required, type Json, type Recorder, type RequestOptions, type Server } from './request-recorder.ts';
import { preferences, query, summary } from './request-samples.ts';

/** Bulk runs, drafts, searches and activity. */
export async function sendWorkRequests(recorder: Recorder): Promise<void> {
  const send = recorder.send.bind(recorder);
  const operations = [{ path: '/language', value: '"en"', now: '"de"' }];
  const { id } = await send('POST /app/bulk', { body: { label: 'All', operations } });
  const compute = { kind: 'compute', path: '/title', expression: "'x'" };
  const fix = { kind: 'fix', fix: 'schema-code' };
  await send('POST /app/bulk', { body: { label: 'Computed', operations: [compute, fix] }, label: 'compute' });
  const done = { state: 'done', version: 2, etag: 'W/"2"', before: { version: 1, etag: 'W/"1"' } };
  const failedTarget = { place: 1, ...summary, id: 'a', state: 'failed', detail: 'Refused.' };
  await send('POST /app/bulk/{id}/targets', {
    path: [id],
    body: [{ place: 0, ...summary, ...done }, failedTarget],
  });
  await send('GET /app/bulk/{id}', { path: [id] });
  await send('GET /app/bulk/{id}/targets', { path: [id] });
  await send('PUT /app/bulk/{id}', { path: [id], body: { state: 'finished' } });
  const undo = await send('POST /app/bulk', { body: { label: 'Undo', undoes: id }, label: 'undo' });
  await send('POST /app/bulk/{id}/targets/{place}/put-back', { path: [undo.id, 0] });
  await send('GET /app/bulk');
  await send('DELETE /app/bulk/{id}', { path: [undo.id] });

  const texts = { text: '{"title": 1}', base: '{}', baseVersion: 1, baseEtag: 'W/"1"' };
  const draft = { type: 'CarePlan', recordId: 'b', title: 'Walk', window: 'w', ...texts };
  await send('PUT /app/drafts/{id}', { path: ['one'], body: draft });
  await send('GET /app/drafts');
  await send('GET /app/drafts/{id}', { path: ['one'] });
  await send('POST /app/drafts/{id}/claim', { path: ['one'], body: { window: 'other' } });
  await send('DELETE /app/drafts/{id}', { path: ['one'] });

  await send('POST /app/recents', { body: query });
  await send('GET /app/recents');
  await send('DELETE /app/recents');
  const search = await send('POST /app/searches', { body: { name: 'Mine', ...query } });
  await send('PUT /app/searches/{id}', { path: [search.id], body: { name: 'Active' } });
  await send('GET /app/searches');

  const counts = { stored: 1 };
  await send('POST /app/activity', {
    body: { kind: 'import', note: 'One record', counts, connection: 'Local' },
  });
  const workbench = { 'X-Chartkeeper-Client': 'workbench' };
  const path = ['CarePlan', 'b'];
  await send('GET /fhir-r4/v1/{type}/{id}', { path, headers: workbench, label: 'workbench' });
  await send('GET /app/activity', { query: '?method=GET&status=2xx&kind=read&text=CarePlan&count=1' });
  await send('GET /app/activity', { query: '?kind=import&since=2020-01-01T00:00:00Z', label: 'jobs' });
  await send('DELETE /app/activity');
}

/** Connections: this server, as a client of itself. */
export async function sendConnectionRequests(recorder: Recorder, { origin, token }: Server): Promise<void> {
  const send = recorder.send.bind(recorder);
  const settings = {
    name: 'Self',
    baseUrl: `${origin}/fhir-r4/v1`,
    colour: 'teal',
    environment: 'test',
    mode: 'confirm',
    authentication: { kind: 'bearer' },
    proxy: { kind: 'none' },
    timeoutSeconds: 30,
    encounterParameter: 'encounter',
    patchType: 'application/json',
  };
  const { id } = await send('POST /app/connections', { body: settings });
  const signIn = {
    ...settings,
    name: 'Far',
    baseUrl: 'http://127.0.0.1:1/fhir',
    proxy: { kind: 'address', url: 'http://127.0.0.1:1', user: 'ada' },
    authentication: {
      kind: 'authorization-code',
      clientId: 'c',
      scope: 's',
      tokenEndpoint: 'http://127.0.0.1:1/token',
      authorizationEndpoint: 'http://127.0.0.1:1/authorize',
    },
  };
  const { id: farId } = await send('POST /app/connections', { body: signIn, label: 'authorization-code' });
  await send('GET /app/connections/{id}', { path: [id] });
  await send('PUT /app/connections', { body: { order: [farId, id] } });
  await send('PUT /app/connections/{id}', { path: [id], body: { ...settings, name: 'Here' } });
  await send('PUT /app/connections/{id}/secret', { path: [id], body: { secret: token } });
  await send('PUT /app/connections/{id}/secrets/{kind}', { path: [farId, 'proxy'], body: { secret: 's' } });
  await send('GET /app/connections');
  await send('DELETE /app/connections/{id}/secrets/{kind}', { path: [farId, 'proxy'] });
  await send('POST /app/connections/test', { body: { settings, secrets: { secret: token } } });
  await send('POST /app/connections/{id}/test', { path: [id] });
  await send('POST /app/connections/{id}/test', { path: [farId], label: 'failed' });
  const gateway = 'any /app/connections/{id}/fhir-r4/v1/*';
  const forward = (method: string, path: string, options: RequestOptions) =>
    send(`${method} ${gateway.slice(4)}`, { path: [id, path], ...options });
  const searched = await forward('GET', 'CarePlan?subject=p&_count=1', {});
  await forward('GET', 'CarePlan/b', { label: 'read' });
  const operations = [{ op: 'replace', path: '/title', value: 'Far' }];
  const confirmed = { 'X-Chartkeeper-Confirmed': new URL(origin).host };
  await forward('PATCH', 'CarePlan/b', { body: operations, label: 'unconfirmed' });
  await forward('PATCH', 'CarePlan/b', { body: operations, headers: confirmed });
  const next = searched.link.find(({ relation }: Json) => relation === 'next').url;
  const link = new URL(next, origin);
  const remote = `${origin}/fhir-r4/v1/CarePlan${link.search}`;
  await send('GET /app/connections/{id}/page', {
    path: [id],
    query: `?type=CarePlan&link=${encodeURIComponent(remote)}`,
  });
  await send('POST /app/connections/{id}/quality/judge', { path: [id], body: { from: 'start' } });
  await recorder.until(`/app/connections/${id}/quality`, ({ job }) => required(job?.state) === 'done');
  await send('GET /app/connections/{id}/quality', { path: [id] });
  await send('GET /app/connections/{id}/quality/findings', { path: [id], query: '?count=1' });
  await send('GET /app/connections/{id}/quality.csv', { path: [id] });
  await send('POST /app/connections/{id}/quality/stop', { path: [id] });
  const headersOfConnection = { 'X-Chartkeeper-Connection': id };
  await send('GET /app/searches', { headers: headersOfConnection, label: 'of a connection' });
  await send('GET /app/bulk', { headers: headersOfConnection, label: 'of a connection' });
  await send('POST /app/connections/{id}/sign-in', { path: [farId] });
  await send('POST /app/connections/{id}/sign-out', { path: [farId] });
  await send('POST /app/connections/sign-out');
  await send('DELETE /app/connections/{id}/secret', { path: [id] });
  await send('DELETE /app/connections/{id}', { path: [farId] });
}

/** Preferences, session and settings files. */
export async function sendSettingsRequests(recorder: Recorder): Promise<void> {
  const send = recorder.send.bind(recorder);
  for (const [name, ...values] of preferences)
    for (const value of values) {
      const label = `${name} ${JSON.stringify(value)}`;
      await send('PUT /app/preferences', { body: { [String(name)]: value }, label, isBrief: true });
    }
  await send('PUT /app/preferences', { body: { theme: 'auto', demandReason: false } });
  await send('GET /app/preferences');
  const { files } = await send('GET /app/settings/files');
  await send('POST /app/settings/files', { body: { files, dryRun: true } });
  const tabs = [
    { kind: 'record', record: summary },
    ...['overview', 'quality', 'activity', 'data', 'trust'].map((view) => ({ kind: 'view', view })),
  ];
  await send('PUT /app/session', { body: { tabs, active: 0, search: query, recent: [summary] } });
  await send('GET /app/session');
  const searches = await send('GET /app/searches', { label: 'last' });
  await send('DELETE /app/searches/{id}', { path: [searches[0].id] });
}

/** Backups, erasures and the reset, which remove records. */
export async function sendBackupRequests(recorder: Recorder): Promise<void> {
  const send = recorder.send.bind(recorder);
  const { name } = await send('POST /app/backups');
  await send('PUT /app/backups/second-place', { body: { folder: null } });
  await send('GET /app/backups');
  await send('POST /app/erasures', { body: { type: 'CarePlan', id: 'd', reason: 'Asked for.' } });
  await send('GET /app/erasures');
  await send('GET /fhir-r4/v1/{type}/{id}', { path: ['CarePlan', 'd'], label: 'erased' });
  await send('POST /app/backups/{name}/restore', { path: [name] });
  await send('DELETE /app/companions/{type}', { path: ['Condition'] });
  await send('DELETE /app/companions');
  await send('POST /app/training/reset', { body: { others: 1000 } });
}

/** Training data and exercises. */
export async function sendTrainingRequests(recorder: Recorder): Promise<void> {
  const send = recorder.send.bind(recorder);
  await send('POST /app/demo');
  await send('POST /app/training/{set}', { path: ['migration'] });
  await send('GET /app/training/migration/defects');
  await send('POST /app/training/writer', { body: { seconds: 60 } });
  await send('GET /app/training');
  await send('DELETE /app/training/writer');
  for (const exercise of ['find', 'mend', 'conflict', 'patch', 'bulk'])
    await send('POST /app/practice/{exercise}', { path: [exercise], label: exercise });
  await send('POST /app/practice/conflict/colleague');
  await send('GET /app/practice');
}
