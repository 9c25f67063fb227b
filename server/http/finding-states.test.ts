/** States of findings follow their elements through writes and rebuilds. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptFolder } from '../testing/kept-folder.ts';
import type { Json } from '../testing/test-server.ts';

let folder: KeptFolder;
beforeEach(async () => {
  folder = await KeptFolder.make(Date.UTC(2026, 10, 22, 12));
  await folder.start();
});
afterEach(() => folder.remove());

const path = '/fhir-r4/v1/CarePlan/faulty';
const activities = (...names: string[]) => ({
  resourceType: 'CarePlan',
  id: 'faulty',
  status: 'active',
  intent: 'plan',
  subject: { reference: 'Patient/p' },
  activity: names.map((description) => ({ detail: { status: 'wrong', description } })),
});

async function importRecord(...names: string[]): Promise<void> {
  const response = await folder.send(
    'POST',
    '/app/import?level=off&keepIds=true',
    JSON.stringify(activities(...names)),
  );
  expect(response.text).toContain('"stored":1');
}

async function update(...names: string[]): Promise<void> {
  expect((await folder.send('PUT', path, JSON.stringify(activities(...names)))).status).toBe(200);
}

async function waive(rule: string, index: number): Promise<void> {
  const finding = { type: 'CarePlan', id: 'faulty', rule, pointer: `/activity/${index}/detail/status` };
  const body = { set: 'waived', reason: 'The ward agreed.', findings: [finding] };
  const { json } = await folder.send('PUT', '/app/quality/states', JSON.stringify(body));
  expect(json).toEqual({ changed: 1, gone: 0 });
}

/** Returns the pointers of the waived findings of a rule. */
async function listWaivedPointers(rule: string): Promise<string[]> {
  const { json } = await folder.send('GET', `/app/quality/findings?rule=${rule}&state=waived`);
  return json.findings.map(({ pointer }: Json) => pointer);
}

test('moves a waiver with its element through PUTs, a restart and a rebuild', async () => {
  await importRecord('A', 'B', 'C');
  await waive('schema-code', 1);
  await update('B', 'C');
  expect(await listWaivedPointers('schema-code')).toEqual(['/activity/0/detail/status']);
  await update('C', 'B');
  await folder.stop();
  await folder.start();
  expect((await folder.send('POST', '/app/quality/judge')).status).toBeLessThan(300);
  await folder.waitForRebuild();
  expect(await listWaivedPointers('schema-code')).toEqual(['/activity/1/detail/status']);
  await update('C');
  expect(await listWaivedPointers('schema-code')).toEqual([]);
  await folder.stop();
  expect(await folder.verify()).toEqual([]);
});

test('moves a waiver of a custom check with its element while the check runs again', async () => {
  await importRecord('A', 'B', 'C');
  const check = {
    type: 'CarePlan',
    title: 'B is not wrong',
    category: 'plausibility',
    severity: 'warning',
    active: true,
    version: 0,
    holds: "activity.where(detail.description = 'B').empty()",
    points: "activity.where(detail.description = 'B').detail.status",
  };
  expect((await folder.send('PUT', '/app/checks/named', JSON.stringify(check))).status).toBe(200);
  await folder.runChecks();
  await waive('my/named', 1);
  await update('B', 'C');
  expect(await listWaivedPointers('my/named')).toEqual(['/activity/0/detail/status']);
  await folder.runChecks();
  expect(await listWaivedPointers('my/named')).toEqual(['/activity/0/detail/status']);
});
