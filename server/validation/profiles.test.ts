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

const address = '/fhir-r4/v1/CarePlan';
const claiming = { ...goodPlan, meta: { profile: [wardPlan] } };

/** A server whose packages change while it runs. */
async function start(original: ConformanceSet) {
  const listeners: (() => void)[] = [];
  let set = original;
  server = await startTestServer({}, undefined, {
    conformance: { set: () => set, onChange: (listener) => void listeners.push(listener) },
  });
  const { validation } = server;
  const send = server.send.bind(server);
  return {
    send,
    settled: () => validation.checks.idle(),
    async load(next: ConformanceSet) {
      set = next;
      for (const listener of listeners) listener();
      await validation.checks.idle();
    },
    store: async (record: unknown) => (await send('POST', address, JSON.stringify(record))).json.id as string,
    async listFindings(): Promise<Json[]> {
      const { findings } = (await send('GET', '/app/quality/findings?count=1000')).json;
      return findings.filter(({ rule }: Json) => rule.startsWith('profile/'));
    },
    async progress(): Promise<Json> {
      const [progressRow] = (await send('GET', '/app/profiles/progress')).json;
      return progressRow;
    },
  };
}

test('validates stored records again when a package is added or removed, and writes none', async () => {
  const server = await start(noConformance);
  const brokenPlan = await server.store({ ...claiming, period: undefined });
  await server.store(claiming);
  await server.store(goodPlan);
  expect(await server.progress()).toBeUndefined();
  await server.load(setOf(wardDefinitions));
  expect(await server.listFindings()).toMatchObject([
    {
      id: brokenPlan,
      rule: 'profile/ward-plan#CarePlan.period/min',
      severity: 'error',
      category: 'completeness',
      message: 'ward-plan: CarePlan.period is missing.',
      pointer: '',
    },
  ]);
  expect(await server.progress()).toEqual({
    type: 'CarePlan',
    done: 3,
    total: 3,
    applied: 2,
    violated: 1,
    findings: 1,
    undecided: 0,
  });
  await server.load(noConformance);
  expect(await server.listFindings()).toEqual([]);
  expect(await server.progress()).toBeUndefined();
});

test('validates records without a claim against the profile selected for their type', async () => {
  const server = await start(setOf(wardDefinitions));
  await server.store({ ...goodPlan, period: undefined });
  await server.settled();
  expect(await server.listFindings()).toEqual([]);
  const selection = JSON.stringify({ profiles: { CarePlan: wardPlan } });
  expect((await server.send('PUT', '/app/preferences', selection)).status).toBe(200);
  await server.settled();
  expect(await server.listFindings()).toHaveLength(1);
  await server.send('PUT', '/app/preferences', JSON.stringify({ profiles: {} }));
  await server.settled();
  expect(await server.listFindings()).toEqual([]);
});

test('counts undecided rules and unavailable profiles without a finding', async () => {
  const server = await start(setOf(wardDefinitions));
  await server.store({ ...claiming, goal: [...goodPlan.goal, { reference: 'Goal/elsewhere' }] });
  await server.store({ ...goodPlan, meta: { profile: ['http://x.example/absent'] } });
  // Broken, and not decided to the end.
  await server.store({
    ...claiming,
    period: undefined,
    goal: [...goodPlan.goal, { reference: 'Goal/elsewhere' }],
  });
  await expect.poll(async () => (await server.progress())?.undecided).toBe(3);
  expect(await server.progress()).toMatchObject({ applied: 3, violated: 1, undecided: 3 });
  const today = new Date().toISOString().slice(0, 10);
  const { series } = (await server.send('GET', `/app/quality/measures?from=${today}&to=${today}`)).json;
  const measured = series.find(({ check, type }: Json) => check === 'profile' && type === 'CarePlan');
  expect(measured.points.at(-1).slice(1)).toEqual([3, 1, 3, 1]);
});

test('rejects no write for a finding of a profile, at any level', async () => {
  const server = await start(setOf(wardDefinitions));
  const brokenPlan = JSON.stringify({ ...claiming, period: undefined });
  expect((await server.send('POST', address, brokenPlan)).status).toBe(201);
});

test('keeps findings until a change is validated, and removes repaired ones then', async () => {
  const server = await start(setOf(wardDefinitions));
  const id = await server.store({ ...claiming, period: undefined });
  await expect.poll(async () => (await server.listFindings()).length).toBe(1);
  await server.send('PUT', `${address}/${id}`, JSON.stringify({ ...claiming, id }));
  await expect.poll(async () => (await server.listFindings()).length).toBe(0);
});

/** Plan of the ward. Its patient needs a birth date and a clinic, and the clinic needs a name. */
const wardPatient = 'http://ward.example/fhir/StructureDefinition/ward-patient';
const clinic = 'http://ward.example/fhir/StructureDefinition/clinic';
const aboutPatients = (() => {
  const definitions = structuredClone(wardDefinitions) as Json[];
  const subject = definitions[0].snapshot.element.find(({ id }: Json) => id === 'CarePlan.subject');
  subject.type[0].targetProfile = [wardPatient];
  const profileOf = (url: string, type: string, elements: Json[]) => ({
    resourceType: 'StructureDefinition',
    url,
    version: '1.0.0',
    type,
    snapshot: { element: [{ id: type, path: type }, ...elements] },
  });
  const mandatory = (path: string, otherMembers = {}) => ({
    id: path,
    path,
    min: 1,
    max: '1',
    base: { path, min: 0, max: '1' },
    ...otherMembers,
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

const completePlan = {
  resourceType: 'Patient',
  id: '1',
  birthDate: '1950-01-01',
  managingOrganization: { reference: 'Organization/1' },
};
const namedClinic = { resourceType: 'Organization', id: '1', name: 'Ward 3' };

/** Sends resources with the address of one server, so that each replaces its former content. */
async function sendSupportingResources(
  ...resources: readonly (Readonly<Record<string, unknown>> & {
    readonly resourceType: string;
    readonly id: string;
  })[]
): Promise<void> {
  const entry = resources.map((resource) => ({
    fullUrl: `https://clinic.example/fhir/${resource.resourceType}/${resource.id}`,
    resource,
  }));
  const body = JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry });
  const { status } = (await server?.send('POST', '/app/import', body)) ?? { status: 0 };
  expect(status).toBe(200);
}

test('validates available references, and again when one is added, changed or removed', async () => {
  const server = await start(noConformance);
  await sendSupportingResources(namedClinic);
  await server.load(aboutPatients);
  await server.store(claiming);
  const countUndecided = async () => (await server.progress())?.undecided;
  const rules = async () => (await server.listFindings()).map(({ rule }) => rule);
  await expect.poll(countUndecided).toBe(1);
  expect(await rules()).toEqual([]);
  await sendSupportingResources(completePlan);
  await expect.poll(countUndecided).toBe(0);
  expect(await rules()).toEqual([]);
  await sendSupportingResources({ ...completePlan, birthDate: undefined });
  await expect.poll(rules).toEqual(['profile/ward-plan#CarePlan.subject/target']);
  await sendSupportingResources(completePlan, { ...namedClinic, name: undefined, alias: ['Ward 3'] });
  await expect.poll(rules).toEqual(['profile/ward-plan#CarePlan.subject/target']);
  await server.send('DELETE', '/app/companions/Organization');
  await expect.poll(countUndecided).toBe(1);
  expect(await rules()).toEqual([]);
});

test('follows references in $validate', async () => {
  const server = await start(aboutPatients);
  await sendSupportingResources({ ...completePlan, birthDate: undefined }, namedClinic);
  const validated = await server.send('POST', `${address}/$validate`, JSON.stringify(claiming));
  expect(validated.json.issue.map(({ diagnostics }: Json) => diagnostics)).toEqual([
    `profile/ward-plan#CarePlan.subject/target: ${wardPlan}|1.0.0`,
  ]);
});

test('resolves no reference of a record of another server here', async () => {
  const server = await start(aboutPatients);
  await sendSupportingResources({ ...completePlan, birthDate: undefined }, namedClinic);
  const { id } = (
    await server.send(
      'POST',
      '/app/connections',
      JSON.stringify({ name: 'Other', baseUrl: 'http://127.0.0.1:9/fhir' }),
    )
  ).json;
  const body = JSON.stringify({ type: 'CarePlan', record: JSON.stringify(claiming) });
  const ask = async (headers?: Record<string, string>) =>
    (await server.send('POST', '/app/profiles/findings', body, headers)).json;
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
  ...({
    type: 'CarePlan',
    text: JSON.stringify(record),
    profiles: [wardPlan],
    validatesClaimed: true,
  } as const),
});

test('skips only the endless invariant of a record', async () => {
  runner = createProfileRunner({ time: 100 });
  const validations = await runner.judge(setOf(wardWith(expensiveExpression)), [
    questionOn({ ...goodPlan, period: undefined, note: manyNotes }),
    questionOn(goodPlan),
  ]);
  expect(validations.map(({ findings }) => findings.map(({ rule }) => rule))).toEqual([
    ['profile/ward-plan#CarePlan.period/min'],
    [],
  ]);
  expect(validations.map(({ undecidedRules }) => undecidedRules.map(({ needs }) => needs))).toEqual([
    ['ward-1: an expression that finishes in time'],
    [],
  ]);
});

test('evaluates no further invariant when the limit of timeouts is reached', async () => {
  let threads = 0;
  const count = () => void (threads += 1);
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  runner = createProfileRunner({ time: 100, runaways: 1 });
  const costly = questionOn({ ...goodPlan, note: manyNotes });
  const validations = await runner.judge(setOf(wardWith(expensiveExpression)), [costly, costly, costly]);
  const needs = 'ward-1: an expression that finishes in time';
  expect(validations.map(({ undecidedRules }) => undecidedRules.map((rule) => rule.needs))).toEqual(
    Array(3).fill([needs]),
  );
  expect(threads).toBe(2);
});

test('names an invariant that takes too long to parse as not evaluated, and parses it once', async () => {
  let threads = 0;
  const count = () => void (threads += 1);
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  runner = createProfileRunner({ parsing: 60 });
  const set = setOf(wardWith(longToParse('$this')));
  const questions = [questionOn({ ...goodPlan, period: undefined }), questionOn(goodPlan)];
  for (let n = 0; n < 2; n += 1) {
    const validations = await runner.judge(set, questions);
    expect(validations.map(({ findings }) => findings.map(({ rule }) => rule))).toEqual([
      ['profile/ward-plan#CarePlan.period/min'],
      [],
    ]);
    const needs = 'ward-1: an expression that can be parsed in time';
    expect(validations.map(({ undecidedRules }) => undecidedRules.map((rule) => rule.needs))).toEqual([
      [needs],
      [needs],
    ]);
  }
  expect(threads).toBe(2);
});

test.each([
  ['characters', 'true' + ' or true'.repeat(50_000), 'of at most 10,000 characters'],
  ['brackets', '('.repeat(101) + 'true' + ')'.repeat(101), 'with at most 100 nested brackets'],
])('names an invariant of too many %s as not evaluated', async (_, expression, limit) => {
  runner = createProfileRunner();
  const [validation] = await runner.judge(setOf(wardWith(expression)), [questionOn(goodPlan)]);
  expect(validation?.findings).toEqual([]);
  expect(validation?.undecidedRules.map(({ needs }) => needs)).toEqual([`ward-1: an expression ${limit}`]);
});
