import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ChangeEvent } from '../../core/app/changes.ts';
import { checksKey } from '../platform/checks.ts';
import { useConnection } from '../platform/connection.ts';
import { createLive, listenForChanges, type Live } from '../platform/live.ts';
import { session } from '../platform/session.ts';
import { useStore } from '../ui/store.ts';

/** Milliseconds in which changes are collected before queries are refetched. */
const batchDelayMs = 2000;

/** Listens to changes of the local server while the window is visible. */
export function useListening(): Live {
  const [live] = useState(createLive);
  const queries = useQueryClient();
  const { remote } = useConnection();
  const { phase, token } = useStore(session);
  const local = remote === undefined;
  useEffect(() => {
    if (!local || phase !== 'in') return undefined;
    let controller: AbortController | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let events: (ChangeEvent | undefined)[] = [];
    const onChange = (event?: ChangeEvent) => {
      events.push(event);
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const isOutdated of listOutdated(events)) invalidate(queries, isOutdated);
        events = [];
      }, batchDelayMs);
    };
    const updateListener = () => {
      controller?.abort();
      controller = undefined;
      if (document.hidden) return;
      controller = new AbortController();
      void listenForChanges(live, { signal: controller.signal, onChange });
    };
    updateListener();
    document.addEventListener('visibilitychange', updateListener);
    return () => {
      document.removeEventListener('visibilitychange', updateListener);
      clearTimeout(timer);
      controller?.abort();
    };
  }, [live, local, phase, token, queries]);
  return live;
}

type IsOutdated = (key: QueryKey) => boolean;

function invalidate(queries: QueryClient, isOutdated: IsOutdated): void {
  void queries.invalidateQueries({ predicate: ({ queryKey }) => isOutdated(queryKey) });
}

const startsWithAny =
  (...firstParts: readonly unknown[]): IsOutdated =>
  ([firstPart]) =>
    firstParts.includes(firstPart);

/** Queries that count findings or report the validation progress. */
const isFindingsKey = startsWithAny('quality', checksKey[0]);

/** State of the store, without the records of the overview. */
const isStoreStateKey: IsOutdated = ([firstPart, , part]) => firstPart === 'overview' && part === undefined;

/** Returns which queries the events outdate. The history of a record only if that record changed. */
function listOutdated(events: readonly (ChangeEvent | undefined)[]): readonly IsOutdated[] {
  const isUnknown = events.some((event) => event === undefined || event.more > 0);
  const changedRecords = new Set(
    events.flatMap((event) => event?.changes ?? []).map(({ type, id }) => `${type}/${id}`),
  );
  if (!isUnknown && changedRecords.size === 0) return [isFindingsKey, isStoreStateKey];
  const isHistoryKey: IsOutdated = ([firstPart, , type, id]) =>
    firstPart === 'history' && (isUnknown || changedRecords.has(`${String(type)}/${String(id)}`));
  return [isFindingsKey, startsWithAny('overview', 'practice'), isHistoryKey];
}
