import type { Overview } from '../../core/app/models.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { rulesStamp } from '../../core/derive/derivations.ts';
import type { Damage } from '../damage/damage.ts';
import { recordsOverview } from '../fhir/records-overview.ts';
import type { Checks } from '../judge/checks.ts';
import type { Rebuilder } from '../judge/rebuilder.ts';
import type { ServerSettings } from '../settings.ts';
import type { DerivedStore } from '../store/derived.ts';
import type { SharedStore } from '../store/store.ts';
import { json } from './reply.ts';
import { pairsOf } from './request.ts';
import type { TableRoute } from './route-table.ts';

export interface OverviewParts {
  readonly store: SharedStore;
  readonly version: string;
  /** The data folder. */
  readonly dataDir: string;
  readonly settings: Pick<ServerSettings, 'validation'>;
  /** How the store itself stands. */
  readonly state: () => Pick<Overview, 'disk' | 'absent'>;
  readonly damage: Pick<Damage, 'state'>;
  readonly rebuilder: Rebuilder;
  readonly checks: Pick<Checks, 'askAgain'>;
}

const shownSubjects = 12;

/**
 * `/app/overview`: what the store holds, and how far what is derived of it is made anew; `/app/overview/records`: its
 * records by status, by change and by patient; `/app/quality/judge`: has all records judged anew.
 */
export function overviewRoutes(parts: OverviewParts): readonly TableRoute[] {
  const { store, version, dataDir: folder, settings, rebuilder, checks } = parts;
  const overview = json(async () => {
    const [counts, subjects, derived, damage] = await Promise.all([
      store.count(),
      store.newestSubjects(shownSubjects),
      derivedState(store.derived),
      parts.damage.state(),
    ]);
    const { validation: level } = settings;
    return {
      ...{ version, folder, level, counts, subjects, ...derived, damage, ...parts.state() },
    } satisfies Overview;
  });
  const records = json((request) => {
    const [[name, since] = ['', ''], ...others] = pairsOf(request);
    if (name !== 'since' || others.length > 0 || Number.isNaN(Date.parse(since))) {
      throw new FhirError('not-accepted', {
        text: 'The overview takes since, an instant such as 2026-01-31T00:00:00Z.',
      });
    }
    return recordsOverview(store, new Date(since).toISOString());
  });
  const judge = json(async () => {
    await Promise.all([rebuilder.judgeAgain(), checks.askAgain()]);
    const { rebuild } = await derivedState(store.derived);
    return rebuild;
  }, 202);
  return [
    { method: 'GET', path: '/app/overview', audit: 'search', answer: overview },
    { method: 'GET', path: '/app/overview/records', audit: 'search', answer: records },
    { method: 'POST', path: '/app/quality/judge', answer: judge },
  ];
}

/** How what is derived stands. */
async function derivedState(derived: DerivedStore): Promise<Pick<Overview, 'rebuild' | 'judged'>> {
  const { rebuild, skipped, judged: at } = await derived.state();
  return {
    rebuild: rebuild
      ? { state: 'running', ...rebuild, parts: [...rebuild.parts] }
      : { state: 'idle', done: 0, total: 0, parts: [], skipped },
    judged: { rules: rulesStamp, ...(at !== undefined && { at: new Date(at).toISOString() }) },
  };
}
