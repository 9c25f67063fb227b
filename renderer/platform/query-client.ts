import { MutationCache, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { ApiFailure, isTokenRefused, UnknownForm } from '../../core/api/failure.ts';
import { Queries } from './queries.ts';
import { session } from './session.ts';

/** Of the list of connections with their access. */
export const connectionsKey = ['connections'];

/** Retries reads only, and only where another try can help: no answer, or a fault of the local server's own. */
function retry(failures: number, error: unknown): boolean {
  if (error instanceof UnknownForm) return false;
  if (error instanceof ApiFailure && (error.status < 500 || error.connection !== undefined)) return false;
  return failures < 1;
}

/** What is asked of the local server whichever is worked on: it outlives the turn from one server to another. */
export const LocalQueries = createContext<QueryClient | undefined>(undefined);

/** {@link LocalQueries}; the only ones there are where no server is turned to. */
export function useLocalQueries(): QueryClient {
  const only = useQueryClient();
  return use(LocalQueries) ?? only;
}

/**
 * Server state of the page: one for each server that is worked on, beside the `local` one. No refetch on focus or
 * reconnect.
 */
export function createQueries(local?: QueryClient): QueryClient {
  const onError = (error: unknown) => {
    if (isTokenRefused(error)) session.requireToken();
    // Another server refused its token: what the connection needs now is asked anew.
    else if (error instanceof ApiFailure && error.status === 401) {
      void (local ?? made).invalidateQueries({ queryKey: connectionsKey });
    }
  };
  const made = new Queries({
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
  return made;
}
