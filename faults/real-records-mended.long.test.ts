import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../core/api/client.ts';
import { fixOf } from '../core/fhir/fixes/fixes.ts';
import { serializeNode } from '../core/json/node.ts';
import { scan } from '../core/json/scan.ts';
import type { Target } from '../renderer/features/bulk/bulk-state.ts';
import { collectTargets } from '../renderer/features/bulk/gather.ts';
import { examineTarget, replacing } from '../renderer/features/bulk/replace-target.ts';
import { eachTarget } from '../renderer/features/bulk/run-loop.ts';
import { startTestServer, type TestServer } from '../server/testing/test-server.ts';

const real = resolve(import.meta.dirname, '../../shared/data');

/** Some published samples contain comments, which are not valid JSON. */
function readRecordLines(): string[] {
  const files = globSync(join(real, '{CarePlan,Composition}/*.json')).map((path) =>
    readFileSync(path, 'utf8'),
  );
  const lines = readFileSync(join(real, 'synthea-careplans.ndjson'), 'utf8').split('\n').filter(Boolean);
  return [...files.map((text) => serializeNode(scan(text.replace(/^\ufeff/, '')).root)), ...lines];
}

interface RuleCount {
  readonly rule: string;
  readonly severity: string;
  readonly findings: number;
  readonly records: number;
}

async function fetchRuleCounts(server: TestServer): Promise<readonly RuleCount[]> {
  return (await server.send('GET', '/app/quality')).json.groups;
}

const filterErrors = (groups: readonly RuleCount[]) => groups.filter(({ severity }) => severity === 'error');
const sumFindings = (groups: readonly RuleCount[]) =>
  groups.reduce((total, { findings }) => total + findings, 0);

/**
 * Runs one bulk change over all records of the worklist with the code of the page. Returns how many records
 * changed.
 */
async function fixAll(server: TestServer, fix: string): Promise<number> {
  const client = createClient({ base: server.origin, fetch, token: () => server.token });
  const targets: Target[] = [];
  for await (const page of collectTargets(client, { kind: 'quality', filter: {}, label: 'All' }))
    targets.push(...page);
  const examineOptions = {
    level: 'standard',
    today: '2026-11-22',
    compute: () => Promise.resolve([]),
  } as const;
  const options = { client, operations: [{ kind: 'fix', fix } as const], examineOptions };
  let done = 0;
  await eachTarget([...targets.keys()], (index) => targets[index], {
    work: async (target) => {
      const ready = await examineTarget(target, options);
      return ready.state === 'ready' ? replacing.writeTarget(ready, options) : ready;
    },
    report: (completed) => {
      done += completed.filter(({ target }) => target.state === 'done').length;
    },
    signal: new AbortController().signal,
  });
  return done;
}

describe.skipIf(!existsSync(real))('real records (not run where they are absent)', () => {
  test('fixes findings with two bulk changes that need no knowledge beyond the record', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.remove());
    const lines = readRecordLines();
    const type = { 'Content-Type': 'application/x-ndjson' };
    const { text } = await server.send('POST', '/app/import?level=off', lines.join('\n'), type);
    expect(text).toContain(`"stored":${lines.length}`);
    const countsBefore = await fetchRuleCounts(server);
    const fixedCount = await fixAll(server, 'every');
    const countsBetween = await fetchRuleCounts(server);
    const removedCount = await fixAll(server, 'remove');
    const countsAfter = await fetchRuleCounts(server);
    const countFindings = (groups: readonly RuleCount[], rule: string) =>
      groups.find((group) => group.rule === rule)?.findings ?? 0;
    const table = countsBefore.map(({ rule, severity, findings }) => {
      const reason =
        countFindings(countsAfter, rule) > 0
          ? (fixOf(rule)?.reasonWithoutOptions ?? 'It is between records.')
          : '';
      return [
        rule,
        severity,
        findings,
        countFindings(countsBetween, rule),
        countFindings(countsAfter, rule),
        reason,
      ].join(' | ');
    });
    process.stdout.write(
      [
        `${lines.length} records; ${fixedCount} mended, ${removedCount} with elements removed`,
        'rule | severity | before | after fixes | after removing | why it is left',
        ...table,
        ...countsAfter
          .filter(({ rule }) => countFindings(countsBefore, rule) === 0)
          .map(({ rule, severity, findings }) => `NEW ${rule} | ${severity} | ${findings}`),
        '',
      ].join('\n'),
    );
    expect(sumFindings(filterErrors(countsBetween))).toBeLessThan(sumFindings(filterErrors(countsBefore)));
    expect(sumFindings(filterErrors(countsAfter))).toBeLessThan(sumFindings(filterErrors(countsBetween)));
    // A fix causes no more errors of any rule than before.
    for (const { rule, findings } of filterErrors(countsAfter))
      expect(findings, rule).toBeLessThanOrEqual(countFindings(countsBefore, rule));
  });
});
