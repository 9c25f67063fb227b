import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ChangeEvent } from '../../core/app/changes.ts';
import { checksKey } from '../platform/checks.ts';
import { useConnection } from '../platform/connection.ts';
import { createLive, listen, type Live } from '../platform/live.ts';
import { session } from '../platform/session.ts';
import { useStore } from '../ui/store.ts';

/** Milliseconds in which changes of others are gathered before counts are read anew. */
const gathering = 2000;

/** What is heard of the server, while the window is in sight: one that is hidden listens to nobody. */
export function useListening(): Live {
  const [live] = useState(createLive);
  const queries = useQueryClient();
  const { remote } = useConnection();
  const { phase, token } = useStore(session);
  const local = remote === undefined;
  useEffect(() => {
    if (!local || phase !== 'in') return undefined;
    let leaving: AbortController | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let events: (ChangeEvent | undefined)[] = [];
    const onChange = (event?: ChangeEvent) => {
      events.push(event);
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const isOutdated of outdatedBy(events)) invalidate(queries, isOutdated);
        events = [];
      }, gathering);
    };
    const follow = () => {
      leaving?.abort();
      leaving = undefined;
      if (document.hidden) return;
      leaving = new AbortController();
      void listen(live, { signal: leaving.signal, onChange });
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      clearTimeout(timer);
      leaving?.abort();
    };
  }, [live, local, phase, token, queries]);
  return live;
}

type IsOutdated = (key: QueryKey) => boolean;

function invalidate(queries: QueryClient, isOutdated: IsOutdated): void {
  void queries.invalidateQueries({ predicate: ({ queryKey }) => isOutdated(queryKey) });
}

const begins =
  (...start: readonly unknown[]): IsOutdated =>
  ([first]) =>
    start.includes(first);

/** What counts findings, or says how far the records are judged. */
const ofFindings = begins('quality', checksKey[0]);

/** The store's state, without the records that the overview lists. */
const ofState: IsOutdated = ([first, , part]) => first === 'overview' && part === undefined;

/** Returns which answers the events outdate. The history of a record is read anew where that record changed. */
function outdatedBy(events: readonly (ChangeEvent | undefined)[]): readonly IsOutdated[] {
  const isUnknown = events.some((event) => event === undefined || event.more > 0);
  const changed = new Set(
    events.flatMap((event) => event?.changes ?? []).map(({ type, id }) => `${type}/${id}`),
  );
  if (!isUnknown && changed.size === 0) return [ofFindings, ofState];
  const ofHistory: IsOutdated = ([first, , type, id]) =>
    first === 'history' && (isUnknown || changed.has(`${String(type)}/${String(id)}`));
  return [ofFindings, begins('overview', 'practice'), ofHistory];
}
