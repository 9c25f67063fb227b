import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provenanceOf } from '../../core/api/provenance.ts';
import { AuditPage } from '../../core/app/audit.ts';
import { HistoryPage } from '../../core/app/history.ts';
import { People, Person } from '../../core/app/people.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { tokenFor } from '../testing/sign-in.ts';
import {
  carePlan,
  onSharedStore,
  sendTo,
  startTestServer,
  type Answer,
  type TestServer,
} from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';
import { messageCodeOf } from '../testing/message-code.ts';

/** Not run on a shared store, which has no window of its own and no erasure. */
const testLocal = test.skipIf(onSharedStore);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const plans = '/fhir-r4/v1/CarePlan';
const replace = (value: string) => JSON.stringify([{ op: 'replace', path: '/title', value }]);
const withReason = (reason: string, person?: string) => ({
  'X-Provenance': provenanceOf(reason, new Date(0), person),
});

interface Session {
  send(...request: Parameters<TestServer['send']>): Promise<Answer>;
}

/** Starts a session, like the browser of a person. */
async function startSession(): Promise<Session> {
  const token = await tokenFor(server.origin, await server.signInCode());
  return { send: (...request) => sendAs(server, `Bearer ${token}`, ...request) };
}

async function setPerson(session: Session, name: string): Promise<string> {
  const { json } = await session.send('POST', '/app/people', JSON.stringify({ name }));
  if (!matchesSchema(Person, json)) throw new Error('nobody was named');
  expect((await session.send('PUT', '/app/person', JSON.stringify({ id: json.id }))).status).toBe(204);
  return json.id;
}

async function readPeople(session: Session): Promise<People> {
  const { json } = await session.send('GET', '/app/people');
  if (!matchesSchema(People, json)) throw new Error('no people');
  return json;
}

async function readHistory(id: string) {
  const { json } = await server.send('GET', `/app/history/CarePlan/${id}`);
  if (!matchesSchema(HistoryPage, json)) throw new Error('no history');
  return json.versions.map(({ author, person, reason }) => ({ author, person, reason }));
}

async function listEntries(id: string) {
  const { json } = await server.send('GET', `/app/audit?text=${id}&changes=true`);
  if (!matchesSchema(AuditPage, json)) throw new Error('no trail');
  return json.entries.map(({ who: author, person, reason }) => ({ who: author, person, reason }));
}

async function readLines(path: string): Promise<Record<string, unknown>[]> {
  const { text } = await server.send('GET', path);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function create(session: Session = server, headers?: Record<string, string>): Promise<string> {
  const { json } = await session.send('POST', plans, carePlan('Patient/1', ',"title":"A"'), headers);
  return json.id;
}

test('records the current person and the reason in history, audit log and exports', async () => {
  const stewardSession = await startSession();
  await setPerson(stewardSession, 'Robin Steward');
  const id = await create(stewardSession);
  await stewardSession.send('PATCH', `${plans}/${id}`, replace('B'), withReason('Der Titel hieß anders.'));
  const fullText = carePlan('Patient/1', `,"id":"${id}","title":"C"`);
  await stewardSession.send('PUT', `${plans}/${id}`, fullText, withReason('  Once more. '));
  const person = 'Robin Steward';
  expect(await readHistory(id)).toEqual([
    { author: 'owner', person, reason: 'Once more.' },
    { author: 'owner', person, reason: 'Der Titel hieß anders.' },
    { author: 'owner', person, reason: undefined },
  ]);
  expect(await listEntries(id)).toEqual([
    { who: 'owner', person, reason: 'Once more.' },
    { who: 'owner', person, reason: 'Der Titel hieß anders.' },
    { who: 'owner', person, reason: undefined },
  ]);
  const events = await readLines('/app/audit/events');
  expect(events.filter((event) => 'purposeOfEvent' in event)).toMatchObject([
    { agent: [{ name: person, altId: 'owner' }], purposeOfEvent: [{ text: 'Der Titel hieß anders.' }] },
    { purposeOfEvent: [{ text: 'Once more.' }] },
  ]);
  const provenances = await readLines(`/app/provenance/CarePlan/${id}`);
  expect(provenances).toMatchObject([
    { resourceType: 'Provenance', activity: { coding: [{ code: 'CREATE' }] } },
    {
      target: [{ reference: `CarePlan/${id}/_history/2` }],
      activity: { coding: [{ code: 'UPDATE' }] },
      reason: [{ text: 'Der Titel hieß anders.' }],
      agent: [{ who: { display: person } }, { who: { display: 'owner' } }],
    },
    { reason: [{ text: 'Once more.' }] },
  ]);
  expect(await readLines('/app/provenance')).toEqual(expect.arrayContaining(provenances));
});

test('uses the person of the session only and the name of a token', async () => {
  const stewardSession = await startSession();
  await setPerson(stewardSession, 'Robin Steward');
  const id = await create(stewardSession, withReason('First.', 'Somebody Else'));
  const { token } = await createClientToken(server, ['system/*.*']);
  const tokenSession: Session = {
    send: (...request) => sendTo(server.origin, `Bearer ${token}`, ...request),
  };
  await tokenSession.send('PATCH', `${plans}/${id}`, replace('B'), withReason('Second.', 'Robin Steward'));
  expect(await readHistory(id)).toEqual([
    { author: 'test', person: undefined, reason: 'Second.' },
    { author: 'owner', person: 'Robin Steward', reason: 'First.' },
  ]);
  const rejection = await tokenSession.send('PUT', '/app/person', '{"id":null}');
  expect(rejection.status).toBe(422);
  expect(messageCodeOf(rejection.json.issue[0])).toBe('person.tokenWithoutSession');
});

test('keeps one person per session and starts with the last person of the name', async () => {
  const [firstSession, secondSession] = [await startSession(), await startSession()];
  const robin = await setPerson(firstSession, 'Robin Steward');
  const kim = await setPerson(secondSession, 'Kim Warden');
  expect((await readPeople(firstSession)).current).toBe(robin);
  expect((await readPeople(secondSession)).current).toBe(kim);
  expect((await readPeople(await startSession())).current).toBe(kim);
  expect((await readPeople(server)).people).toEqual([
    { id: kim, name: 'Kim Warden' },
    { id: robin, name: 'Robin Steward' },
  ]);
  const sessionList = (await server.send('GET', '/app/sessions')).json.sessions as { person?: string }[];
  expect(sessionList.map(({ person }) => person)).toEqual(
    expect.arrayContaining(['Robin Steward', 'Kim Warden']),
  );
  await secondSession.send('PUT', '/app/person', '{"id":null}');
  expect(await readPeople(secondSession)).not.toHaveProperty('current');
  expect(await readPeople(await startSession())).not.toHaveProperty('current');
});

testLocal('the launch’s token is a person’s at the desktop’s window, and a program’s elsewhere', async () => {
  expect((await server.send('PUT', '/app/person', '{"id":null}')).status).toBe(422);
  const desktop = await startTestServer({}, undefined, { atWindow: true });
  try {
    const robin = await setPerson(desktop, 'Robin Steward');
    expect((await readPeople(desktop)).current).toBe(robin);
    const createResponse = await desktop.send('POST', plans, carePlan('Patient/1'));
    const { json } = await desktop.send('GET', `/app/history/CarePlan/${createResponse.json.id as string}`);
    expect(json.versions).toMatchObject([{ author: 'owner', person: 'Robin Steward' }]);
    await desktop.send('PUT', '/app/preferences', '{"demandReason":true}');
    expect((await desktop.send('POST', plans, carePlan('Patient/1'))).status).toBe(422);
  } finally {
    await desktop.remove();
  }
});

test('renames and removes a person and keeps the name of stored versions', async () => {
  const stewardSession = await startSession();
  const id = await setPerson(stewardSession, 'Alex Wrong');
  const record = await create(stewardSession);
  expect((await stewardSession.send('PUT', `/app/people/${id}`, '{"name":"Alex Right"}')).status).toBe(200);
  await stewardSession.send('PATCH', `${plans}/${record}`, replace('B'));
  expect((await stewardSession.send('DELETE', `/app/people/${id}`)).status).toBe(204);
  await stewardSession.send('PATCH', `${plans}/${record}`, replace('C'));
  expect((await readHistory(record)).map(({ person }) => person)).toEqual([
    undefined,
    'Alex Right',
    'Alex Wrong',
  ]);
  expect(await readPeople(stewardSession)).not.toHaveProperty('current');
});

test.each([
  ['POST', '/app/people', '{"name":""}', 400],
  ['POST', '/app/people', '{"name":" a"}', 400],
  ['POST', '/app/people', '{"name":"a\\nb"}', 400],
  ['POST', '/app/people', `{"name":"${'x'.repeat(101)}"}`, 400],
  ['POST', '/app/people', '[]', 400],
  ['PUT', '/app/people/none', '{"name":"a"}', 404],
  ['DELETE', '/app/people/none', undefined, 404],
  ['PUT', '/app/person', '{"id":"none"}', 404],
  ['PUT', '/app/person', '{"id":1}', 400],
])('%s %s of %s is refused: %i', async (method, path, body, status) => {
  const answer = await (await startSession()).send(method, path, body);
  expect(answer.status).toBe(status);
  expect(answer.json.resourceType).toBe('OperationOutcome');
});

test('returns the same person for a name and rejects a second person with it', async () => {
  const stewardSession = await startSession();
  const [firstId, repeatedId] = [
    await setPerson(stewardSession, 'Sam Once'),
    await setPerson(stewardSession, 'Sam Once'),
  ];
  expect(repeatedId).toBe(firstId);
  const otherId = await setPerson(stewardSession, 'Sam Twice');
  expect((await stewardSession.send('PUT', `/app/people/${otherId}`, '{"name":"Sam Once"}')).status).toBe(
    409,
  );
});

const wrong = [
  '',
  'x',
  '[]',
  '"Provenance"',
  '{"resourceType":"Patient"}',
  '{"resourceType":"Provenance","reason":1}',
];
test.each([...wrong, `{"resourceType":"Provenance","reason":[{"text":"${'x'.repeat(1001)}"}]}`])(
  'rejects an invalid Provenance header with 400 and stores nothing: %.60s',
  async (value) => {
    const id = await create();
    const answer = await server.send('PATCH', `${plans}/${id}`, replace('B'), { 'X-Provenance': value });
    expect(answer.status).toBe(400);
    expect(answer.json.issue[0]).toMatchObject({ code: 'value', location: ['http.X-Provenance'] });
    expect(await readHistory(id)).toHaveLength(1);
  },
);

test('requires a reason of people if the setting is on, never of tokens', async () => {
  const stewardSession = await startSession();
  const id = await create(stewardSession);
  await server.send('PUT', '/app/preferences', '{"demandReason":true}');
  try {
    const rejection = await stewardSession.send('PATCH', `${plans}/${id}`, replace('B'));
    expect(rejection.status).toBe(422);
    expect(rejection.json.issue[0]).toMatchObject({ code: 'business-rule', location: ['http.X-Provenance'] });
    expect((await stewardSession.send('POST', plans, carePlan('Patient/1'))).status).toBe(422);
    expect(
      (await stewardSession.send('PATCH', `${plans}/${id}`, replace('B'), withReason('Wrong.'))).status,
    ).toBe(200);
    expect((await server.send('PATCH', `${plans}/${id}`, replace('C'))).status).toBe(200);
  } finally {
    await server.send('PUT', '/app/preferences', '{"demandReason":false}');
  }
  expect((await stewardSession.send('PATCH', `${plans}/${id}`, replace('D'))).status).toBe(200);
});

testLocal(
  'the reason of an erased record is erased with it; the trail keeps its sum, and is whole',
  async () => {
    const reason = 'Because of the canary in the cellar.';
    const id = await create(server, withReason(reason));
    expect((await listEntries(id))[0]).toMatchObject({ reason });
    await server.send(
      'POST',
      '/app/erasures',
      JSON.stringify({ type: 'CarePlan', id, reason: 'Asked for.' }),
    );
    expect((await listEntries(id)).at(-1)).toEqual({ who: 'owner', person: undefined, reason: undefined });
    expect((await server.send('POST', '/app/audit/verify')).json).not.toHaveProperty('broken');
    const dataFiles = await readdir(server.dataDir);
    for (const file of dataFiles.filter((name) => name.startsWith('records.db'))) {
      expect((await readFile(join(server.dataDir, file))).includes(reason)).toBe(false);
    }
  },
);
