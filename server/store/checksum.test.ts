import { expect, test } from 'vitest';
import { damageBodies } from '../testing/damage.ts';
import { KeptFolder } from '../testing/kept-folder.ts';
import { carePlan } from '../testing/test-server.ts';

const type = '/fhir-r4/v1/CarePlan';

test('returns no text in which one bit has changed, and all other records', async () => {
  const folder = await KeptFolder.make(Date.now());
  await folder.start();
  // Completed without an end date, so the worklist has an issue.
  const titled = carePlan('Patient/a', ',"title":"harmless"').replace('active', 'completed');
  const create = async () => (await folder.send('POST', type, titled)).json.id as string;
  const [damagedId, intactId] = [await create(), await create()];
  await folder.stop();
  expect(damageBodies(folder.records, { count: 1, seed: 1, id: damagedId })).toMatchObject([{ version: 1 }]);
  await folder.start();
  try {
    const outcome = {
      resourceType: 'OperationOutcome',
      issue: [
        {
          severity: 'error',
          code: 'exception',
          details: expect.objectContaining({
            text: expect.stringMatching(/^The stored text of this CarePlan is damaged.*\(PUT\)/),
          }),
          diagnostics: `CarePlan/${damagedId}, version 1`,
        },
      ],
    };
    for (const path of [`${type}/${damagedId}`, `${type}/${damagedId}/_history/1`]) {
      const response = await folder.send('GET', path);
      expect({ path, status: response.status }).toEqual({ path, status: 500 });
      expect(response.json).toMatchObject(outcome);
    }
    for (const [path, total, matches] of [
      [`${type}/${damagedId}/_history`, 1, 0],
      [`${type}/_history`, 2, 1],
      [`${type}?subject=Patient/a`, 2, 1],
      [`${type}?_id=${damagedId}`, 1, 0],
      [`${type}?subject=Patient/a&_elements=status&_pretty=true`, 2, 1],
    ] as const) {
      const response = await folder.send('GET', path);
      expect({ path, status: response.status }).toEqual({ path, status: 200 });
      expect(response.json).toMatchObject({ total });
      const resources = response.json.entry.map(({ resource }: { resource: unknown }) => resource);
      expect(resources).toHaveLength(total);
      expect(resources.filter((resource: { id?: string }) => resource.id === intactId)).toHaveLength(matches);
      expect(resources).toContainEqual(outcome);
      expect(response.text.split('harmless')).toHaveLength(path.includes('_elements') ? 1 : matches + 1);
    }
    const lines = (await folder.send('GET', '/app/export?type=CarePlan')).text.trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: intactId });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ details: { text: expect.stringMatching(/^1 record can’t be exported/) } }, ...outcome.issue],
    });
    expect((await folder.send('GET', `/app/history/CarePlan/${damagedId}`)).json).toMatchObject({
      total: 1,
      versions: [{ version: 1, damaged: true, changes: 0 }],
    });
    const worklist = await folder.send('GET', '/app/quality/findings?type=CarePlan');
    expect(worklist.json.findings).toMatchObject([
      { id: damagedId, title: '' },
      { id: intactId, title: 'harmless' },
    ]);
    expect((await folder.send('GET', `${type}/${intactId}`)).status).toBe(200);
    expect(folder.lines).toContainEqual(expect.stringMatching(/^request \S+ met a damaged record/));
    expect(folder.lines.join()).not.toContain(damagedId);
  } finally {
    await folder.remove();
  }
});
