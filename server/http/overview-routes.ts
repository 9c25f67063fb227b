import type { Overview } from '../../core/app/models.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { rulesFingerprint } from '../../core/derive/derivations.ts';
import type { Damage } from '../damage/damage.ts';
import { recordsOverview } from '../fhir/records-overview.ts';
import type { Checks } from '../validation/checks.ts';
import type { Rebuilder } from '../validation/rebuilder.ts';
import type { ServerSettings } from '../settings.ts';
import type { DerivedStore } from '../store/derived.ts';
import type { SharedStore } from '../store/store.ts';
import { createJsonHandler } from './reply.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('overview', {
  invalidSince: 'Send since, an instant such as 2026-01-31T00:00:00Z.',
});

export interface OverviewDependencies {
  readonly store: SharedStore;
  readonly version: string;
  readonly dataDir: string;
  readonly settings: Pick<ServerSettings, 'validation'>;
  /** Status of the store itself. */
  readonly state: () => Pick<Overview, 'disk' | 'absent'>;
  readonly damage: Pick<Damage, 'state'>;
  readonly rebuilder: Rebuilder;
  readonly checks: Pick<Checks, 'askAgain'>;
}

const visibleSubjects = 12;

/**
 * `/app/overview`: counts of the store and progress of derived rows. `/app/overview/records`: records by
 * status, change and patient. `/app/quality/judge`: validates all records again.
 */
export function createOverviewRoutes(dependencies: OverviewDependencies): readonly TableRoute[] {
  const { store, version, dataDir: folder, settings, rebuilder, checks } = dependencies;
  const overview = createJsonHandler(async () => {
    const [counts, subjects, derivation, damage] = await Promise.all([
      store.count(),
      store.listLatestSubjects(visibleSubjects),
      readDerivationState(store.derived),
      dependencies.damage.state(),
    ]);
    const { validation: level } = settings;
    return {
      version,
      folder,
      level,
      counts,
      subjects,
      ...derivation,
      damage,
      ...dependencies.state(),
    } satisfies Overview;
  });
  const records = createJsonHandler((request) => {
    const [[name, since] = ['', ''], ...furtherParameters] = request.query;
    if (name !== 'since' || furtherParameters.length > 0 || Number.isNaN(Date.parse(since))) {
      throw new FhirError('not-accepted', messages.invalidSince());
    }
    return recordsOverview(store, new Date(since).toISOString());
  });
  const revalidate = createJsonHandler(async () => {
    await Promise.all([rebuilder.revalidateAll(), checks.askAgain()]);
    const { rebuild } = await readDerivationState(store.derived);
    return rebuild;
  }, 202);
  return [
    { method: 'GET', path: '/app/overview', audit: 'search', handler: overview },
    { method: 'GET', path: '/app/overview/records', audit: 'search', handler: records },
    { method: 'POST', path: '/app/quality/judge', handler: revalidate },
  ];
}

/** Returns progress and rules of the derived rows. */
async function readDerivationState(store: DerivedStore): Promise<Pick<Overview, 'rebuild' | 'judged'>> {
  const { rebuild, skippedCount, validatedAtMs } = await store.state();
  return {
    rebuild: rebuild
      ? { state: 'running', ...rebuild, parts: [...rebuild.parts] }
      : { state: 'idle', done: 0, total: 0, parts: [], skipped: skippedCount },
    judged: {
      rules: rulesFingerprint,
      ...(validatedAtMs !== undefined && { at: new Date(validatedAtMs).toISOString() }),
    },
  };
}
