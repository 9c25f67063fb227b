import { expect, test } from 'vitest';
import type { NewAuditEntry } from '../store/audit-rows.ts';
import { startTestServer } from '../testing/test-server.ts';
import { sendAs } from '../testing/tokens.ts';
import { createStrangers } from './strangers.ts';

function strangers() {
  const written: string[] = [];
  let minute: () => void = () => undefined;
  const note = ({ what, status }: NewAuditEntry) => void written.push(`${status} ${what}`);
  const book = createStrangers(note, (_milliseconds, work) => {
    minute = work;
    return () => undefined;
  });
  return {
    written,
    close: () => {
      book.close();
    },
    minute: () => {
      minute();
    },
    refuse: (address: string, status = 401, { what = '/x', credentials = false } = {}) => {
      const entry = { time: 0, who: '', action: 'sign-in', what, status, requestId: 'r' } as const;
      book.refused({ address, credentials }, status, () => entry);
    },
  };
}

test('row 30: an address and a status make one entry at once, and one with their number when the minute ends', () => {
  const { written, minute, refuse } = strangers();
  for (let index = 0; index < 5000; index += 1) refuse('127.0.0.1');
  refuse('127.0.0.1', 429);
  expect(written).toEqual(['401 /x', '429 /x']);
  minute();
  expect(written.slice(2)).toEqual([
    '401 4999 more in this minute from 127.0.0.1, none of them with credentials',
  ]);
  refuse('127.0.0.1');
  expect(written).toHaveLength(4);
  minute();
  expect(written).toHaveLength(4);
});

test('row 30: a guess among many requests without a token is counted as one', () => {
  const { written, close, refuse } = strangers();
  for (let index = 0; index < 100; index += 1) refuse('127.0.0.1', 401, { credentials: index === 50 });
  close();
  expect(written[1]).toBe('401 99 more in this minute from 127.0.0.1, 1 of them with credentials');
});

test('row 30: of many addresses the first fifty have entries of their own, all others one together', () => {
  const { written, minute, refuse } = strangers();
  for (let index = 0; index < 3000; index += 1) refuse(`10.0.${index >> 8}.${index & 255}`);
  expect(written).toHaveLength(51);
  minute();
  expect(written.slice(51)).toEqual([
    '401 2949 more in this minute from further addresses, none of them with credentials',
  ]);
});

test('row 30: a text is cut, and of another machine its address stands behind', () => {
  const { written, refuse } = strangers();
  refuse('127.0.0.1', 401, { what: `/${'x'.repeat(8000)}` });
  refuse('10.1.2.3', 401, { what: `/${'x'.repeat(8000)}` });
  expect(written.map((text) => text.length - '401 '.length)).toEqual([100, 100]);
  expect(written[1]).toMatch(/x… \(from 10\.1\.2\.3\)$/);
});

test('row 30: a server writes two entries for a minute of guesses, and none of what it is asked for later is hidden', async () => {
  const server = await startTestServer();
  const search = `/fhir-r4/v1/CarePlan?subject=${'x'.repeat(7000)}`;
  await Promise.all(Array.from({ length: 200 }, () => sendAs(server, undefined, 'GET', search)));
  for (let index = 0; index < 25; index += 1) await sendAs(server, 'Bearer wrong', 'GET', search);
  const { json } = await server.send('GET', '/app/audit');
  expect(json.entries.map(({ status }: any) => status)).toEqual([429, 401]);
  expect(json.entries.every(({ what }: any) => what.length <= 100)).toBe(true);
  await server.remove();
});

test('row 30: a client that guesses its secret has an entry', async () => {
  const server = await startTestServer();
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const grant = 'grant_type=client_credentials&client_id=a&client_secret=guess';
  await sendAs(server, undefined, 'POST', '/oauth2/token', grant, form);
  const { json } = await server.send('GET', '/app/audit');
  expect(json.entries).toMatchObject([{ who: '', action: 'sign-in', what: '/oauth2/token', status: 401 }]);
  await server.remove();
});
