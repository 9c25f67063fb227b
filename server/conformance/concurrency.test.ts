/** Concurrent writers: rows 15 and 30 of docs/api-rows.md. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type Answer, type TestServer } from '../testing/test-server.ts';
import { toPath, replace, store, text, types } from './testing/records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const writerCount = 16;
const rounds = Array.from({ length: 20 }, (_, round) => round);
const runWriters = <Result>(work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: writerCount }, (_, index) => work(index)));
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();
const oneWins = [200, ...Array.from({ length: writerCount - 1 }, () => 412)];

describe.each(types)('%s', (type) => {
  test.each(rounds)('returns one 200 and fifteen 412 to 16 PUTs with one If-Match (round %i)', async () => {
    const { path } = await store(server, type);
    const headers = { 'If-Match': 'W/"1"' };
    const answers = await runWriters((index) =>
      server.send('PUT', path, text(type, { language: `x-${index}` }), headers),
    );
    expect(statuses(answers)).toEqual(oneWins);
    const winner = answers.find(({ status }) => status === 200);
    expect((await server.send('GET', path)).text).toBe(winner?.text);
    expect((await server.send('GET', `${path}/_history`)).json.total).toBe(2);
  });

  test('returns one 200 and fifteen 412 to 16 PATCHes with one If-Match', async () => {
    const { path } = await store(server, type);
    const headers = { 'If-Match': 'W/"1"' };
    const answers = await runWriters((index) =>
      server.send('PATCH', path, replace('/language', `x-${index}`), headers),
    );
    expect(statuses(answers)).toEqual(oneWins);
  });

  test('loses no change of 16 writers that read, patch and retry after 412', async () => {
    const { path } = await store(server, type, { x: { count: 0 } });
    const add = async (): Promise<number> => {
      const { json, headers } = await server.send('GET', path);
      const body = replace('/x/count', Number(json.x.count) + 1);
      const answer = await server.send('PATCH', path, body, { 'If-Match': headers.get('etag') ?? '' });
      return answer.status === 412 ? add() : answer.status;
    };
    expect(new Set(await runWriters(add))).toEqual(new Set([200]));
    expect((await server.send('GET', path)).json).toMatchObject({
      x: { count: writerCount },
      meta: { versionId: '17' },
    });
  });

  test.each(rounds)('stores one record for 16 creates with one If-None-Exist (round %i)', async () => {
    const reference = `Patient/${randomUUID()}`;
    const body = text(type, { subject: { reference } });
    const answers = await runWriters(() =>
      server.send('POST', toPath(type), body, { 'If-None-Exist': `subject=${reference}` }),
    );
    expect(statuses(answers)).toEqual([...Array.from({ length: writerCount - 1 }, () => 200), 201]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect((await server.send('GET', `${toPath(type)}?subject=${reference}`)).json.total).toBe(1);
  });
});
