import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const settings = { baseUrl: 'https://fhir.example.org' };

test('orders the list as requested and appends new connections', async () => {
  const ids: string[] = [];
  for (const name of ['One', 'Two', 'Three']) {
    const answer = await server.send('POST', '/app/connections', JSON.stringify({ ...settings, name }));
    ids.push(answer.json.id);
  }
  const [firstId = '', , thirdId = ''] = ids;
  const arrange = (order: unknown) => server.send('PUT', '/app/connections', JSON.stringify({ order }));
  const names = (answer: { json: { connections: { name: string }[] } }) =>
    answer.json.connections.map(({ name }) => name);
  expect(names(await arrange([thirdId, firstId]))).toEqual(['Three', 'One', 'Two']);
  for (const order of [[firstId, firstId], ['nobody'], 'One', undefined]) {
    const rejection = await arrange(order);
    expect([rejection.status, rejection.json.issue[0].expression]).toEqual([400, ['order']]);
  }
  await server.send('POST', '/app/connections', JSON.stringify({ ...settings, name: 'Four' }));
  expect(names(await server.send('GET', '/app/connections'))).toEqual(['Three', 'One', 'Two', 'Four']);
});
