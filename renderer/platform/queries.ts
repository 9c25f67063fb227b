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
 * The library asks again at once where a query has an answer; while the first is on its way, it waits for that, though it
 * was asked for before the change. Here it is asked again behind it, and not in its place: changes that come one right
 * behind the other would keep it away for ever.
 */
export class Queries extends QueryClient {
  /** Hashes of queries whose first answer is out of date when it comes. */
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
