import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '../../core/app/audit.ts';
import { SessionList, SignedIn, SignInCode } from '../../core/app/sign-in.ts';
import type { TokenSummary } from '../../core/app/tokens.ts';
import { is } from '../../core/json/shape.ts';
import { addressIn, leaveCode } from '../access/link-files.ts';
import { runCli } from '../testing/run-cli.ts';
import { sendCode, tokenFor } from '../testing/sign-in.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { mint, sendAs } from '../testing/tokens.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ failureLimit: Infinity });
});
afterAll(() => server.remove());

const plans = '/fhir-r4/v1/CarePlan';
const statusOf = async (token: string, method = 'GET', path = '/app/overview') =>
  (await sendAs(server, `Bearer ${token}`, method, path)).status;
const makeCode = async (token = server.token, body = '{}') =>
  sendAs(server, `Bearer ${token}`, 'POST', '/app/sign-in-codes', body);
const newSession = async () => tokenFor(server.origin, await server.signInCode());

test('a code is exchanged for a session once; what it gives is told', async () => {
  const code = await server.signInCode();
  const first = await sendCode(server.origin, code);
  expect(first.status).toBe(200);
  expect(is(SignedIn, first.json)).toBe(true);
  expect(first.json.scope).toBe('system/*.*');
  const hours = (Date.parse(first.json.expires) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThanOrEqual(12);
  expect(await statusOf(first.json.token)).toBe(200);

  const second = await sendCode(server.origin, code);
  expect(second.status).toBe(401);
  expect(second.headers.get('www-authenticate')).toBe('Bearer realm="fhir"');
  expect(second.json.issue[0]).toMatchObject({
    code: 'expired',
    details: { text: expect.stringMatching(/used already.*chartkeeper link/) },
  });
});

test('of many who come with one code at once, one gets a session', async () => {
  const code = await server.signInCode();
  const left = leaveCode(server.dataDir, Date.now()).code;
  for (const one of [code, left]) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendCode(server.origin, one)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(401)]);
  }
});

test.each(['', 'x', 'x'.repeat(10_000), '../records.db', '\0'])(
  'a wrong code is 401 or 400: %j',
  async (code) => {
    const { status, json } = await sendCode(server.origin, code);
    expect(status).toBe(code === '' ? 400 : 401);
    expect(json.resourceType).toBe('OperationOutcome');
  },
);

test.each(['', '{', '[]', '{"code":1}', 'null'])('a body that holds no code is 400: %j', async (body) => {
  expect((await sendAs(server, undefined, 'POST', '/app/sign-in', body)).status).toBe(400);
});

test('an owner makes a code for somebody, of the same scope or less', async () => {
  const made = await makeCode(server.token, '{"scope":"system/CarePlan.read system/Composition.r"}');
  expect(made.status).toBe(201);
  expect(is(SignInCode, made.json)).toBe(true);
  expect(made.json.link).toBe(`${server.origin}/#code=${made.json.code}`);
  const token = await tokenFor(server.origin, made.json.link);
  expect(await statusOf(token, 'GET', `${plans}?subject=a`)).toBe(200);
  expect(await statusOf(token, 'GET', '/fhir-r4/v1/Composition?subject=a')).toBe(403);
  for (const [method, path] of [
    ['GET', '/app/overview'],
    ['POST', '/app/sign-in-codes'],
    ['GET', '/app/sessions'],
  ] as const)
    expect(await statusOf(token, method, path)).toBe(403);
});

test.each(['{"scope":"system/Patient.read"}', '{"scope":" "}', '{"scope":1}', '{"more":1}', '[]'])(
  'a code is not made for %s',
  async (body) => {
    expect((await makeCode(server.token, body)).status).toBe(400);
  },
);

test('a session writes under the name of who made its code, and ends with that token', async () => {
  const minted = await mint(server, ['system/*.*']);
  const { code } = (await makeCode(minted.token)).json as SignInCode;
  const token = await tokenFor(server.origin, code);
  const second = await tokenFor(server.origin, ((await makeCode(token)).json as SignInCode).code);
  const made = await sendAs(server, `Bearer ${second}`, 'POST', plans, carePlan('Patient/1'));
  expect(made.status).toBe(201);
  const history = await server.send('GET', `/app/history/CarePlan/${String(made.json.id)}`);
  expect(history.text).toContain('"test"');
  expect((await server.send('DELETE', `/app/tokens/${minted.id}`)).status).toBe(200);
  expect([await statusOf(token), await statusOf(second)]).toEqual([401, 401]);
});

test('a sign-out ends the session at once, and no other; a token of no session stays', async () => {
  const token = await newSession();
  const other = await newSession();
  expect(await statusOf(token, 'POST', '/app/sign-out')).toBe(204);
  expect([await statusOf(token), await statusOf(other)]).toEqual([401, 200]);
  expect(await statusOf(token, 'POST', '/app/sign-out')).toBe(401);
  expect(await statusOf(server.token, 'POST', '/app/sign-out')).toBe(422);
  expect(await statusOf(server.token)).toBe(200);
});

test('a sign-out ends the codes and the tokens that the session made, and a code says why', async () => {
  const token = await newSession();
  const { code } = (await makeCode(token)).json as SignInCode;
  const derived = await tokenFor(server.origin, ((await makeCode(token)).json as SignInCode).code);
  const asked = JSON.stringify({ name: 'tool', scopes: ['system/*.*'] });
  const minted = (await sendAs(server, `Bearer ${derived}`, 'POST', '/app/tokens', asked)).json;
  expect([await statusOf(derived), await statusOf(minted.token)]).toEqual([200, 200]);
  expect(await statusOf(token, 'POST', '/app/sign-out')).toBe(204);
  expect([await statusOf(derived), await statusOf(minted.token)]).toEqual([401, 401]);
  const late = await sendCode(server.origin, code);
  expect(late.status).toBe(401);
  expect(late.json.issue[0].details.text).toContain('has ended');
  const listed = (await server.send('GET', '/app/tokens')).json as TokenSummary[];
  expect(listed.find(({ id }) => id === minted.id)).toMatchObject({ ended: true });
});

test('the sessions are listed, one is ended by another', async () => {
  const own = await newSession();
  const other = await newSession();
  const listed = (await sendAs(server, `Bearer ${own}`, 'GET', '/app/sessions')).json as SessionList;
  expect(is(SessionList, listed)).toBe(true);
  const [first, second] = listed.sessions;
  expect(first).toMatchObject({ name: 'owner', scope: 'system/*.*', current: true });
  expect(second).toMatchObject({ current: false });
  expect(await statusOf(own, 'DELETE', `/app/sessions/${second?.id ?? ''}`)).toBe(204);
  expect([await statusOf(own), await statusOf(other)]).toEqual([200, 401]);
  expect(await statusOf(own, 'DELETE', `/app/sessions/${second?.id ?? ''}`)).toBe(404);
});

test('sign-ins, sign-outs and refused codes are in the trail; codes and tokens are in no file', async () => {
  const code = await server.signInCode();
  const token = await tokenFor(server.origin, code);
  const refused = await sendCode(server.origin, code);
  const made = (await makeCode(token)).json as SignInCode;
  expect(await statusOf(token, 'POST', '/app/sign-out')).toBe(204);
  const entries = async () => (await server.send('GET', '/app/audit')).json.entries as AuditEntry[];
  await expect
    .poll(async () => (await entries()).filter(({ who }) => who === 'owner').slice(0, 3))
    .toMatchObject([
      { action: 'sign-out', status: 204 },
      { action: 'token-create', what: '/app/sign-in-codes', status: 201 },
      { action: 'sign-in', status: 200 },
    ]);
  // Of refusals from one address there are two entries a minute: the first, and how many came behind it.
  expect(refused.status).toBe(401);
  expect(await entries()).toContainEqual(
    expect.objectContaining({ action: 'sign-in', who: '', status: 401, what: '/app/sign-in' }),
  );
  const [out, , begun] = (await entries()).filter(({ who }) => who === 'owner');
  expect(out?.what).toBe(begun?.what);
  for (const name of await readdir(server.dataDir)) {
    const path = join(server.dataDir, name);
    if (!(await stat(path)).isFile()) continue;
    const text = await readFile(path, 'latin1');
    for (const secret of [code, token, made.code]) expect(text.includes(secret), name).toBe(false);
  }
});

test('chartkeeper link makes a code beside the running server', async () => {
  const { code, stdout } = await runCli(['link', '--data', server.dataDir]);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Open ${server.origin}/#code=[A-Za-z0-9_-]{43}\\n$`));
  const left = (await readdir(server.dataDir)).filter((name) => /^sign-in-[0-9a-f]{64}$/.test(name));
  expect(left).toHaveLength(1);
  const [name = ''] = left;
  expect((await stat(join(server.dataDir, name))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(server.dataDir, name), 'utf8')).not.toContain(stdout.trim().split('=')[1]);
  expect(await statusOf(await tokenFor(server.origin, stdout.trim()))).toBe(200);
  expect(await readdir(server.dataDir)).not.toContain(name);
  expect((await sendCode(server.origin, stdout.trim().split('=')[1] ?? '')).status).toBe(401);
});

test('a code that was left more than an hour ago gives nothing; the next link clears it away', async () => {
  const past = Date.now() - 3_600_001;
  const { code } = leaveCode(server.dataDir, past);
  const { status, json } = await sendCode(server.origin, code);
  expect(status).toBe(401);
  expect(json.issue[0].details.text).toContain('older than an hour');
});

test('a file that others may write is no code', async () => {
  const before = await readdir(server.dataDir);
  const { code } = leaveCode(server.dataDir, Date.now());
  const [name = ''] = (await readdir(server.dataDir)).filter((one) => !before.includes(one));
  await chmod(join(server.dataDir, name), 0o666);
  expect((await sendCode(server.origin, code)).status).toBe(401);
  await writeFile(join(server.dataDir, name), '{"expires":');
  await chmod(join(server.dataDir, name), 0o600);
  expect((await sendCode(server.origin, code)).status).toBe(401);
});

test('where there is no server, link says so; where there is no folder, it ends with 20', async () => {
  const idle = await startTestServer();
  await idle.close();
  expect(addressIn(idle.dataDir)).toBeUndefined();
  const ended = await runCli(['link', '--data', idle.dataDir, '--port', '4181']);
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('No server runs') });
  expect(ended.stdout).toContain('Open http://127.0.0.1:4181/#code=');
  const none = await runCli(['link', '--data', join(idle.dataDir, 'none')]);
  expect(none).toMatchObject({ code: 20, stdout: '' });
});
