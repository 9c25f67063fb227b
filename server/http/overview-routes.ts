import type { Overview } from '../../core/app/models.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { rulesStamp } from '../../core/derive/derivations.ts';
import { recordsOverview } from '../fhir/records-overview.ts';
import type { Checks } from '../judge/checks.ts';
import type { Rebuilder } from '../judge/rebuilder.ts';
import type { ServerSettings } from '../settings.ts';
import type { DerivedStore } from '../store/derived.ts';
import type { SharedStore } from '../store/store.ts';
import { json } from './reply.ts';
import { pairsOf } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** How what is derived of the records stands, and the store itself. */
export type StoreState = Pick<Overview, 'rebuild' | 'judged' | 'damage' | 'disk' | 'absent'>;

export interface OverviewParts {
  readonly store: SharedStore;
  readonly version: string;
  /** The data folder. */
  readonly dataDir: string;
  readonly settings: Pick<ServerSettings, 'validation'>;
  readonly state: () => Promise<StoreState>;
}

export interface JudgeParts {
  readonly store: Pick<SharedStore, 'derived'>;
  readonly rebuilder: Rebuilder;
  readonly checks: Pick<Checks, 'askAgain'>;
}

const shownSubjects = 12;

/**
 * `/app/overview`: what the store holds, and how far what is derived of it is made anew; `/app/overview/records`: its
 * records by status, by change and by patient.
 */
export function overviewRoutes({
  store,
  version,
  dataDir: folder,
  settings,
  state,
}: OverviewParts): readonly TableRoute[] {
  const overview = json(async () => {
    const asked = [store.count(), store.newestSubjects(shownSubjects), state()] as const;
    const [counts, subjects, standing] = await Promise.all(asked);
    const { validation: level } = settings;
    return { version, folder, level, counts, subjects, ...standing } satisfies Overview;
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
  return [
    { method: 'GET', path: '/app/overview', audit: 'search', answer: overview },
    { method: 'GET', path: '/app/overview/records', audit: 'search', answer: records },
  ];
}

/** How what is derived stands. */
export async function derivedState(derived: DerivedStore): Promise<Pick<StoreState, 'rebuild' | 'judged'>> {
  const { rebuild, skipped, judged: at } = await derived.state();
  return {
    rebuild: rebuild
      ? { state: 'running', ...rebuild, parts: [...rebuild.parts] }
      : { state: 'idle', done: 0, total: 0, parts: [], skipped },
    judged: { rules: rulesStamp, ...(at !== undefined && { at: new Date(at).toISOString() }) },
  };
}

/** `/app/quality/judge`: has all records judged anew. */
export function judgeRoutes({ store, rebuilder, checks }: JudgeParts): readonly TableRoute[] {
  const judge = json(async () => {
    await Promise.all([rebuilder.judgeAgain(), checks.askAgain()]);
    const { rebuild } = await derivedState(store.derived);
    return rebuild;
  }, 202);
  return [{ method: 'POST', path: '/app/quality/judge', answer: judge }];
}
