import { afterEach, expect, onTestFinished, test } from 'vitest';
import { connectionHeader } from '../../core/app/connections.ts';
import { expensiveExpression, longToParse, manyNotes } from '../../core/fhirpath/testing/expensive.ts';
import { setOf } from '../../core/fhir/profiles/testing/sets.ts';
import { goodPlan, wardDefinitions, wardPlan } from '../../core/fhir/profiles/testing/profiles.ts';
import { noConformance, type ConformanceSet } from '../../core/fhir/profiles/conformance.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { createProfileRunner, type ProfileRunner } from './profile-runner.ts';

let server: TestServer | undefined;
let runner: ProfileRunner | undefined;
afterEach(async () => {
  await runner?.close();
  await server?.remove();
});

const at = '/fhir-r4/v1/CarePlan';
const claiming = { ...goodPlan, meta: { profile: [wardPlan] } };

/** A server whose packages are others from one moment to the next. */
async function start(first: ConformanceSet) {
  const told: (() => void)[] = [];
  let set = first;
  server = await startTestServer({}, undefined, {
    conformance: { set: () => set, onChange: (listener) => void told.push(listener) },
  });
  const { judging } = server;
  const send = server.send.bind(server);
  return {
    send,
    settled: () => judging.checks.idle(),
    async load(next: ConformanceSet) {
      set = next;
      for (const listener of told) listener();
      await judging.checks.idle();
    },
    store: async (record: unknown) => (await send('POST', at, JSON.stringify(record))).json.id as string,
    async found(): Promise<Json[]> {
      const { findings } = (await send('GET', '/app/quality/findings?count=1000')).json;
      return findings.filter(({ rule }: Json) => rule.startsWith('profile/'));
    },
    async progress(): Promise<Json> {
      const [one] = (await send('GET', '/app/profiles/progress')).json;
      return one;
    },
  };
}

test('records that are stored are judged anew when a package comes and when it goes, and nobody touches them', async () => {
  const on = await start(noConformance);
  const broken = await on.store({ ...claiming, period: undefined });
  await on.store(claiming);
  await on.store(goodPlan);
  expect(await on.progress()).toBeUndefined();
  await on.load(setOf(wardDefinitions));
  expect(await on.found()).toMatchObject([
    {
      id: broken,
      rule: 'profile/ward-plan#CarePlan.period/min',
      severity: 'error',
      category: 'completeness',
      message: 'ward-plan: CarePlan.period is missing.',
      pointer: '',
    },
  ]);
  expect(await on.progress()).toEqual({
    ...{ type: 'CarePlan', done: 3, total: 3 },
    ...{ applied: 2, violated: 1, findings: 1, undecided: 0 },
  });
  await on.load(noConformance);
  expect(await on.found()).toEqual([]);
  expect(await on.progress()).toBeUndefined();
});

test('a profile that is chosen for a type judges records that claim none', async () => {
  const on = await start(setOf(wardDefinitions));
  await on.store({ ...goodPlan, period: undefined });
  await on.settled();
  expect(await on.found()).toEqual([]);
  const chosen = JSON.stringify({ profiles: { CarePlan: wardPlan } });
  expect((await on.send('PUT', '/app/preferences', chosen)).status).toBe(200);
  await on.settled();
  expect(await on.found()).toHaveLength(1);
  await on.send('PUT', '/app/preferences', JSON.stringify({ profiles: {} }));
  await on.settled();
  expect(await on.found()).toEqual([]);
});

test('what cannot be decided is counted, and is no finding; a claim of what is not at hand is that too', async () => {
  const on = await start(setOf(wardDefinitions));
  await on.store({ ...claiming, goal: [...goodPlan.goal, { reference: 'Goal/elsewhere' }] });
  await on.store({ ...goodPlan, meta: { profile: ['http://x.example/absent'] } });
  // Broken, and not decided to the end.
  await on.store({
    ...claiming,
    period: undefined,
    goal: [...goodPlan.goal, { reference: 'Goal/elsewhere' }],
  });
  await expect.poll(async () => (await on.progress())?.undecided).toBe(3);
  expect(await on.progress()).toMatchObject({ applied: 3, violated: 1, undecided: 3 });
  const today = new Date().toISOString().slice(0, 10);
  const { series } = (await on.send('GET', `/app/quality/measures?from=${today}&to=${today}`)).json;
  const measured = series.find(({ check, type }: Json) => check === 'profile' && type === 'CarePlan');
  expect(measured.points.at(-1).slice(1)).toEqual([3, 1, 3, 1]);
});

test('a finding of a profile refuses no write, at no level', async () => {
  const on = await start(setOf(wardDefinitions));
  const broken = JSON.stringify({ ...claiming, period: undefined });
  expect((await on.send('POST', at, broken)).status).toBe(201);
});

test('a change keeps the findings until it is judged, and mends them then', async () => {
  const on = await start(setOf(wardDefinitions));
  const id = await on.store({ ...claiming, period: undefined });
  await expect.poll(async () => (await on.found()).length).toBe(1);
  await on.send('PUT', `${at}/${id}`, JSON.stringify({ ...claiming, id }));
  await expect.poll(async () => (await on.found()).length).toBe(0);
});

/** The plan of the ward, about a patient of whom a birth date is asked, who is of a clinic of which a name is. */
const wardPatient = 'http://ward.example/fhir/StructureDefinition/ward-patient';
const clinic = 'http://ward.example/fhir/StructureDefinition/clinic';
const aboutPatients = (() => {
  const definitions = structuredClone(wardDefinitions) as Json[];
  const subject = definitions[0].snapshot.element.find(({ id }: Json) => id === 'CarePlan.subject');
  subject.type[0].targetProfile = [wardPatient];
  const profileOf = (url: string, type: string, elements: Json[]) => ({
    ...{ resourceType: 'StructureDefinition', url, version: '1.0.0', type },
    snapshot: { element: [{ id: type, path: type }, ...elements] },
  });
  const mandatory = (path: string, others = {}) => ({
    ...{ id: path, path, min: 1, max: '1', base: { path, min: 0, max: '1' } },
    ...others,
  });
  const ofClinic = { type: [{ code: 'Reference', targetProfile: [clinic] }] };
  const patient = profileOf(wardPatient, 'Patient', [
    mandatory('Patient.birthDate'),
    mandatory('Patient.managingOrganization', ofClinic),
  ]);
  return setOf([
    ...definitions,
    patient,
    profileOf(clinic, 'Organization', [mandatory('Organization.name')]),
  ]);
})();

const whole = {
  ...{ resourceType: 'Patient', id: '1', birthDate: '1950-01-01' },
  managingOrganization: { reference: 'Organization/1' },
};
const namedClinic = { resourceType: 'Organization', id: '1', name: 'Ward 3' };

async function sendCompanions(...companions: readonly unknown[]): Promise<void> {
  const lines = companions.map((one) => JSON.stringify(one)).join('\n');
  const { status } = (await server?.send('POST', '/app/import', lines, {
    'Content-Type': 'application/x-ndjson',
  })) ?? { status: 0 };
  expect(status).toBe(200);
}

test('what a record refers to is judged where it is at hand, and the record anew when it comes, changes and goes', async () => {
  const on = await start(noConformance);
  await sendCompanions(namedClinic);
  await on.load(aboutPatients);
  await on.store(claiming);
  const undecided = async () => (await on.progress())?.undecided;
  const rules = async () => (await on.found()).map(({ rule }) => rule);
  await expect.poll(undecided).toBe(1);
  expect(await rules()).toEqual([]);
  await sendCompanions(whole);
  await expect.poll(undecided).toBe(0);
  expect(await rules()).toEqual([]);
  await sendCompanions({ ...whole, birthDate: undefined });
  await expect.poll(rules).toEqual(['profile/ward-plan#CarePlan.subject/target']);
  await sendCompanions(whole, { ...namedClinic, name: undefined, alias: ['Ward 3'] });
  await expect.poll(rules).toEqual(['profile/ward-plan#CarePlan.subject/target']);
  await on.send('DELETE', '/app/companions/Organization');
  await expect.poll(undecided).toBe(1);
  expect(await rules()).toEqual([]);
});

test('$validate follows references too', async () => {
  const on = await start(aboutPatients);
  await sendCompanions({ ...whole, birthDate: undefined }, namedClinic);
  const validated = await on.send('POST', `${at}/$validate`, JSON.stringify(claiming));
  expect(validated.json.issue.map(({ diagnostics }: Json) => diagnostics)).toEqual([
    `profile/ward-plan#CarePlan.subject/target: ${wardPlan}|1.0.0`,
  ]);
});

test('a record of another server refers to nothing that is kept here', async () => {
  const on = await start(aboutPatients);
  await sendCompanions({ ...whole, birthDate: undefined }, namedClinic);
  const { id } = (
    await on.send(
      'POST',
      '/app/connections',
      JSON.stringify({ name: 'Other', baseUrl: 'http://127.0.0.1:9/fhir' }),
    )
  ).json;
  const body = JSON.stringify({ type: 'CarePlan', record: JSON.stringify(claiming) });
  const ask = async (headers?: Record<string, string>) =>
    (await on.send('POST', '/app/profiles/findings', body, headers)).json;
  expect((await ask()).findings).toHaveLength(1);
  expect(await ask({ [connectionHeader]: id })).toMatchObject({
    findings: [],
    undecided: [{ element: 'CarePlan.subject' }],
  });
});

/** Ward definitions in which the constraint on the title is another. */
function wardWith(expression: string): Json[] {
  const definitions = structuredClone(wardDefinitions) as Json[];
  const title = definitions[0].snapshot.element.find(({ id }: Json) => id === 'CarePlan.title');
  title.constraint[0].expression = expression;
  return definitions;
}

const questionOn = (record: unknown) => ({
  ...({ type: 'CarePlan', text: JSON.stringify(record), profiles: [wardPlan], claimed: true } as const),
});

test('an invariant that runs away costs its record the verdict on it alone', async () => {
  runner = createProfileRunner({ time: 100 });
  const answers = await runner.judge(setOf(wardWith(expensiveExpression)), [
    questionOn({ ...goodPlan, period: undefined, note: manyNotes }),
    questionOn(goodPlan),
  ]);
  expect(answers.map(({ findings }) => findings.map(({ rule }) => rule))).toEqual([
    ['profile/ward-plan#CarePlan.period/min'],
    [],
  ]);
  expect(answers.map(({ undecided }) => undecided.map(({ needs }) => needs))).toEqual([
    ['ward-1: an expression that does not run away'],
    [],
  ]);
});

test('an invariant that takes too long to parse is named as not evaluated, and is parsed once', async () => {
  let threads = 0;
  const count = () => void (threads += 1);
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  runner = createProfileRunner({ parsing: 20 });
  const set = setOf(wardWith(longToParse('$this')));
  const questions = [questionOn({ ...goodPlan, period: undefined }), questionOn(goodPlan)];
  for (let n = 0; n < 2; n += 1) {
    const answers = await runner.judge(set, questions);
    expect(answers.map(({ findings }) => findings.map(({ rule }) => rule))).toEqual([
      ['profile/ward-plan#CarePlan.period/min'],
      [],
    ]);
    const needs = 'ward-1: an expression that can be parsed in time';
    expect(answers.map(({ undecided }) => undecided.map((one) => one.needs))).toEqual([[needs], [needs]]);
  }
  expect(threads).toBe(2);
});

test.each([
  ['characters', 'true' + ' or true'.repeat(50_000), 'at most 10,000 characters'],
  ['brackets', '('.repeat(101) + 'true' + ')'.repeat(101), 'at most 100 brackets within one another'],
])('an invariant of too many %s is named as not evaluated', async (_, expression, limit) => {
  runner = createProfileRunner();
  const [answer] = await runner.judge(setOf(wardWith(expression)), [questionOn(goodPlan)]);
  expect(answer?.findings).toEqual([]);
  expect(answer?.undecided.map(({ needs }) => needs)).toEqual([`ward-1: an expression with ${limit}`]);
});
