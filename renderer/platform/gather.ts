import type { Client } from '../../core/api/client.ts';

/** Time in which rows are collected. Rows that were scrolled past in it are not requested. */
const batchDelayMs = 150;

interface PendingKey<Answer> {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly resolve: (answer: Answer | null) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Combines the requests of all rows that became visible together into one. Resolves to null for a row without
 * an answer.
 */
export function batchRequests<Answer>(
  request: (client: Client, keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
): (client: Client, key: string, signal: AbortSignal) => Promise<Answer | null> {
  const pendingByClient = new WeakMap<Client, PendingKey<Answer>[]>();

  async function resolveBatch(client: Client, pendingKeys: readonly PendingKey<Answer>[]): Promise<void> {
    const requestedKeys = new Set(pendingKeys.flatMap(({ key, signal }) => (signal.aborted ? [] : key)));
    try {
      const answersByKey =
        requestedKeys.size > 0 ? await request(client, [...requestedKeys]) : new Map<string, Answer>();
      for (const { key, resolve } of pendingKeys) resolve(answersByKey.get(key) ?? null);
    } catch (error) {
      for (const { reject } of pendingKeys) reject(error);
    }
  }

  return (client, key, signal) =>
    new Promise((resolve, reject) => {
      const pendingKeys = pendingByClient.get(client) ?? [];
      pendingKeys.push({ key, signal, resolve, reject });
      if (pendingByClient.has(client)) return;
      pendingByClient.set(client, pendingKeys);
      setTimeout(() => {
        pendingByClient.delete(client);
        void resolveBatch(client, pendingKeys);
      }, batchDelayMs);
    });
}
