import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ChangeEvent } from '../../core/app/changes.ts';
import { parseAs } from '../../core/json/shape.ts';
import type { ChangeListener } from '../fhir/changes.ts';
import { createListener, listen, stop } from '../listener.ts';
import { tokenFor } from '../testing/sign-in.ts';
import { carePlan, startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { mint, sendAs } from '../testing/tokens.ts';
import { changeRoutes } from './change-routes.ts';

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

/** Reads a stream to its end. */
async function restOf({ next }: Awaited<ReturnType<typeof follow>>): Promise<string> {
  let text = '';
  for (let message = await next(); message !== undefined; message = await next()) text += message;
  return text;
}

/** The streams of two tokens once the first was ended; the second is read up to a record that was written then. */
async function streamsAfter(ended: string, other: string, end: () => Promise<unknown>) {
  const { origin } = server;
  const [over, open] = [
    await follow({ ...server, origin, token: ended }),
    await follow({ ...server, origin, token: other }),
  ];
  await Promise.all([over.next(), open.next()]);
  await end();
  const made = await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'));
  const { id } = made.json as { id: string };
  let told = eventOf(await open.next());
  while (told === undefined) told = eventOf(await open.next());
  expect(told.changes.map((change) => change.id)).toEqual([id]);
  expect(await restOf(over)).not.toContain(id);
  open.leave();
}

test('ends the stream of a session that is signed out, tells it of no later write, and leaves others open', async () => {
  const [own, other] = [await server.signInCode(), await server.signInCode()];
  const [token, otherToken] = [await tokenFor(server.origin, own), await tokenFor(server.origin, other)];
  await streamsAfter(token, otherToken, () => sendAs(server, `Bearer ${token}`, 'POST', '/app/sign-out'));
});

test('ends the stream of a token that is revoked, and of an access token that it obtained', async () => {
  const [one, other] = [await mint(server, ['system/*.*']), await mint(server, ['system/*.*'])];
  const form = `grant_type=client_credentials&client_id=${one.id}&client_secret=${one.token}`;
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const issued = await sendAs(server, undefined, 'POST', '/oauth2/token', form, type);
  const byIssued = await follow({ ...server, origin: server.origin, token: issued.json.access_token });
  await streamsAfter(one.token, other.token, () => server.send('DELETE', `/app/tokens/${one.id}`));
  await restOf(byIssued);
});

test('ends a stream in which nothing happens once its session is ended', async () => {
  const token = await tokenFor(server.origin, await server.signInCode());
  const stream = await follow({ ...server, origin: server.origin, token });
  await stream.next();
  await sendAs(server, `Bearer ${token}`, 'POST', '/app/sign-out');
  expect(await restOf(stream)).toBe('');
});

/** One stream of the route alone, to which a test tells events. */
async function streamOfRoute(isTaken: () => boolean) {
  let listener: ChangeListener | undefined;
  const changes = {
    listen(given: ChangeListener) {
      listener = given;
      return () => {
        listener = undefined;
      };
    },
    note: () => undefined,
    noteFindings: () => undefined,
    close: () => undefined,
  };
  const [route] = changeRoutes(changes, isTaken);
  const served = createListener(
    (request, response) => void route?.answer(request as never, response as never),
    '127.0.0.1',
    undefined,
  );
  const { host, port } = new URL(await listen(served, { address: '127.0.0.1', port: 0 }, 'http'));
  const reader = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  reader.write(`GET /app/changes HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await once(reader, 'readable');
  onTestFinished(async () => {
    reader.destroy();
    await stop(served);
  });
  return {
    /** Returns false once nobody listens. */
    tell: (event: ChangeEvent): boolean => {
      listener?.(event);
      return listener !== undefined;
    },
  };
}

test('ends a stream within five seconds of the end of its token, though nothing happens in it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let taken = true;
  const { tell } = await streamOfRoute(() => taken);
  vi.advanceTimersByTime(60_000);
  expect(tell({ changes: [], more: 0 })).toBe(true);
  taken = false;
  vi.advanceTimersByTime(5000);
  taken = true;
  expect(tell({ changes: [], more: 0 })).toBe(false);
});

test('drops a stream that is not read once more than 256 KiB wait for its reader', async () => {
  const { tell } = await streamOfRoute(() => true);
  // What the system buffers for the reader comes on top of what the server holds.
  const mostTold = 64 * 1024 * 1024;
  const author = 'x'.repeat(64 * 1024);
  const change = { type: 'CarePlan', id: 'a', version: 1, lastUpdated: '', author } as const;
  let told = 0;
  while (told < mostTold && tell({ changes: [change], more: 0 })) {
    told += author.length;
    await new Promise(setImmediate);
  }
  expect(told).toBeLessThan(mostTold);
});
