import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { SecretKind } from '../../../core/app/secret-places.ts';
import {
  type ConnectionList,
  ConnectionSummary,
  ConnectionTest,
  SignInStarted,
  type ConnectionSettings,
  type DefaultProxy,
} from '../../../core/app/connections.ts';
import { localConnection } from '../../platform/connection.ts';
import { connectionsKey, useLocalQueries } from '../../platform/query-client.ts';

/** Connections are stored on the local server, regardless of the current connection. */
const { client } = localConnection;

const pathOf = (id: string, suffix = '') => `/connections/${encodeURIComponent(id)}${suffix}`;

type EnteredSecrets = Partial<Record<SecretKind, string>>;

/** Returns the requests for connections. Each rejects with client errors and reloads the list. */
export function useConnectionRequests() {
  const currentQueries = useQueryClient();
  const queries = useLocalQueries();
  const refresh = useCallback(() => queries.invalidateQueries({ queryKey: connectionsKey }), [queries]);

  async function change(method: 'POST' | 'DELETE', path: string): Promise<void> {
    await client.app(method, path);
    await refresh();
  }

  return {
    /** Saves the settings, then the entered secrets. */
    async save(id: string | undefined, settings: ConnectionSettings, secrets: EnteredSecrets) {
      const savedConnection = await (id === undefined
        ? client.requestAs(ConnectionSummary, 'POST', '/connections', settings)
        : client.requestAs(ConnectionSummary, 'PUT', pathOf(id), settings));
      try {
        await saveSecrets(savedConnection.id, secrets);
      } finally {
        await refresh();
      }
      return client.requestAs(ConnectionSummary, 'GET', pathOf(savedConnection.id));
    },
    /** Saves the default proxy, then its password if entered. */
    async saveProxy(proxy: DefaultProxy, password: string) {
      await client.app('PUT', '/preferences', { proxy });
      if (password.trim() !== '') {
        await client.app('PUT', pathOf('default', '/secrets/proxy'), { secret: password });
      }
      await currentQueries.invalidateQueries({ queryKey: ['preferences'] });
      await refresh();
    },
    /** Saves the order of the list. Updates the cache at once, so that the next move builds on it. */
    async arrange(order: readonly string[]) {
      queries.setQueryData<ConnectionList>(connectionsKey, (list) => {
        const byOrder = (a: ConnectionSummary, b: ConnectionSummary) =>
          order.indexOf(a.id) - order.indexOf(b.id);
        return list && { ...list, connections: list.connections.toSorted(byOrder) };
      });
      try {
        await client.app('PUT', '/connections', { order });
      } catch (error) {
        await refresh();
        throw error;
      }
    },
    remove: (id: string) => change('DELETE', pathOf(id)),
    removeSecret: (id: string) => change('DELETE', pathOf(id, '/secret')),
    async signIn(id: string) {
      const signIn = await client.requestAs(SignInStarted, 'POST', pathOf(id, '/sign-in'));
      await refresh();
      return signIn;
    },
    signOut: (id: string) => change('POST', pathOf(id, '/sign-out')),
  };
}

async function saveSecrets(id: string, secrets: EnteredSecrets): Promise<void> {
  try {
    for (const [kind, secret] of Object.entries(secrets)) {
      await client.app('PUT', pathOf(id, kind === 'secret' ? '/secret' : `/secrets/${kind}`), { secret });
    }
  } catch (error) {
    throw new SecretNotSavedError(id, error);
  }
}

/** Thrown if the settings were saved under this ID but the secret was rejected. */
export class SecretNotSavedError extends Error {
  override readonly name = 'SecretNotSavedError';
  readonly id: string;

  constructor(id: string, cause: unknown) {
    super('', { cause });
    this.id = id;
  }
}

/** An edited connection with the entered secrets; `id` is set if it is stored. */
interface TestInput {
  readonly settings: ConnectionSettings;
  readonly secrets: EnteredSecrets;
  readonly id?: string;
}

/** Tests a connection without saving it. */
export function useConnectionTest() {
  const queries = useLocalQueries();
  return useMutation({
    mutationFn: (input: TestInput) => client.requestAs(ConnectionTest, 'POST', '/connections/test', input),
    onSettled: () => queries.invalidateQueries({ queryKey: connectionsKey }),
  });
}
