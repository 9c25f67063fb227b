import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { carePlan, startTestServer } from '../testing/test-server.ts';
import { damageBodies } from '../testing/damage.ts';
import { pageFolder } from '../serve.ts';
import { startServer } from '../start.ts';

const type = '/fhir-r4/v1/CarePlan';

test('a text in which one bit has changed is answered nowhere; the other records are', async () => {
  const server = await startTestServer();
  // Completed, but without an end: the worklist shows it.
  const titled = carePlan('Patient/a', ',"title":"harmless"').replace('active', 'completed');
  const place = async () => (await server.send('POST', type, titled)).headers.get('Location') ?? '';
  const [hurt, whole] = [idIn(await place()), idIn(await place())];
  await server.close();
  const [flip] = damageBodies(join(server.dataDir, 'records.db'), { count: 1, seed: 5, id: hurt });
  expect(flip).toMatchObject({ id: hurt, version: 1 });

  const lines: string[] = [];
  const again = await startServer({
    ...{ dataDir: server.dataDir, port: 0, token: server.token, pageFolder },
    log: (line) => lines.push(line),
  });
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(again.origin + path, {
      ...init,
      headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
    });
  try {
    const paths = [
      `${type}/${hurt}`,
      `${type}/${hurt}/_history/1`,
      `${type}/${hurt}/_history`,
      `${type}/_history`,
      `${type}?subject=Patient/a`,
      `${type}?_id=${hurt}`,
      `/app/history/CarePlan/${hurt}`,
      '/app/quality/findings?type=CarePlan',
      '/app/export?type=CarePlan',
    ];
    for (const path of paths) {
      const answer = await ask(path);
      const text = await answer.text();
      expect({ path, status: answer.status }).toEqual({ path, status: 500 });
      expect(JSON.parse(text)).toMatchObject({
        resourceType: 'OperationOutcome',
        issue: [
          {
            severity: 'error',
            code: 'exception',
            details: { text: expect.stringMatching(/^The stored text of this CarePlan is damaged/) },
            diagnostics: `CarePlan/${hurt}, version 1`,
          },
        ],
      });
      expect(text).not.toContain('harmless');
    }
    const change = await ask(`${type}/${hurt}`, {
      method: 'PATCH',
      body: '[{"op":"replace","path":"/status","value":"revoked"}]',
    });
    expect(change.status).toBe(500);
    expect((await ask(`${type}/${whole}`)).status).toBe(200);
    expect(lines).toContainEqual(expect.stringMatching(/^request \S+ met a damaged record/));
    expect(lines.join()).not.toContain(hurt);
  } finally {
    await again.close();
    await rm(server.dataDir, { recursive: true, force: true });
  }
});

function idIn(location: string): string {
  return location.split('/').at(-3) ?? '';
}
