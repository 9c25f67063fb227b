/**
 * Sends canary words in every part of a request to the real program, then searches its output and its files. URLs may be
 * in the workspace's log and in the audit log only.
 */
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { carePlan } from '../testing/test-server.ts';
import { spawnCli } from '../testing/run-cli.ts';
import { tokenFor } from '../testing/sign-in.ts';
import { exchange } from './testing/raw-socket.ts';

const canaries = {
  address: 'canary-address-5e1d',
  header: 'canary-header-9b27',
  body: 'canary-body-c04f',
  secret: 'canary-secret-81aa',
} as const;

let folder: string;
let origin: string;
let token: string;
let code: string;
let child: ReturnType<typeof spawnCli>;
const output = { stdout: '', stderr: '' };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-canaries-'));
  child = spawnCli(['serve', '--port', '0', '--data', folder, '--log-requests']);
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => (output[name] += chunk));
  }
  await vi.waitFor(() => expect(output.stdout).toMatch(/#code=.*\n/), { timeout: 60_000 });
  const [link = '', pageOrigin = ''] = /^Open (.*)\/#code=.*$/m.exec(output.stdout) ?? [];
  origin = pageOrigin;
  token = await tokenFor(origin, link);
  code = link.split('#code=')[1] ?? '';
});
afterAll(async () => {
  child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const { address, header, body, secret } = canaries;
const base = '/fhir-r4/v1';
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const basic = Buffer.from(`${header}:${secret}`).toString('base64');

/** Method, path, media type and body of each request. */
const requests: readonly (readonly [method: string, path: string, type?: string, body?: string])[] = [
  ['GET', `${base}/CarePlan/${address}`],
  ['GET', `${base}/CarePlan/${address}/_history/${address}`],
  ['GET', `${base}/CarePlan?subject=${address}&${address}=1&_cursor=${address}`],
  ['GET', `${base}/CarePlan?subject=${address}`],
  ['GET', `${base}/${address}/x`],
  ['GET', `/app/${address}`],
  ['GET', `/app/history/CarePlan/${address}`],
  ['GET', `/app/export?type=CarePlan&subject=${address}`],
  ['GET', `/app/connections/${address}/fhir-r4/v1/CarePlan/${address}`],
  ['GET', `/${address}`],
  ['GET', `/%zz${address}`],
  ['DELETE', `${base}/CarePlan/${address}`],
  ['OPTIONS', `${base}/CarePlan/${address}`],
  ['POST', `${base}/CarePlan`, json, `{"resourceType":"CarePlan","${body}":`],
  ['POST', `${base}/CarePlan`, json, `{"resourceType":"${body}"}`],
  ['POST', `${base}/CarePlan`, json, `[${'['.repeat(70)}"${body}"`],
  ['POST', `${base}/CarePlan`, `text/${body}`, body],
  ['POST', `${base}/CarePlan/$validate`, json, carePlan(body, `,"title":"${body}"`)],
  ['PUT', `${base}/CarePlan/${address}`, json, carePlan(body)],
  ['PATCH', `${base}/CarePlan/${address}`, json, `[{"op":"${body}","path":"/${body}","value":"${body}"}]`],
  ['POST', '/app/import?format=ndjson', 'application/x-ndjson', `{"resourceType":"${body}"}\n${body}\n`],
  ['POST', '/app/tokens', json, `{"name":"","scopes":["${body}"]}`],
  ['POST', '/app/connections', json, `{"name":"${body}","baseUrl":"${body}"}`],
  ['PUT', `/app/connections/${address}/secret`, json, `{"secret":"${secret}"}`],
  [
    'POST',
    '/oauth2/token',
    form,
    `grant_type=client_credentials&client_id=${header}&client_secret=${secret}`,
  ],
  ['POST', '/oauth2/token', form, `grant_type=${body}&client_secret=${secret}`],
  ['POST', '/app/sign-in', json, `{"code":"${secret}"}`],
  ['POST', '/app/sign-in-codes', json, `{"scope":"${body}"}`],
  ['DELETE', `/app/sessions/${address}`],
];

const headers = {
  Accept: `application/json; ${header}=1`,
  Cookie: `a=${header}`,
  'If-Match': `W/"${header}"`,
  // The audit log records the query of every search.
  'If-None-Exist': `identifier=${address}`,
  'If-None-Match': `"${header}"`,
  Prefer: header,
  Referer: `http://127.0.0.1/${header}`,
  'User-Agent': header,
  'X-Forwarded-For': header,
  'X-Request-Id': header,
  [`X-${header}`]: header,
};

/** Credentials of the requests: the owner, none, and three invalid ones. */
const credentials = () => [`Bearer ${token}`, undefined, `Bearer ${secret}`, `Basic ${basic}`, secret];

test('prints no canary from any part of a request', async () => {
  for (const authorization of credentials()) {
    for (const client of ['workbench', header]) {
      for (const [method, path, type, content] of requests) {
        await fetch(origin + path, {
          method,
          headers: {
            ...headers,
            'X-Chartkeeper-Client': client,
            ...(authorization !== undefined && { Authorization: authorization }),
            ...(type !== undefined && { 'Content-Type': type }),
          },
          ...(content !== undefined && { body: content }),
        }).then((answer) => answer.text());
      }
    }
  }
  const { host } = new URL(origin);
  for (const bytes of [
    `${header} / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET /${address} HTTP/1.1\r\nHost: ${header}\r\n\r\n`,
    `GET /${address} HTTP/1.1\r\nHost: ${host}\r\nOrigin: https://${header}\r\n\r\n`,
    `GET /${address} HTTP/1.1\r\nHost: ${host}\r\nX: ${header.repeat(2000)}\r\n\r\n`,
    `GET /${address} HTTP/1.1\r\nHost: ${host}\r\nExpect: ${header}\r\n\r\n`,
    `CONNECT ${address}:1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  ]) {
    await exchange(origin, bytes);
  }
  await expect.poll(() => output.stderr).toContain(`GET /app/* 404`);
  const [, afterCode = ''] = output.stdout.split(code);
  for (const [part, canary] of Object.entries(canaries)) {
    expect(output.stderr.includes(canary), part).toBe(false);
    expect(afterCode.includes(canary), part).toBe(false);
  }
  for (const word of [token, code]) expect(output.stderr).not.toContain(word);
  expect(output.stdout).not.toContain(token);
  expect(output.stderr).not.toContain(basic);
});

test('stores no canary of a header, body or secret in the workspace or the audit log', async () => {
  const entries: string[] = [];
  for (let query = ''; ;) {
    const answer = await fetch(`${origin}/app/audit${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const page = (await answer.json()) as { entries: unknown[]; next?: number };
    entries.push(JSON.stringify(page.entries));
    if (page.next === undefined) break;
    query = `?before=${page.next}`;
  }
  const audit = entries.join();
  expect(audit).toContain(address);
  // Rejected bodies do not prevent an orderly exit.
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  // A stop makes the backups that are due, so the search includes copies of the workspace.
  const files = await Promise.all(
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((file) => file.isFile() && !file.name.startsWith('records'))
      .map(async ({ parentPath, name }) => [name, await readFile(join(parentPath, name), 'latin1')] as const),
  );
  expect(files.map(([name]) => name)).toContain('workspace.db');
  expect(files.map(([, text]) => text).join()).toContain(address);
  for (const [name, text] of [...files, ['the audit trail', audit] as const]) {
    for (const word of [header, body, secret, basic, token, code])
      expect(text.includes(word), `${name}: ${word}`).toBe(false);
  }
});
