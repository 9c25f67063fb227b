import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../testing/run-cli.ts';
import { carePlan, startTestServer } from '../testing/test-server.ts';

const plan = carePlan('Patient/a');
const bundle = (...resources: readonly string[]) =>
  `{"resourceType":"Bundle","type":"collection","entry":[${resources.map((resource) => `{"resource":${resource}}`).join(',')}]}`;
const large = `{"resourceType":"Binary","contentType":"text/plain","data":"${'a'.repeat(6 * 1024 * 1024)}"}`;

/** Each shape with the counts of its results, in the order stored, refused, skipped. */
const shapes: readonly (readonly [name: string, text: string, counts: readonly [number, number, number]])[] =
  [
    [
      'a Bundle whose resourceType is last',
      `{"entry":[{"resource":${plan}},{"resource":${plan}}],"resourceType":"Bundle"}`,
      [2, 0, 0],
    ],
    ['an array', `[${plan},${plan}]`, [2, 0, 0]],
    ['an entry over the limit between others', bundle(plan, large, plan), [2, 1, 0]],
    ['a Bundle in a Bundle', bundle(plan, bundle(plan, bundle(plan))), [3, 0, 0]],
    [
      'Parameters',
      `{"resourceType":"Parameters","parameter":[{"name":"a","resource":${plan}},{"name":"b","part":[{"name":"c","resource":${plan}}]}]}`,
      [2, 0, 0],
    ],
    [
      'a CDS Hooks request',
      `{"hook":"patient-view","prefetch":{"plan":${plan},"plans":${bundle(plan)},"none":null}}`,
      [2, 0, 0],
    ],
    [
      'a batch response',
      `{"resourceType":"Bundle","type":"batch-response","entry":[{"response":{"status":"201"}},{"resource":${bundle(plan)},"response":{"status":"200"}}]}`,
      [1, 0, 1],
    ],
    [
      'entries with duplicate names',
      bundle('{"resourceType":"CarePlan","status":"a","status":"b"}', plan),
      [1, 1, 0],
    ],
    ['text that is cut off', bundle(plan, plan).slice(0, -10), [1, 1, 0]],
  ];

test.each(shapes)(
  'accounts for %s by command and HTTP alike',
  async (_, text, [storedCount, refusedCount, skippedCount]) => {
    const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-shapes-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'input.json'), text);
    const { stdout } = await runCli(['import', '--data', join(folder, 'data'), join(folder, 'input.json')]);
    const skipped = skippedCount === 0 ? '' : `, ${skippedCount} entries without a resource skipped`;
    expect(stdout.split('\n').at(-2)).toBe(
      `${storedCount} stored, 0 unchanged, ${refusedCount} refused${skipped}.`,
    );
    const server = await startTestServer();
    onTestFinished(() => server.remove());
    const answer = await server.send('POST', '/app/import', text);
    const { done } = JSON.parse(answer.text.trim().split('\n').at(-1) ?? '') as { done: object };
    expect(done).toMatchObject({ stored: storedCount, refused: refusedCount, skipped: skippedCount });
  },
);
