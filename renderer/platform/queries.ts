import {
  QueryCache,
  QueryClient,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type QueryClientConfig,
} from '@tanstack/react-query';

interface QueriesConfig extends Omit<QueryClientConfig, 'queryCache'> {
  readonly onError: (error: unknown) => void;
}

/**
 * React Query refetches an invalidated query at once if it has data. During the first request it keeps
 * waiting for the outdated response. This client requests again after the first response. It does not replace
 * the first request, because frequent changes would postpone the data forever.
 */
export class Queries extends QueryClient {
  /** Hashes of queries whose pending first response is outdated. */
  readonly #outdated = new Set<string>();

  constructor({ onError, ...config }: QueriesConfig) {
    const queryCache = new QueryCache({
      onError,
      onSettled: (_data, _error, { queryHash, queryKey }) => {
        if (this.#outdated.delete(queryHash)) void super.invalidateQueries({ queryKey, exact: true });
      },
    });
    super({ ...config, queryCache });
  }

  override invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    for (const { state, queryHash } of this.getQueryCache().findAll(filters)) {
      if (state.data === undefined && state.fetchStatus === 'fetching') this.#outdated.add(queryHash);
    }
    return super.invalidateQueries(filters, options);
  }
}
