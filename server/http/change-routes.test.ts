import { afterEach, beforeEach, expect, test } from 'vitest';
import { ChangeEvent } from '../../core/app/changes.ts';
import { parseAs } from '../../core/json/shape.ts';
import { carePlan, startTestServer, type Json, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

/** Reads the stream; `next` is its next message, however the network cuts them; undefined behind the last. */
async function follow({ origin, token } = server) {
  const leave = new AbortController();
  const answer = await fetch(`${origin}/app/changes`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: leave.signal,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const next = async () => {
    while (!rest.includes('\n\n')) {
      const come = await reader?.read();
      if (come?.value === undefined) return undefined;
      rest += come.value;
    }
    const end = rest.indexOf('\n\n') + 2;
    const message = rest.slice(0, end);
    rest = rest.slice(end);
    return message;
  };
  return { answer, next, leave: () => leave.abort() };
}

const eventOf = (text: string | undefined) =>
  parseAs(ChangeEvent, /^data: (.*)\n\n$/.exec(text ?? '')?.[1] ?? '');

test('each record that is written is told with its newest version and its author, and nothing that is refused', async () => {
  const { answer, next, leave } = await follow();
  expect(answer.headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8');
  expect(await next()).toBe(':\n\n');
  const made = await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'));
  const { id } = JSON.parse(made.text) as { id: string };
  await server.send(
    'PATCH',
    `/fhir-r4/v1/CarePlan/${id}`,
    '[{"op":"replace","path":"/status","value":"on-hold"}]',
  );
  await server.send(
    'PATCH',
    `/fhir-r4/v1/CarePlan/${id}`,
    '[{"op":"replace","path":"/status","value":"wrong"}]',
  );
  let told = eventOf(await next());
  // A slow machine may tell of the two writes one by one.
  while (told?.changes[0]?.version === 1) told = eventOf(await next());
  expect(told).toEqual({
    changes: [
      { type: 'CarePlan', id, version: 2, lastUpdated: expect.stringMatching(/Z$/), author: 'owner' },
    ],
    more: 0,
  });
  leave();
});

test('findings that change without a write are told, and counted once they are', async () => {
  await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'));
  const { next, leave } = await follow();
  const check = {
    ...{ title: 'Has a goal', type: 'CarePlan', holds: 'goal.exists()', category: 'completeness' },
    ...{ severity: 'warning', active: true, version: 0 },
  };
  expect((await server.send('PUT', '/app/checks/goal', JSON.stringify(check))).status).toBe(200);
  const isCounted = async () => {
    const { groups } = (await server.send('GET', '/app/quality')).json;
    return groups.some(({ rule }: Json) => rule === 'my/goal');
  };
  // The last event of a run comes behind what it found.
  while (!(await isCounted())) {
    let told = eventOf(await next());
    while (told?.findings !== true) told = eventOf(await next());
  }
  const key = { type: 'CarePlan', rule: 'my/goal', pointer: '' };
  const { findings } = (await server.send('GET', '/app/quality/findings?rule=my/goal')).json;
  const waived = { set: 'waived', reason: 'Known.', findings: [{ ...key, id: findings[0].id }] };
  expect((await server.send('PUT', '/app/quality/states', JSON.stringify(waived))).json.changed).toBe(1);
  let told = eventOf(await next());
  while (told?.findings !== true) told = eventOf(await next());
  leave();
});

test('of an import the first 200 records are named and the others counted', async () => {
  const { next, leave } = await follow();
  await next();
  const lines = Array.from({ length: 260 }, () => carePlan('Patient/a')).join('\n');
  await server.send('POST', '/app/import', lines, { 'Content-Type': 'application/x-ndjson' });
  let [named, more] = [0, 0];
  while (named + more < 260) {
    const message = await next();
    // A sign of life on a slow machine.
    if (message === ':\n\n') continue;
    const event = eventOf(message);
    expect(event?.changes.length).toBeLessThanOrEqual(200);
    named += event?.changes.length ?? 0;
    more += event?.more ?? 0;
  }
  expect(named + more).toBe(260);
  leave();
});

test('the stream ends with the server, which waits for nobody that listens', async () => {
  const other = await startTestServer();
  const { next } = await follow(other);
  await next();
  const [end] = await Promise.all([next(), other.remove()]);
  expect(end).toBeUndefined();
});
