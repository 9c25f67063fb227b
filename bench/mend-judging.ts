import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { CustomCheck } from '../core/app/checks.ts';
import type { Overview } from '../core/app/models.ts';
import type { ResourceType } from '../core/fhir/resource.ts';
import type { MendLine } from './mend-line.ts';
import type { Operation } from './operations.ts';
import { startOurs, type Server } from './processes.ts';
import type { Waits } from './reader.ts';
import type { FilledStores } from './stores.ts';
import { warmCache } from './warm.ts';

/** The searches during the validation, and how much longer they may take. */
const parallelSearch = { operation: 'search-5', times: 2 } as const satisfies {
  operation: Operation;
  times: number;
};

/** Limit in minutes for a million records. */
const maxMinutes = 15;

/** Seconds of searches without other work. */
const idleSeconds = 20;

/** Milliseconds between two polls of the progress. Each poll counts all results. */
const pollIntervalMs = 5000;

/** Twenty checks: ten of each type, from one element to all activities and sections. */
const checkExpressions: readonly (readonly [ResourceType, string, string?])[] = [
  ['CarePlan', 'subject.exists()'],
  ['CarePlan', 'title.exists() and title.length() > 3'],
  ['CarePlan', 'goal.exists() or activity.exists()', "status = 'active'"],
  ['CarePlan', 'period.start.exists()', 'period.exists()'],
  ['CarePlan', 'period.start <= period.end', 'period.end.exists()'],
  ['CarePlan', "activity.detail.all(status != 'unknown')", 'activity.detail.exists()'],
  ['CarePlan', 'category.coding.exists(system.exists() and code.exists())', 'category.exists()'],
  ['CarePlan', 'author.exists() or contributor.exists()'],
  ['CarePlan', 'addresses.reference.count() <= 10'],
  ['CarePlan', "careTeam.reference.all(startsWith('CareTeam/'))"],
  ['Composition', 'author.exists()'],
  ['Composition', 'title.length() < 120'],
  ['Composition', 'section.exists()'],
  ['Composition', 'section.all(text.exists() or entry.exists() or section.exists())', 'section.exists()'],
  ['Composition', 'attester.exists()', "status = 'final'"],
  ['Composition', 'custodian.exists()', "status = 'final'"],
  ['Composition', "type.coding.exists(system = 'http://loinc.org')"],
  ['Composition', 'date <= today()'],
  ['Composition', 'encounter.exists()'],
  ['Composition', "section.title.all(matches('^[A-Z].*'))", 'section.title.exists()'],
];

/** Measures the validation of a large store by all rules and twenty checks, with parallel searches. */
export async function measureJudging(
  { records, dataDir, sample }: FilledStores,
  log: (line: string) => void,
): Promise<MendLine[]> {
  await warmCache([join(dataDir, 'records.db')]);
  const server = await startOurs(dataDir);
  try {
    while (await isValidating(server)) await setTimeout(pollIntervalMs);
    const idleWaits = await measureSearches(server, sample, () => setTimeout(idleSeconds * 1000));
    // A reused store has the checks of the previous run.
    const storedChecks = (await send(server, 'GET', '/app/checks')) as readonly CustomCheck[];
    const versions = new Map(storedChecks.map(({ id, version }) => [id, version]));
    for (const [index, [type, holdsExpression, applies]] of checkExpressions.entries()) {
      const check = {
        title: `Check ${index}`,
        type,
        holds: holdsExpression,
        ...(applies !== undefined && { applies }),
      };
      const settings = { category: 'completeness', severity: 'warning', active: true };
      const id = `check-${index}`;
      await send(server, 'PUT', `/app/checks/${id}`, {
        ...check,
        ...settings,
        version: versions.get(id) ?? 0,
      });
    }
    const startTime = performance.now();
    const validationWaits = await measureSearches(server, sample, async () => {
      await send(server, 'POST', '/app/quality/judge', {});
      do await setTimeout(pollIntervalMs);
      while (await isValidating(server));
    });
    const minutes = (performance.now() - startTime) / 60_000;
    log(
      `${records} records judged in ${minutes.toFixed(2)} min; ${JSON.stringify({ before: idleWaits, during: validationWaits })}`,
    );
    const factor = validationWaits.median / idleWaits.median;
    const formatWaits = ({ median, longest }: Waits) =>
      `${median.toFixed(2)} ms, longest ${longest.toFixed(0)} ms`;
    const scaledTarget = (maxMinutes * Math.max(records, 1)) / 1_000_000;
    return [
      {
        title: `${records.toLocaleString('en')} records checked with all rules and ${checkExpressions.length} checks`,
        figure: `${minutes.toFixed(2)} min`,
        target: `≤ ${maxMinutes} min`,
        isReached: minutes <= Math.max(scaledTarget, 1),
      },
      {
        title: 'A search of five records, no other work',
        figure: formatWaits(idleWaits),
        target: '',
        isReached: true,
      },
      {
        title: 'The same during the check',
        figure: `${formatWaits(validationWaits)}; ${factor.toFixed(2)} ×`,
        target: `≤ ${parallelSearch.times} ×`,
        isReached: factor <= parallelSearch.times,
      },
    ];
  } finally {
    await server.stop();
  }
}

/** Measures the searches of another process while some work runs. */
async function measureSearches(server: Server, sample: string, work: () => Promise<unknown>): Promise<Waits> {
  const reader = fork(resolve(import.meta.dirname, 'reader.ts'), [
    String(server.port),
    server.token,
    sample,
    parallelSearch.operation,
  ]);
  await once(reader, 'message');
  await work();
  reader.send('end');
  const [waits] = (await once(reader, 'message')) as [Waits];
  return waits;
}

async function isValidating(server: Server): Promise<boolean> {
  const { rebuild } = (await send(server, 'GET', '/app/overview')) as Overview;
  if (rebuild.state === 'running') return true;
  const checks = (await send(server, 'GET', '/app/checks')) as readonly CustomCheck[];
  return checks.some(({ active, progress }) => active && (!progress || progress.done < progress.total));
}

async function send({ port, token }: Server, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
  return response.json();
}
