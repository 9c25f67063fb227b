import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provenanceOf } from '../../core/api/provenance.ts';
import { AuditPage } from '../../core/app/audit.ts';
import { HistoryPage } from '../../core/app/history.ts';
import { People, Person } from '../../core/app/people.ts';
import { is } from '../../core/json/shape.ts';
import { tokenFor } from '../testing/sign-in.ts';
import {
  carePlan,
  onSharedStore,
  sendTo,
  startTestServer,
  type Answer,
  type TestServer,
} from '../testing/test-server.ts';
import { mint, sendAs } from '../testing/tokens.ts';

/** Of what a server over a shared store has not: a window of its own, erasure. */
const ofFolder = test.skipIf(onSharedStore);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const plans = '/fhir-r4/v1/CarePlan';
const replace = (value: string) => JSON.stringify([{ op: 'replace', path: '/title', value }]);
const because = (reason: string, person?: string) => ({
  'X-Provenance': provenanceOf(reason, new Date(0), person),
});

interface Session {
  send(...request: Parameters<TestServer['send']>): Promise<Answer>;
}

/** A session of its own, as a person's browser has it. */
async function session(): Promise<Session> {
  const token = await tokenFor(server.origin, await server.signInCode());
  return { send: (...request) => sendAs(server, `Bearer ${token}`, ...request) };
}

async function seat(at: Session, name: string): Promise<string> {
  const { json } = await at.send('POST', '/app/people', JSON.stringify({ name }));
  if (!is(Person, json)) throw new Error('nobody was named');
  expect((await at.send('PUT', '/app/person', JSON.stringify({ id: json.id }))).status).toBe(204);
  return json.id;
}

async function peopleOf(at: Session): Promise<People> {
  const { json } = await at.send('GET', '/app/people');
  if (!is(People, json)) throw new Error('no people');
  return json;
}

async function historyOf(id: string) {
  const { json } = await server.send('GET', `/app/history/CarePlan/${id}`);
  if (!is(HistoryPage, json)) throw new Error('no history');
  return json.versions.map(({ author, person, reason }) => ({ author, person, reason }));
}

async function entriesOf(id: string) {
  const { json } = await server.send('GET', `/app/audit?text=${id}&changes=true`);
  if (!is(AuditPage, json)) throw new Error('no trail');
  return json.entries.map(({ who, person, reason }) => ({ who, person, reason }));
}

async function linesAt(path: string): Promise<Record<string, unknown>[]> {
  const { text } = await server.send('GET', path);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function create(at: Session = server, headers?: Record<string, string>): Promise<string> {
  const { json } = await at.send('POST', plans, carePlan('Patient/1', ',"title":"A"'), headers);
  return json.id;
}

test('whoever sits at the keyboard stands beside the session, with the reason: in history, audit and exports', async () => {
  const at = await session();
  await seat(at, 'Robin Steward');
  const id = await create(at);
  await at.send('PATCH', `${plans}/${id}`, replace('B'), because('Der Titel hieß anders.'));
  const whole = carePlan('Patient/1', `,"id":"${id}","title":"C"`);
  await at.send('PUT', `${plans}/${id}`, whole, because('  Once more. '));
  const person = 'Robin Steward';
  expect(await historyOf(id)).toEqual([
    { author: 'owner', person, reason: 'Once more.' },
    { author: 'owner', person, reason: 'Der Titel hieß anders.' },
    { author: 'owner', person, reason: undefined },
  ]);
  expect(await entriesOf(id)).toEqual([
    { who: 'owner', person, reason: 'Once more.' },
    { who: 'owner', person, reason: 'Der Titel hieß anders.' },
    { who: 'owner', person, reason: undefined },
  ]);
  const events = await linesAt('/app/audit/events');
  expect(events.filter((event) => 'purposeOfEvent' in event)).toMatchObject([
    { agent: [{ name: person, altId: 'owner' }], purposeOfEvent: [{ text: 'Der Titel hieß anders.' }] },
    { purposeOfEvent: [{ text: 'Once more.' }] },
  ]);
  const proven = await linesAt(`/app/provenance/CarePlan/${id}`);
  expect(proven).toMatchObject([
    { resourceType: 'Provenance', activity: { coding: [{ code: 'CREATE' }] } },
    {
      target: [{ reference: `CarePlan/${id}/_history/2` }],
      activity: { coding: [{ code: 'UPDATE' }] },
      reason: [{ text: 'Der Titel hieß anders.' }],
      agent: [{ who: { display: person } }, { who: { display: 'owner' } }],
    },
    { reason: [{ text: 'Once more.' }] },
  ]);
  expect(await linesAt('/app/provenance')).toEqual(expect.arrayContaining(proven));
});

test('the person is the session’s: no header names one, and a token writes under its own name', async () => {
  const at = await session();
  await seat(at, 'Robin Steward');
  const id = await create(at, because('First.', 'Somebody Else'));
  const { token } = await mint(server, ['system/*.*']);
  const other: Session = { send: (...request) => sendTo(server.origin, `Bearer ${token}`, ...request) };
  await other.send('PATCH', `${plans}/${id}`, replace('B'), because('Second.', 'Robin Steward'));
  expect(await historyOf(id)).toEqual([
    { author: 'test', person: undefined, reason: 'Second.' },
    { author: 'owner', person: 'Robin Steward', reason: 'First.' },
  ]);
  const refused = await other.send('PUT', '/app/person', '{"id":null}');
  expect(refused.status).toBe(422);
  expect(refused.json.issue[0].details.text).toMatch(/no session/);
});

test('each session has its own person; a new one begins as the last of its name', async () => {
  const [one, two] = [await session(), await session()];
  const robin = await seat(one, 'Robin Steward');
  const kim = await seat(two, 'Kim Warden');
  expect((await peopleOf(one)).current).toBe(robin);
  expect((await peopleOf(two)).current).toBe(kim);
  expect((await peopleOf(await session())).current).toBe(kim);
  expect((await peopleOf(server)).people).toEqual([
    { id: kim, name: 'Kim Warden' },
    { id: robin, name: 'Robin Steward' },
  ]);
  const ofThese = (await server.send('GET', '/app/sessions')).json.sessions as { person?: string }[];
  expect(ofThese.map(({ person }) => person)).toEqual(
    expect.arrayContaining(['Robin Steward', 'Kim Warden']),
  );
  await two.send('PUT', '/app/person', '{"id":null}');
  expect(await peopleOf(two)).not.toHaveProperty('current');
  expect(await peopleOf(await session())).not.toHaveProperty('current');
});

ofFolder('the launch’s token is a person’s at the desktop’s window, and a program’s elsewhere', async () => {
  expect((await server.send('PUT', '/app/person', '{"id":null}')).status).toBe(422);
  const desktop = await startTestServer({}, undefined, { atWindow: true });
  try {
    const robin = await seat(desktop, 'Robin Steward');
    expect((await peopleOf(desktop)).current).toBe(robin);
    const made = await desktop.send('POST', plans, carePlan('Patient/1'));
    const { json } = await desktop.send('GET', `/app/history/CarePlan/${made.json.id as string}`);
    expect(json.versions).toMatchObject([{ author: 'owner', person: 'Robin Steward' }]);
    await desktop.send('PUT', '/app/preferences', '{"demandReason":true}');
    expect((await desktop.send('POST', plans, carePlan('Patient/1'))).status).toBe(422);
  } finally {
    await desktop.remove();
  }
});

test('a name is mended or taken away; what was saved keeps the name that it has', async () => {
  const at = await session();
  const id = await seat(at, 'Alex Wrong');
  const record = await create(at);
  expect((await at.send('PUT', `/app/people/${id}`, '{"name":"Alex Right"}')).status).toBe(200);
  await at.send('PATCH', `${plans}/${record}`, replace('B'));
  expect((await at.send('DELETE', `/app/people/${id}`)).status).toBe(204);
  await at.send('PATCH', `${plans}/${record}`, replace('C'));
  expect((await historyOf(record)).map(({ person }) => person)).toEqual([
    undefined,
    'Alex Right',
    'Alex Wrong',
  ]);
  expect(await peopleOf(at)).not.toHaveProperty('current');
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
  const answer = await (await session()).send(method, path, body);
  expect(answer.status).toBe(status);
  expect(answer.json.resourceType).toBe('OperationOutcome');
});

test('a name that somebody has is given once: again it is the same person, and nobody else takes it', async () => {
  const at = await session();
  const [one, again] = [await seat(at, 'Sam Once'), await seat(at, 'Sam Once')];
  expect(again).toBe(one);
  const other = await seat(at, 'Sam Twice');
  expect((await at.send('PUT', `/app/people/${other}`, '{"name":"Sam Once"}')).status).toBe(409);
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
  'a header that is no Provenance is 400 and stores nothing: %.60s',
  async (value) => {
    const id = await create();
    const answer = await server.send('PATCH', `${plans}/${id}`, replace('B'), { 'X-Provenance': value });
    expect(answer.status).toBe(400);
    expect(answer.json.issue[0]).toMatchObject({ code: 'value', location: ['http.X-Provenance'] });
    expect(await historyOf(id)).toHaveLength(1);
  },
);

test('a reason is demanded of people where the setting says so, never of tokens', async () => {
  const at = await session();
  const id = await create(at);
  await server.send('PUT', '/app/preferences', '{"demandReason":true}');
  try {
    const refused = await at.send('PATCH', `${plans}/${id}`, replace('B'));
    expect(refused.status).toBe(422);
    expect(refused.json.issue[0]).toMatchObject({ code: 'business-rule', location: ['http.X-Provenance'] });
    expect((await at.send('POST', plans, carePlan('Patient/1'))).status).toBe(422);
    expect((await at.send('PATCH', `${plans}/${id}`, replace('B'), because('Wrong.'))).status).toBe(200);
    expect((await server.send('PATCH', `${plans}/${id}`, replace('C'))).status).toBe(200);
  } finally {
    await server.send('PUT', '/app/preferences', '{"demandReason":false}');
  }
  expect((await at.send('PATCH', `${plans}/${id}`, replace('D'))).status).toBe(200);
});

ofFolder(
  'the reason of an erased record is erased with it; the trail keeps its sum, and is whole',
  async () => {
    const reason = 'Because of the canary in the cellar.';
    const id = await create(server, because(reason));
    expect((await entriesOf(id))[0]).toMatchObject({ reason });
    await server.send(
      'POST',
      '/app/erasures',
      JSON.stringify({ type: 'CarePlan', id, reason: 'Asked for.' }),
    );
    expect((await entriesOf(id)).at(-1)).toEqual({ who: 'owner', person: undefined, reason: undefined });
    expect((await server.send('POST', '/app/audit/verify')).json).not.toHaveProperty('broken');
    const held = await readdir(server.dataDir);
    for (const file of held.filter((name) => name.startsWith('records.db'))) {
      expect((await readFile(join(server.dataDir, file))).includes(reason)).toBe(false);
    }
  },
);
