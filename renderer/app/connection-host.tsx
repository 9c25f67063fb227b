import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { ConnectionSummary } from '../../core/app/connections.ts';
import { is } from '../../core/json/shape.ts';
import type { DraftAutosave } from '../features/record/drafts/draft-autosave.ts';
import { DraftsContext, getDraftAutosave } from '../features/record/drafts/drafts-context.ts';
import {
  ConnectionContext,
  localConnection,
  remoteConnection,
  SwitchContext,
  type Connection,
} from '../platform/connection.ts';
import { createQueries, LocalQueries } from '../platform/query-client.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import { useStable } from '../ui/use-stable.ts';

const storageKey = 'chartkeeper.connection';

/** The connection that this tab works on, for its reload; a new start begins with the local server. */
export const chosenConnection = {
  id: (): string | undefined => sessionStorage.getItem(storageKey) ?? undefined,
  keep(id: string | undefined): void {
    if (id === undefined) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, id);
  },
};

/** What is worked on and all that the page knows of it, so that nothing of one server is ever shown for another. */
interface Work {
  readonly key: number;
  readonly connection: Connection;
  readonly queries: QueryClient;
  readonly keeper: DraftAutosave;
}

function begin(connection: Connection, local: QueryClient, former?: Work): Work {
  const queries = createQueries(local);
  const preferences = former?.queries.getQueryData(['preferences']);
  if (preferences !== undefined) queries.setQueryData(['preferences'], preferences);
  return { key: (former?.key ?? 0) + 1, connection, queries, keeper: getDraftAutosave(connection.client) };
}

function isSameServer({ remote }: Connection, to: ConnectionSummary | undefined): boolean {
  return remote?.id === to?.id && remote?.baseUrl === to?.baseUrl;
}

/** Hands the chosen server to what is within, which is built anew for each. */
export function ConnectionHost({ children }: { readonly children: ReactNode }) {
  const announce = useAnnounce();
  const [local] = useState(() => createQueries());
  const [work, setWork] = useState<Work | undefined>(() =>
    chosenConnection.id() === undefined ? begin(localConnection, local) : undefined,
  );
  const turn = useStable(async (to: ConnectionSummary | undefined): Promise<boolean> => {
    if (work && isSameServer(work.connection, to)) {
      if (to) setWork({ ...work, connection: remoteConnection(to, work.connection) });
      return true;
    }
    const unsaved = work?.keeper.keys().length ?? 0;
    if (work && !(await work.keeper.leave())) {
      announce(text.connections.notKept);
      return false;
    }
    const connection = to ? remoteConnection(to) : localConnection;
    chosenConnection.keep(to?.id);
    setWork(begin(connection, local, work));
    const { name } = connection;
    announce(
      unsaved > 0
        ? text.connections.keptDrafts(name, work?.connection.name ?? '', unsaved)
        : text.connections.switched(name),
    );
    return true;
  });
  useReloaded(work === undefined, turn);

  if (!work) return null;
  return (
    <LocalQueries value={local}>
      <QueryClientProvider key={work.key} client={work.queries}>
        <ConnectionContext value={work.connection}>
          <SwitchContext value={turn}>
            <DraftsContext value={work.keeper}>{children}</DraftsContext>
          </SwitchContext>
        </ConnectionContext>
      </QueryClientProvider>
    </LocalQueries>
  );
}

/** After a reload: reads the connection that this tab worked on; the local server where it is gone. */
function useReloaded(waiting: boolean, turn: (to: ConnectionSummary | undefined) => Promise<boolean>): void {
  useEffect(() => {
    const id = chosenConnection.id();
    if (!waiting) return;
    localConnection.client
      .app('GET', `/connections/${encodeURIComponent(id ?? '')}`)
      .then((found) => (is(ConnectionSummary, found) ? found : undefined))
      .catch(() => undefined)
      .then(turn)
      .catch(() => undefined);
  }, [waiting, turn]);
}
