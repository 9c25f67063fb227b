import type { Overview } from '../../core/app/models.ts';
import type { RebuildState } from '../../core/app/rebuild.ts';
import { rulesStamp } from '../../core/derive/derivations.ts';
import type { Damage } from '../damage/damage.ts';
import type { Rebuilder } from '../judge/rebuilder.ts';
import type { ServerSettings } from '../settings.ts';
import type { DerivedStore } from '../store/derived.ts';
import type { RecordStore } from '../store/store.ts';
import { sendJson } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

export interface OverviewParts {
  readonly store: RecordStore;
  readonly version: string;
  readonly settings: Pick<ServerSettings, 'validation'>;
  readonly rebuilder: Rebuilder;
  readonly damage: Damage;
}

const shownSubjects = 12;

/** `/app/overview`: what the store holds, and how far what is derived of it is made anew; `/app/quality/judge`. */
export function overviewRoutes({
  store,
  version,
  settings,
  rebuilder,
  damage,
}: OverviewParts): readonly TableRoute[] {
  const overview: Answer = async (_request, response) => {
    const [counts, subjects] = await Promise.all([store.count(), store.newestSubjects(shownSubjects)]);
    const at = store.derived.judged();
    const judged = { rules: rulesStamp, ...(at !== undefined && { at: new Date(at).toISOString() }) };
    const rebuild = stateOf(store.derived);
    const { validation: level } = settings;
    const state = { rebuild, judged, damage: damage.state(), disk: store.room.full ? 'full' : 'ok' } as const;
    const answer: Overview = { version, level, counts, subjects, ...state };
    sendJson(response, 200, JSON.stringify(answer));
  };
  const judge: Answer = async (_request, response) => {
    await rebuilder.judgeAgain();
    sendJson(response, 202, JSON.stringify(stateOf(store.derived)));
  };
  return [
    { method: 'GET', path: '/app/overview', audit: 'search', answer: overview },
    { method: 'POST', path: '/app/quality/judge', answer: judge },
  ];
}

function stateOf(derived: DerivedStore): RebuildState {
  const progress = derived.progress();
  if (!progress) return { state: 'idle', done: 0, total: 0, parts: [], skipped: derived.skipped() };
  return { state: 'running', ...progress, parts: [...progress.parts] };
}
