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

/** Connections are the local server's own matter, whichever is worked on. */
const { client } = localConnection;

const pathOf = (id: string, rest = '') => `/connections/${encodeURIComponent(id)}${rest}`;

type EnteredSecrets = Partial<Record<SecretKind, string>>;

/** What can be done with connections; each rejects as the client does, and the list is read anew. */
export function useConnectionRequests() {
  const worked = useQueryClient();
  const queries = useLocalQueries();
  const refresh = useCallback(() => queries.invalidateQueries({ queryKey: connectionsKey }), [queries]);

  async function change(method: 'POST' | 'DELETE', path: string): Promise<void> {
    await client.app(method, path);
    await refresh();
  }

  return {
    /** Saves the settings, then the secrets that were entered. */
    async save(id: string | undefined, settings: ConnectionSettings, secrets: EnteredSecrets) {
      const saved = await (id === undefined
        ? client.ask(ConnectionSummary, 'POST', '/connections', settings)
        : client.ask(ConnectionSummary, 'PUT', pathOf(id), settings));
      try {
        await saveSecrets(saved.id, secrets);
      } finally {
        await refresh();
      }
      return client.ask(ConnectionSummary, 'GET', pathOf(saved.id));
    },
    /** The proxy of all connections that name none, then its password where one was entered. */
    async saveProxy(proxy: DefaultProxy, password: string) {
      await client.app('PUT', '/preferences', { proxy });
      if (password.trim() !== '') {
        await client.app('PUT', pathOf('default', '/secrets/proxy'), { secret: password });
      }
      await worked.invalidateQueries({ queryKey: ['preferences'] });
      await refresh();
    },
    /** Puts the list in this order: here at once, so that the next step goes on from it. */
    async arrange(order: readonly string[]) {
      queries.setQueryData<ConnectionList>(connectionsKey, (list) => {
        const byPlace = (one: ConnectionSummary, other: ConnectionSummary) =>
          order.indexOf(one.id) - order.indexOf(other.id);
        return list && { ...list, connections: list.connections.toSorted(byPlace) };
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
      const started = await client.ask(SignInStarted, 'POST', pathOf(id, '/sign-in'));
      await refresh();
      return started;
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
    throw new SecretNotSaved(id, error);
  }
}

/** The settings were saved, under this id, and the secret was refused. */
export class SecretNotSaved extends Error {
  override readonly name = 'SecretNotSaved';
  readonly id: string;

  constructor(id: string, cause: unknown) {
    super('', { cause });
    this.id = id;
  }
}

/** A connection as it is written, with the secrets that were entered; `id` where it is stored already. */
interface Tried {
  readonly settings: ConnectionSettings;
  readonly secrets: EnteredSecrets;
  readonly id?: string;
}

/** Asks a server what it is and what it can do; nothing is saved. */
export function useConnectionTest() {
  const queries = useLocalQueries();
  return useMutation({
    mutationFn: (tried: Tried) => client.ask(ConnectionTest, 'POST', '/connections/test', tried),
    onSettled: () => queries.invalidateQueries({ queryKey: connectionsKey }),
  });
}
