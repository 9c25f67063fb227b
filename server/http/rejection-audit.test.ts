import { expect, test } from 'vitest';
import type { NewAuditEntry } from '../store/audit-chain.ts';
import { startTestServer } from '../testing/test-server.ts';
import { sendAs } from '../testing/tokens.ts';
import { createRejectionAudit } from './rejection-audit.ts';

function createRecorder() {
  const lines: string[] = [];
  let minute: () => void = () => undefined;
  const note = ({ what: target, status }: NewAuditEntry) => void lines.push(`${status} ${target}`);
  const rejectionAudit = createRejectionAudit(note, (_milliseconds, work) => {
    minute = work;
    return () => undefined;
  });
  return {
    lines,
    close: () => {
      rejectionAudit.close();
    },
    minute: () => {
      minute();
    },
    refuse: (address: string, status = 401, { what: target = '/x', credentials = false } = {}) => {
      const entry = { time: 0, who: '', action: 'sign-in', what: target, status, requestId: 'r' } as const;
      rejectionAudit.addRejection({ address, credentials }, status, () => entry);
    },
  };
}

test('writes one entry per address and status at once and one count per minute', () => {
  const { lines, minute, refuse } = createRecorder();
  for (let index = 0; index < 5000; index += 1) refuse('127.0.0.1');
  refuse('127.0.0.1', 429);
  expect(lines).toEqual(['401 /x', '429 /x']);
  minute();
  expect(lines.slice(2)).toEqual(['401 4999 more in this minute from 127.0.0.1, none with credentials']);
  refuse('127.0.0.1');
  expect(lines).toHaveLength(4);
  minute();
  expect(lines).toHaveLength(4);
});

test('counts a guess among many requests without a token', () => {
  const { lines, close, refuse } = createRecorder();
  for (let index = 0; index < 100; index += 1) refuse('127.0.0.1', 401, { credentials: index === 50 });
  close();
  expect(lines[1]).toBe('401 99 more in this minute from 127.0.0.1, 1 with credentials');
});

test('writes entries for the first 50 addresses and one for all others', () => {
  const { lines, minute, refuse } = createRecorder();
  for (let index = 0; index < 3000; index += 1) refuse(`10.0.${index >> 8}.${index & 255}`);
  expect(lines).toHaveLength(51);
  minute();
  expect(lines.slice(51)).toEqual([
    '401 2949 more in this minute from other addresses, none with credentials',
  ]);
});

test('truncates a target and adds the address of another machine', () => {
  const { lines, refuse } = createRecorder();
  refuse('127.0.0.1', 401, { what: `/${'x'.repeat(8000)}` });
  refuse('10.1.2.3', 401, { what: `/${'x'.repeat(8000)}` });
  expect(lines.map((text) => text.length - '401 '.length)).toEqual([100, 100]);
  expect(lines[1]).toMatch(/x… \(from 10\.1\.2\.3\)$/);
});

test('writes two entries for a minute of guesses and hides no later request', async () => {
  const server = await startTestServer();
  const search = `/fhir-r4/v1/CarePlan?subject=${'x'.repeat(7000)}`;
  await Promise.all(Array.from({ length: 200 }, () => sendAs(server, undefined, 'GET', search)));
  for (let index = 0; index < 25; index += 1) await sendAs(server, 'Bearer wrong', 'GET', search);
  const { json } = await server.send('GET', '/app/audit');
  expect(json.entries.map(({ status }: any) => status)).toEqual([429, 401]);
  expect(json.entries.every(({ what: target }: any) => target.length <= 100)).toBe(true);
  await server.remove();
});

test('audits a client that guesses its secret', async () => {
  const server = await startTestServer();
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const grant = 'grant_type=client_credentials&client_id=a&client_secret=guess';
  await sendAs(server, undefined, 'POST', '/oauth2/token', grant, form);
  const { json } = await server.send('GET', '/app/audit');
  expect(json.entries).toMatchObject([{ who: '', action: 'sign-in', what: '/oauth2/token', status: 401 }]);
  await server.remove();
});
