import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure } from '../../core/api/client.ts';
import { session } from './session.ts';

function onError(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401) session.requireToken();
}

/** Retries reads only, and only where another try can help: no answer, or a fault of the server's own. */
function retry(failures: number, error: unknown): boolean {
  return failures < 1 && !(error instanceof ApiFailure && error.status < 500);
}

/** Server state of the page. Nothing moves that the user did not move: no refetch on focus or reconnect. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
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
