import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
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
    const onChange = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const key of ['overview', 'history', 'practice']) {
          void queries.invalidateQueries({ queryKey: [key] });
        }
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
