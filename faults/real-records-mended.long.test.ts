import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../core/api/client.ts';
import { fixOf } from '../core/fhir/fixes/fixes.ts';
import { print } from '../core/json/print.ts';
import { scan } from '../core/json/scan.ts';
import type { Target } from '../renderer/features/bulk/bulk-state.ts';
import { gather } from '../renderer/features/bulk/gather.ts';
import { examineTarget, replacing } from '../renderer/features/bulk/replace-target.ts';
import { eachTarget } from '../renderer/features/bulk/run-loop.ts';
import { startTestServer, type TestServer } from '../server/testing/test-server.ts';

const real = resolve(import.meta.dirname, '../../shared/data');

/** Some samples of the page on which they stand write comments where JSON has none. */
function linesOf(): string[] {
  const files = globSync(join(real, '{CarePlan,Composition}/*.json')).map((path) =>
    readFileSync(path, 'utf8'),
  );
  const lines = readFileSync(join(real, 'synthea-careplans.ndjson'), 'utf8').split('\n').filter(Boolean);
  return [...files.map((text) => print(scan(text.replace(/^\ufeff/, '')).root)), ...lines];
}

interface Broken {
  readonly rule: string;
  readonly severity: string;
  readonly findings: number;
  readonly records: number;
}

async function broken(server: TestServer): Promise<readonly Broken[]> {
  return (await server.send('GET', '/app/quality')).json.groups;
}

const errorsIn = (groups: readonly Broken[]) => groups.filter(({ severity }) => severity === 'error');
const sum = (groups: readonly Broken[]) => groups.reduce((all, { findings }) => all + findings, 0);

/** One bulk change over all that the worklist lists, by the page's own code; answers how many records it changed. */
async function mendAll(server: TestServer, fix: string): Promise<number> {
  const client = createClient({ base: server.origin, fetch, token: () => server.token });
  const targets: Target[] = [];
  for await (const page of gather(client, { kind: 'quality', filter: {}, label: 'All' }))
    targets.push(...page);
  const judge = { level: 'standard', today: '2026-11-22', compute: () => Promise.resolve([]) } as const;
  const options = { client, operations: [{ kind: 'fix', fix } as const], judge };
  let done = 0;
  await eachTarget([...targets.keys()], (place) => targets[place], {
    work: async (target) => {
      const ready = await examineTarget(target, options);
      return ready.state === 'ready' ? replacing.send(ready, options) : ready;
    },
    report: (settled) => {
      done += settled.filter(({ target }) => target.state === 'done').length;
    },
    signal: new AbortController().signal,
  });
  return done;
}

describe.skipIf(!existsSync(real))('real records (not run where they are absent)', () => {
  test('two bulk changes mend what can be mended without knowing more than the record', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.remove());
    const lines = linesOf();
    const type = { 'Content-Type': 'application/x-ndjson' };
    const { text } = await server.send('POST', '/app/import?level=off', lines.join('\n'), type);
    expect(text).toContain(`"stored":${lines.length}`);
    const before = await broken(server);
    const mended = await mendAll(server, 'every');
    const between = await broken(server);
    const removed = await mendAll(server, 'remove');
    const after = await broken(server);
    const countOf = (groups: readonly Broken[], rule: string) =>
      groups.find((one) => one.rule === rule)?.findings ?? 0;
    const table = before.map(({ rule, severity, findings }) => {
      const why = countOf(after, rule) > 0 ? (fixOf(rule)?.none ?? 'It is between records.') : '';
      return [rule, severity, findings, countOf(between, rule), countOf(after, rule), why].join(' | ');
    });
    process.stdout.write(
      [
        `${lines.length} records; ${mended} mended, ${removed} with elements removed`,
        'rule | severity | before | after fixes | after removing | why it is left',
        ...table,
        ...after
          .filter(({ rule }) => countOf(before, rule) === 0)
          .map(({ rule, severity, findings }) => `NEW ${rule} | ${severity} | ${findings}`),
        '',
      ].join('\n'),
    );
    expect(sum(errorsIn(between))).toBeLessThan(sum(errorsIn(before)));
    expect(sum(errorsIn(after))).toBeLessThan(sum(errorsIn(between)));
    // No mend is worse than what it mends: a rule has no more errors than it had.
    for (const { rule, findings } of errorsIn(after))
      expect(findings, rule).toBeLessThanOrEqual(countOf(before, rule));
  });
});
