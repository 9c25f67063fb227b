/** Writers that meet: rows 15, 30 and the If-Match rule of the specification. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type Answer, type TestServer } from '../testing/test-server.ts';
import { at, replace, store, text, types } from './testing/records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const width = 16;
const rounds = Array.from({ length: 20 }, (_, round) => round);
const times = <Result>(work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: width }, (_, index) => work(index)));
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();
const oneWins = [200, ...Array.from({ length: width - 1 }, () => 412)];

describe.each(types)('%s', (type) => {
  test.each(rounds)('16 PUTs with one If-Match: one 200, fifteen 412 (round %i)', async () => {
    const { path } = await store(server, type);
    const headers = { 'If-Match': 'W/"1"' };
    const answers = await times((index) =>
      server.send('PUT', path, text(type, { language: `x-${index}` }), headers),
    );
    expect(statuses(answers)).toEqual(oneWins);
    const winner = answers.find(({ status }) => status === 200);
    expect((await server.send('GET', path)).text).toBe(winner?.text);
    expect((await server.send('GET', `${path}/_history`)).json.total).toBe(2);
  });

  test('16 PATCHes with one If-Match: one 200, fifteen 412', async () => {
    const { path } = await store(server, type);
    const headers = { 'If-Match': 'W/"1"' };
    const answers = await times((index) =>
      server.send('PATCH', path, replace('/language', `x-${index}`), headers),
    );
    expect(statuses(answers)).toEqual(oneWins);
  });

  test('16 writers that read, change and try again lose nothing', async () => {
    const { path } = await store(server, type, { x: { count: 0 } });
    const add = async (): Promise<number> => {
      const { json, headers } = await server.send('GET', path);
      const body = replace('/x/count', Number(json.x.count) + 1);
      const answer = await server.send('PATCH', path, body, { 'If-Match': headers.get('etag') ?? '' });
      return answer.status === 412 ? add() : answer.status;
    };
    expect(new Set(await times(add))).toEqual(new Set([200]));
    expect((await server.send('GET', path)).json).toMatchObject({
      x: { count: width },
      meta: { versionId: '17' },
    });
  });

  test.each(rounds)('16 creates with one If-None-Exist make one record (round %i)', async () => {
    const reference = `Patient/${randomUUID()}`;
    const body = text(type, { subject: { reference } });
    const answers = await times(() =>
      server.send('POST', at(type), body, { 'If-None-Exist': `subject=${reference}` }),
    );
    expect(statuses(answers)).toEqual([...Array.from({ length: width - 1 }, () => 200), 201]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect((await server.send('GET', `${at(type)}?subject=${reference}`)).json.total).toBe(1);
  });
});
