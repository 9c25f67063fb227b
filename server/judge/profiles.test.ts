import { afterEach, expect, test } from 'vitest';
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
      message: 'ward-plan: CarePlan.period is missing as the profile says.',
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

test('an invariant that runs away costs its record the verdict on it alone', async () => {
  const definitions = structuredClone(wardDefinitions) as Json[];
  const title = definitions[0].snapshot.element.find(({ id }: Json) => id === 'CarePlan.title');
  title.constraint[0].expression = "matches('^(a+)+$')";
  runner = createProfileRunner({ time: 100 });
  const ask = (record: unknown) => ({
    ...({ type: 'CarePlan', text: JSON.stringify(record), profiles: [wardPlan], claimed: true } as const),
  });
  const answers = await runner.judge(setOf(definitions), [
    ask({ ...goodPlan, period: undefined, title: `${'a'.repeat(60)}b` }),
    ask({ ...goodPlan, title: 'aaa' }),
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
