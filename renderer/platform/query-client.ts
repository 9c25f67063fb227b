import { MutationCache, notifyManager, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { ApiFailure, isTokenRejected, UnexpectedFormatError } from '../../core/api/failure.ts';
import { Queries } from './queries.ts';
import { session } from './session.ts';

// Components see a change before the next task of the browser. The library's timer let React first set a control back.
notifyManager.setScheduler(queueMicrotask);

/** Query key of the connections and their access. */
export const connectionsKey = ['connections'];

/** Retries reads once after a failure without a response or an error of the local server. */
function retry(failures: number, error: unknown): boolean {
  if (error instanceof UnexpectedFormatError) return false;
  if (error instanceof ApiFailure && (error.status < 500 || error.connection !== undefined)) return false;
  return failures < 1;
}

/** Queries of the local server, which stay when the page switches to another server. */
export const LocalQueries = createContext<QueryClient | undefined>(undefined);

/** Returns {@link LocalQueries}, or the only client if the page has no other server. */
export function useLocalQueries(): QueryClient {
  const currentQueries = useQueryClient();
  return use(LocalQueries) ?? currentQueries;
}

/**
 * Creates the query client of a server. `local` is the client of the local server. No refetch on focus or
 * reconnect.
 */
export function createQueries(local?: QueryClient): QueryClient {
  const onError = (error: unknown) => {
    if (isTokenRejected(error)) session.requireToken();
    // Another server rejected its token: refresh the access state of the connection.
    else if (error instanceof ApiFailure && error.status === 401) {
      void (local ?? created).invalidateQueries({ queryKey: connectionsKey });
    }
  };
  const created = new Queries({
    onError,
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry,
        retryDelay: 250,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return created;
}
