import { afterEach, expect, test } from 'vitest';
import { sendCode } from '../testing/sign-in.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';

let server: TestServer;
afterEach(() => server.remove());

const address = '/fhir-r4/v1/Composition';

// Row 77 of docs/api-rows.md.
test('responds with 429 and Retry-After after 20 failed authentications a minute', async () => {
  server = await startTestServer();
  for (let count = 0; count < 19; count += 1) {
    expect((await sendAs(server, 'Bearer wrong', 'GET', address)).status).toBe(401);
  }
  const wrongSecret = 'grant_type=client_credentials&client_id=a&client_secret=b';
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect((await sendAs(server, undefined, 'POST', '/oauth2/token', wrongSecret, form)).status).toBe(401);
  for (const answer of [
    await sendAs(server, 'Bearer wrong', 'GET', address),
    await sendAs(server, undefined, 'POST', '/oauth2/token', wrongSecret, form),
  ]) {
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(answer.json).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ code: 'throttled' }] });
  }
  expect((await server.send('GET', address)).status).toBe(200);
  expect((await sendAs(server, undefined, 'GET', address)).status).toBe(401);
});

// Row 77 of docs/api-rows.md.
test('accepts a valid token and code among 1,000 guesses and no guess', async () => {
  server = await startTestServer();
  const code = await server.signInCode();
  const guess = (index: number) =>
    index % 2 === 0
      ? sendAs(server, `Bearer guess-${index}`, 'GET', address)
      : sendCode(server.origin, `guess-${index}`);
  const answers: Awaited<ReturnType<typeof guess>>[] = [];
  const right: Promise<{ readonly status: number }>[] = [];
  // The system would reset more parallel connections before a busy process sees them.
  for (let start = 0; start < 1000; start += 250) {
    const guesses = Array.from({ length: 250 }, (_, index) => guess(start + index));
    if (start === 500) right.push(server.send('GET', address), sendCode(server.origin, code));
    answers.push(...(await Promise.all(guesses)));
  }
  const statuses = Map.groupBy(answers, ({ status }) => status);
  expect([...statuses.keys()].sort()).toEqual([401, 429]);
  expect(statuses.get(401)).toHaveLength(20);
  expect((await Promise.all(right)).map(({ status }) => status)).toEqual([200, 200]);
});

// Row 77 of docs/api-rows.md.
test('counts the rate limit per token', async () => {
  server = await startTestServer({ rateLimit: 3 });
  const { token } = await createClientToken(server, ['system/*.read']);
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    statuses.push((await sendAs(server, `Bearer ${token}`, 'GET', address)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await server.send('GET', address)).status).toBe(200);
});

// Row 77 of docs/api-rows.md.
test('sets no rate limit by default', async () => {
  server = await startTestServer();
  const answers = await Promise.all(Array.from({ length: 200 }, () => server.send('GET', address)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});
