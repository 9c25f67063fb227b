import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { StewardCheck } from '../core/app/checks.ts';
import type { Overview } from '../core/app/models.ts';
import type { ResourceType } from '../core/fhir/resource.ts';
import type { MendLine } from './mend-line.ts';
import type { Operation } from './operations.ts';
import { startOurs, type Server } from './processes.ts';
import type { Waits } from './reader.ts';
import type { FilledStores } from './stores.ts';
import { warm } from './warm.ts';

/** What the searches beside are, and how many times as long they may take. */
const beside = { operation: 'search-5', times: 2 } as const satisfies { operation: Operation; times: number };

/** Minutes that a million records may take. */
const target = 15;

/** Seconds of searches while nothing else is done. */
const alone = 20;

/** Milliseconds between two looks at how far it is: each counts all verdicts. */
const pause = 5000;

/** What twenty checks ask: ten of each type, from one element to all activities and sections. */
const asked: readonly (readonly [ResourceType, string, string?])[] = [
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

/** A large store judged by all rules and twenty checks, with searches beside. */
export async function measureJudging(
  { records, dataDir, sample }: FilledStores,
  log: (line: string) => void,
): Promise<MendLine[]> {
  await warm([join(dataDir, 'records.db')]);
  const server = await startOurs(dataDir);
  try {
    while (await isJudging(server)) await setTimeout(pause);
    const before = await searched(server, sample, () => setTimeout(alone * 1000));
    // A store that is kept has those of the run before.
    const kept = (await send(server, 'GET', '/app/checks')) as readonly StewardCheck[];
    const versions = new Map(kept.map(({ id, version }) => [id, version]));
    for (const [at, [type, holds, applies]] of asked.entries()) {
      const check = { title: `Check ${at}`, type, holds, ...(applies !== undefined && { applies }) };
      const rest = { category: 'completeness', severity: 'warning', active: true };
      const id = `check-${at}`;
      await send(server, 'PUT', `/app/checks/${id}`, { ...check, ...rest, version: versions.get(id) ?? 0 });
    }
    const started = performance.now();
    const during = await searched(server, sample, async () => {
      await send(server, 'POST', '/app/quality/judge', {});
      do await setTimeout(pause);
      while (await isJudging(server));
    });
    const minutes = (performance.now() - started) / 60_000;
    log(`${records} records judged in ${minutes.toFixed(2)} min; ${JSON.stringify({ before, during })}`);
    const times = during.median / before.median;
    const shown = ({ median, longest }: Waits) => `${median.toFixed(2)} ms, longest ${longest.toFixed(0)} ms`;
    const wanted = (target * Math.max(records, 1)) / 1_000_000;
    return [
      {
        what: `${records.toLocaleString('en')} records judged by all rules and ${asked.length} checks`,
        ...{
          figure: `${minutes.toFixed(2)} min`,
          target: `≤ ${target} min`,
          reached: minutes <= Math.max(wanted, 1),
        },
      },
      { what: 'A search of five records, nothing beside', figure: shown(before), target: '', reached: true },
      {
        what: 'The same while all is judged',
        figure: `${shown(during)}; ${times.toFixed(2)} ×`,
        ...{ target: `≤ ${beside.times} ×`, reached: times <= beside.times },
      },
    ];
  } finally {
    await server.stop();
  }
}

/** How long searches of another process take while something is done. */
async function searched(server: Server, sample: string, work: () => Promise<unknown>): Promise<Waits> {
  const reader = fork(resolve(import.meta.dirname, 'reader.ts'), [
    ...[String(server.port), server.token, sample, beside.operation],
  ]);
  await once(reader, 'message');
  await work();
  reader.send('end');
  const [waits] = (await once(reader, 'message')) as [Waits];
  return waits;
}

async function isJudging(server: Server): Promise<boolean> {
  const { rebuild } = (await send(server, 'GET', '/app/overview')) as Overview;
  if (rebuild.state === 'running') return true;
  const checks = (await send(server, 'GET', '/app/checks')) as readonly StewardCheck[];
  return checks.some(({ active, progress }) => active && (!progress || progress.done < progress.total));
}

async function send({ port, token }: Server, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
