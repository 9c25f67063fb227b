import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ChangeEvent } from '../../core/app/changes.ts';
import { parseAs } from '../../core/json/shape.ts';
import type { ChangeListener } from '../fhir/changes.ts';
import { createListener, listen, stop } from '../listener.ts';
import { tokenFor } from '../testing/sign-in.ts';
import { carePlan, startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';
import { createChangeRoutes } from './change-routes.ts';
import { listenWith } from './testing/api-request.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

/** Follows the stream. `next` resolves with the next message, or undefined after the last. */
async function follow({ origin, token } = server) {
  const leave = new AbortController();
  const answer = await fetch(`${origin}/app/changes`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: leave.signal,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let remainingText = '';
  const next = async () => {
    while (!remainingText.includes('\n\n')) {
      const come = await reader?.read();
      if (come?.value === undefined) return undefined;
      remainingText += come.value;
    }
    const end = remainingText.indexOf('\n\n') + 2;
    const message = remainingText.slice(0, end);
    remainingText = remainingText.slice(end);
    return message;
  };
  return { answer, next, leave: () => leave.abort() };
}

const eventOf = (text: string | undefined) =>
  parseAs(ChangeEvent, /^data: (.*)\n\n$/.exec(text ?? '')?.[1] ?? '');

test('reports each stored record with version and author and no rejected write', async () => {
  const { answer: response, next, leave } = await follow();
  expect(response.headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8');
  expect(await next()).toBe(':\n\n');
  const createResponse = await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'));
  const { id } = JSON.parse(createResponse.text) as { id: string };
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
  let event = eventOf(await next());
  // A slow machine may report the two writes separately.
  while (event?.changes[0]?.version === 1) event = eventOf(await next());
  expect(event).toEqual({
    changes: [
      { type: 'CarePlan', id, version: 2, lastUpdated: expect.stringMatching(/Z$/), author: 'owner' },
    ],
    more: 0,
  });
  leave();
});

test('reports changed findings after they are counted', async () => {
  await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'));
  const { next, leave } = await follow();
  const check = {
    title: 'Has a goal',
    type: 'CarePlan',
    holds: 'goal.exists()',
    category: 'completeness',
    severity: 'warning',
    active: true,
    version: 0,
  };
  expect((await server.send('PUT', '/app/checks/goal', JSON.stringify(check))).status).toBe(200);
  const isCounted = async () => {
    const { groups } = (await server.send('GET', '/app/quality')).json;
    return groups.some(({ rule }: Json) => rule === 'my/goal');
  };
  // The last event of a run follows its findings.
  while (!(await isCounted())) {
    let event = eventOf(await next());
    while (event?.findings !== true) event = eventOf(await next());
  }
  const key = { type: 'CarePlan', rule: 'my/goal', pointer: '' };
  const { findings } = (await server.send('GET', '/app/quality/findings?rule=my/goal')).json;
  const waiver = { set: 'waived', reason: 'Known.', findings: [{ ...key, id: findings[0].id }] };
  expect((await server.send('PUT', '/app/quality/states', JSON.stringify(waiver))).json.changed).toBe(1);
  let event = eventOf(await next());
  while (event?.findings !== true) event = eventOf(await next());
  leave();
});

test('names the first 200 records of an import and counts the others', async () => {
  const { next, leave } = await follow();
  await next();
  const lines = Array.from({ length: 260 }, () => carePlan('Patient/a')).join('\n');
  await server.send('POST', '/app/import', lines, { 'Content-Type': 'application/x-ndjson' });
  let [namedCount, moreCount] = [0, 0];
  while (namedCount + moreCount < 260) {
    const message = await next();
    // Heartbeat on a slow machine.
    if (message === ':\n\n') continue;
    const event = eventOf(message);
    expect(event?.changes.length).toBeLessThanOrEqual(200);
    namedCount += event?.changes.length ?? 0;
    moreCount += event?.more ?? 0;
  }
  expect(namedCount + moreCount).toBe(260);
  leave();
});

test('ends the stream with the server, which does not wait for listeners', async () => {
  const otherServer = await startTestServer();
  const { next } = await follow(otherServer);
  await next();
  const [end] = await Promise.all([next(), otherServer.remove()]);
  expect(end).toBeUndefined();
});

/** Reads a stream to its end. */
async function readToEnd({ next }: Awaited<ReturnType<typeof follow>>): Promise<string> {
  let text = '';
  for (let message = await next(); message !== undefined; message = await next()) text += message;
  return text;
}

/** Returns the streams of two tokens after the end of the first. The second is read up to a later record. */
async function streamsAfter(endedToken: string, otherToken: string, end: () => Promise<unknown>) {
  const { origin } = server;
  const [endedStream, openStream] = [
    await follow({ ...server, origin, token: endedToken }),
    await follow({ ...server, origin, token: otherToken }),
  ];
  await Promise.all([endedStream.next(), openStream.next()]);
  await end();
  const createResponse = await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'));
  const { id } = createResponse.json as { id: string };
  let event = eventOf(await openStream.next());
  while (event === undefined) event = eventOf(await openStream.next());
  expect(event.changes.map((change) => change.id)).toEqual([id]);
  expect(await readToEnd(endedStream)).not.toContain(id);
  openStream.leave();
}

test('ends only the stream of a signed-out session and sends it no later write', async () => {
  const [ownCode, otherCode] = [await server.signInCode(), await server.signInCode()];
  const [token, otherToken] = [
    await tokenFor(server.origin, ownCode),
    await tokenFor(server.origin, otherCode),
  ];
  await streamsAfter(token, otherToken, () => sendAs(server, `Bearer ${token}`, 'POST', '/app/sign-out'));
});

test('ends the streams of a revoked token and of tokens that it obtained', async () => {
  const [client, otherClient] = [
    await createClientToken(server, ['system/*.*']),
    await createClientToken(server, ['system/*.*']),
  ];
  const form = `grant_type=client_credentials&client_id=${client.id}&client_secret=${client.token}`;
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const issued = await sendAs(server, undefined, 'POST', '/oauth2/token', form, type);
  const byIssued = await follow({ ...server, origin: server.origin, token: issued.json.access_token });
  await streamsAfter(client.token, otherClient.token, () =>
    server.send('DELETE', `/app/tokens/${client.id}`),
  );
  await readToEnd(byIssued);
});

test('ends an idle stream after its session ends', async () => {
  const token = await tokenFor(server.origin, await server.signInCode());
  const stream = await follow({ ...server, origin: server.origin, token });
  await stream.next();
  await sendAs(server, `Bearer ${token}`, 'POST', '/app/sign-out');
  expect(await readToEnd(stream)).toBe('');
});

/** Returns a stream of the route alone, with a function that emits events. */
async function streamOfRoute(isTaken: () => boolean) {
  let listener: ChangeListener | undefined;
  const changes = {
    listen(changeListener: ChangeListener) {
      listener = changeListener;
      return () => {
        listener = undefined;
      };
    },
    note: () => undefined,
    noteFindings: () => undefined,
    close: () => undefined,
  };
  const [route] = createChangeRoutes(changes, isTaken);
  if (!route) throw new Error('There is no route.');
  const served = createListener(listenWith(route.handler), '127.0.0.1', undefined);
  const { host, port } = new URL(await listen(served, { address: '127.0.0.1', port: 0 }, 'http'));
  const reader = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  reader.write(`GET /app/changes HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await once(reader, 'readable');
  onTestFinished(async () => {
    reader.destroy();
    await stop(served);
  });
  return {
    /** Returns false without a listener. */
    tell: (event: ChangeEvent): boolean => {
      listener?.(event);
      return listener !== undefined;
    },
  };
}

test('ends an idle stream within five seconds of its token', async () => {
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

test('disconnects a stream with more than 256 KiB unread', async () => {
  const { tell } = await streamOfRoute(() => true);
  // The system's own buffer comes on top of the server's.
  const maxSentBytes = 64 * 1024 * 1024;
  const author = 'x'.repeat(64 * 1024);
  const change = { type: 'CarePlan', id: 'a', version: 1, lastUpdated: '', author } as const;
  let sentBytes = 0;
  while (sentBytes < maxSentBytes && tell({ changes: [change], more: 0 })) {
    sentBytes += author.length;
    await new Promise(setImmediate);
  }
  expect(sentBytes).toBeLessThan(maxSentBytes);
});
