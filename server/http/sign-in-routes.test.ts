import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '../../core/app/audit.ts';
import { SessionList, SignedIn, SignInCode } from '../../core/app/sign-in.ts';
import type { TokenSummary } from '../../core/app/tokens.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { readServerAddress, createCodeFile } from '../access/link-files.ts';
import { runCli } from '../testing/run-cli.ts';
import { sendCode, tokenFor } from '../testing/sign-in.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';
import { messageCodeOf } from '../testing/message-code.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ failureLimit: Infinity });
});
afterAll(() => server.remove());

const plans = '/fhir-r4/v1/CarePlan';
const statusOf = async (token: string, method = 'GET', path = '/app/overview') =>
  (await sendAs(server, `Bearer ${token}`, method, path)).status;
const createCode = async (token = server.token, body = '{}') =>
  sendAs(server, `Bearer ${token}`, 'POST', '/app/sign-in-codes', body);
const newSession = async () => tokenFor(server.origin, await server.signInCode());

test('exchanges a code for one session and describes the session', async () => {
  const code = await server.signInCode();
  const firstResponse = await sendCode(server.origin, code);
  expect(firstResponse.status).toBe(200);
  expect(matchesSchema(SignedIn, firstResponse.json)).toBe(true);
  expect(firstResponse.json.scope).toBe('system/*.*');
  const hours = (Date.parse(firstResponse.json.expires) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThanOrEqual(12);
  expect(await statusOf(firstResponse.json.token)).toBe(200);

  const secondResponse = await sendCode(server.origin, code);
  expect(secondResponse.status).toBe(401);
  expect(secondResponse.headers.get('www-authenticate')).toBe('Bearer realm="fhir"');
  expect(secondResponse.json.issue[0]).toMatchObject({
    code: 'expired',
    details: { text: expect.stringMatching(/already used.*chartkeeper link/) },
  });
});

test('grants one session to 20 parallel requests with the same code', async () => {
  const code = await server.signInCode();
  const codeFromFile = createCodeFile(server.dataDir, Date.now()).code;
  for (const signInCode of [code, codeFromFile]) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendCode(server.origin, signInCode)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(401)]);
  }
});

test.each(['', 'x', 'x'.repeat(10_000), '../records.db', '\0'])(
  'rejects a wrong code with 401 or 400: %j',
  async (code) => {
    const { status, json } = await sendCode(server.origin, code);
    expect(status).toBe(code === '' ? 400 : 401);
    expect(json.resourceType).toBe('OperationOutcome');
  },
);

test.each(['', '{', '[]', '{"code":1}', 'null'])(
  'rejects a body without a code with 400: %j',
  async (body) => {
    expect((await sendAs(server, undefined, 'POST', '/app/sign-in', body)).status).toBe(400);
  },
);

test('creates a code with the same or fewer scopes', async () => {
  const codeResponse = await createCode(
    server.token,
    '{"scope":"system/CarePlan.read system/Composition.r"}',
  );
  expect(codeResponse.status).toBe(201);
  expect(matchesSchema(SignInCode, codeResponse.json)).toBe(true);
  expect(codeResponse.json.link).toBe(`${server.origin}/#code=${codeResponse.json.code}`);
  const token = await tokenFor(server.origin, codeResponse.json.link);
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
  'creates no code for %s',
  async (body) => {
    expect((await createCode(server.token, body)).status).toBe(400);
  },
);

test('writes under the name of the code’s creator and ends with that token', async () => {
  const minted = await createClientToken(server, ['system/*.*']);
  const { code } = (await createCode(minted.token)).json as SignInCode;
  const token = await tokenFor(server.origin, code);
  const derivedToken = await tokenFor(server.origin, ((await createCode(token)).json as SignInCode).code);
  const createResponse = await sendAs(server, `Bearer ${derivedToken}`, 'POST', plans, carePlan('Patient/1'));
  expect(createResponse.status).toBe(201);
  const history = await server.send('GET', `/app/history/CarePlan/${String(createResponse.json.id)}`);
  expect(history.text).toContain('"test"');
  expect((await server.send('DELETE', `/app/tokens/${minted.id}`)).status).toBe(200);
  expect([await statusOf(token), await statusOf(derivedToken)]).toEqual([401, 401]);
});

test('ends only the own session on sign-out and rejects tokens without a session', async () => {
  const token = await newSession();
  const otherToken = await newSession();
  expect(await statusOf(token, 'POST', '/app/sign-out')).toBe(204);
  expect([await statusOf(token), await statusOf(otherToken)]).toEqual([401, 200]);
  expect(await statusOf(token, 'POST', '/app/sign-out')).toBe(401);
  expect(await statusOf(server.token, 'POST', '/app/sign-out')).toBe(422);
  expect(await statusOf(server.token)).toBe(200);
});

test('ends codes and tokens of a session on sign-out and explains a code', async () => {
  const token = await newSession();
  const { code } = (await createCode(token)).json as SignInCode;
  const derivedToken = await tokenFor(server.origin, ((await createCode(token)).json as SignInCode).code);
  const tokenRequest = JSON.stringify({ name: 'tool', scopes: ['system/*.*'] });
  const minted = (await sendAs(server, `Bearer ${derivedToken}`, 'POST', '/app/tokens', tokenRequest)).json;
  expect([await statusOf(derivedToken), await statusOf(minted.token)]).toEqual([200, 200]);
  expect(await statusOf(token, 'POST', '/app/sign-out')).toBe(204);
  expect([await statusOf(derivedToken), await statusOf(minted.token)]).toEqual([401, 401]);
  const late = await sendCode(server.origin, code);
  expect(late.status).toBe(401);
  expect(messageCodeOf(late.json.issue[0])).toBe('signIn.signedOut');
  const tokenList = (await server.send('GET', '/app/tokens')).json as TokenSummary[];
  expect(tokenList.find(({ id }) => id === minted.id)).toMatchObject({ ended: true });
});

test('lists the sessions and lets one end another', async () => {
  const ownToken = await newSession();
  const otherToken = await newSession();
  const sessionList = (await sendAs(server, `Bearer ${ownToken}`, 'GET', '/app/sessions'))
    .json as SessionList;
  expect(matchesSchema(SessionList, sessionList)).toBe(true);
  const [firstSession, secondSession] = sessionList.sessions;
  expect(firstSession).toMatchObject({ name: 'owner', scope: 'system/*.*', current: true });
  expect(secondSession).toMatchObject({ current: false });
  expect(await statusOf(ownToken, 'DELETE', `/app/sessions/${secondSession?.id ?? ''}`)).toBe(204);
  expect([await statusOf(ownToken), await statusOf(otherToken)]).toEqual([200, 401]);
  expect(await statusOf(ownToken, 'DELETE', `/app/sessions/${secondSession?.id ?? ''}`)).toBe(404);
});

test('audits sign-ins, sign-outs and rejected codes without codes or tokens in files', async () => {
  const code = await server.signInCode();
  const token = await tokenFor(server.origin, code);
  const rejection = await sendCode(server.origin, code);
  const createdCode = (await createCode(token)).json as SignInCode;
  expect(await statusOf(token, 'POST', '/app/sign-out')).toBe(204);
  const entries = async () => (await server.send('GET', '/app/audit')).json.entries as AuditEntry[];
  await expect
    .poll(async () => (await entries()).filter(({ who: author }) => author === 'owner').slice(0, 3))
    .toMatchObject([
      { action: 'sign-out', status: 204 },
      { action: 'token-create', what: '/app/sign-in-codes', status: 201 },
      { action: 'sign-in', status: 200 },
    ]);
  // Rejections of one address have two entries a minute: the first, and the number of others.
  expect(rejection.status).toBe(401);
  expect(await entries()).toContainEqual(
    expect.objectContaining({ action: 'sign-in', who: '', status: 401, what: '/app/sign-in' }),
  );
  const [signOutEntry, , signInEntry] = (await entries()).filter(({ who: author }) => author === 'owner');
  expect(signOutEntry?.what).toBe(signInEntry?.what);
  for (const name of await readdir(server.dataDir)) {
    const path = join(server.dataDir, name);
    if (!(await stat(path)).isFile()) continue;
    const text = await readFile(path, 'latin1');
    for (const secret of [code, token, createdCode.code]) expect(text.includes(secret), name).toBe(false);
  }
});

test('creates a code with chartkeeper link while a server runs', async () => {
  const { code, stdout } = await runCli(['link', '--data', server.dataDir]);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Open ${server.origin}/#code=[A-Za-z0-9_-]{43}\\n$`));
  const codeFiles = (await readdir(server.dataDir)).filter((name) => /^sign-in-[0-9a-f]{64}$/.test(name));
  expect(codeFiles).toHaveLength(1);
  const [name = ''] = codeFiles;
  expect((await stat(join(server.dataDir, name))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(server.dataDir, name), 'utf8')).not.toContain(stdout.trim().split('=')[1]);
  expect(await statusOf(await tokenFor(server.origin, stdout.trim()))).toBe(200);
  expect(await readdir(server.dataDir)).not.toContain(name);
  expect((await sendCode(server.origin, stdout.trim().split('=')[1] ?? '')).status).toBe(401);
});

test('rejects a code file older than an hour, which the next link removes', async () => {
  const past = Date.now() - 3_600_001;
  const { code } = createCodeFile(server.dataDir, past);
  const { status, json } = await sendCode(server.origin, code);
  expect(status).toBe(401);
  expect(messageCodeOf(json.issue[0])).toBe('signIn.linkExpired');
});

test('ignores a code file that others can write', async () => {
  const before = await readdir(server.dataDir);
  const { code } = createCodeFile(server.dataDir, Date.now());
  const [name = ''] = (await readdir(server.dataDir)).filter((fileName) => !before.includes(fileName));
  await chmod(join(server.dataDir, name), 0o666);
  expect((await sendCode(server.origin, code)).status).toBe(401);
  await writeFile(join(server.dataDir, name), '{"expires":');
  await chmod(join(server.dataDir, name), 0o600);
  expect((await sendCode(server.origin, code)).status).toBe(401);
});

test('reports a missing server in link and exits with 20 without a folder', async () => {
  const idle = await startTestServer();
  await idle.close();
  expect(readServerAddress(idle.dataDir)).toBeUndefined();
  const linkRun = await runCli(['link', '--data', idle.dataDir, '--port', '4181']);
  expect(linkRun).toMatchObject({ code: 0, stderr: expect.stringContaining('No server is running') });
  expect(linkRun.stdout).toContain('Open http://127.0.0.1:4181/#code=');
  const failedRun = await runCli(['link', '--data', join(idle.dataDir, 'none')]);
  expect(failedRun).toMatchObject({ code: 20, stdout: '' });
});
