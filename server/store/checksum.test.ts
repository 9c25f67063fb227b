import { expect, test } from 'vitest';
import { damageBodies } from '../testing/damage.ts';
import { KeptFolder } from '../testing/kept-folder.ts';
import { carePlan } from '../testing/test-server.ts';

const type = '/fhir-r4/v1/CarePlan';

test('a text in which one bit has changed is answered nowhere; the other records are', async () => {
  const folder = await KeptFolder.make(Date.now());
  await folder.start();
  // Completed, but without an end: the worklist shows it.
  const titled = carePlan('Patient/a', ',"title":"harmless"').replace('active', 'completed');
  const create = async () => (await folder.send('POST', type, titled)).json.id as string;
  const [hurt, whole] = [await create(), await create()];
  await folder.stop();
  expect(damageBodies(folder.records, { count: 1, seed: 1, id: hurt })).toMatchObject([{ version: 1 }]);
  await folder.start();
  try {
    const outcome = {
      resourceType: 'OperationOutcome',
      issue: [
        {
          severity: 'error',
          code: 'exception',
          details: { text: expect.stringMatching(/^The stored text of this CarePlan is damaged .*\(PUT\)/) },
          diagnostics: `CarePlan/${hurt}, version 1`,
        },
      ],
    };
    for (const path of [`${type}/${hurt}`, `${type}/${hurt}/_history/1`]) {
      const answer = await folder.send('GET', path);
      expect({ path, status: answer.status }).toEqual({ path, status: 500 });
      expect(answer.json).toMatchObject(outcome);
    }
    for (const [path, total, matches] of [
      [`${type}/${hurt}/_history`, 1, 0],
      [`${type}/_history`, 2, 1],
      [`${type}?subject=Patient/a`, 2, 1],
      [`${type}?_id=${hurt}`, 1, 0],
      [`${type}?subject=Patient/a&_elements=status&_pretty=true`, 2, 1],
    ] as const) {
      const answer = await folder.send('GET', path);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      expect(answer.json).toMatchObject({ total });
      const resources = answer.json.entry.map(({ resource }: { resource: unknown }) => resource);
      expect(resources).toHaveLength(total);
      expect(resources.filter((one: { id?: string }) => one.id === whole)).toHaveLength(matches);
      expect(resources).toContainEqual(outcome);
      expect(answer.text.split('harmless')).toHaveLength(path.includes('_elements') ? 1 : matches + 1);
    }
    const lines = (await folder.send('GET', '/app/export?type=CarePlan')).text.trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: whole });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ details: { text: expect.stringMatching(/^1 of the records/) } }, ...outcome.issue],
    });
    expect((await folder.send('GET', `/app/history/CarePlan/${hurt}`)).json).toMatchObject({
      total: 1,
      versions: [{ version: 1, damaged: true, changes: 0 }],
    });
    const worklist = await folder.send('GET', '/app/quality/findings?type=CarePlan');
    expect(worklist.json.findings).toMatchObject([
      { id: hurt, title: '' },
      { id: whole, title: 'harmless' },
    ]);
    expect((await folder.send('GET', `${type}/${whole}`)).status).toBe(200);
    expect(folder.lines).toContainEqual(expect.stringMatching(/^request \S+ met a damaged record/));
    expect(folder.lines.join()).not.toContain(hurt);
  } finally {
    await folder.remove();
  }
});
