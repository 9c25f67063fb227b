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
interface ConnectionWork {
  readonly key: number;
  readonly connection: Connection;
  readonly queries: QueryClient;
  readonly keeper: DraftAutosave;
}

function createWork(connection: Connection, local: QueryClient, previousWork?: ConnectionWork): ConnectionWork {
  const queries = createQueries(local);
  const preferences = previousWork?.queries.getQueryData(['preferences']);
  if (preferences !== undefined) queries.setQueryData(['preferences'], preferences);
  return { key: (previousWork?.key ?? 0) + 1, connection, queries, keeper: getDraftAutosave(connection.client) };
}

function isSameServer({ remote }: Connection, to: ConnectionSummary | undefined): boolean {
  return remote?.id === to?.id && remote?.baseUrl === to?.baseUrl;
}

/** Hands the chosen server to what is within, which is built anew for each. */
export function ConnectionHost({ children }: { readonly children: ReactNode }) {
  const announce = useAnnounce();
  const [local] = useState(() => createQueries());
  const [work, setWork] = useState<ConnectionWork | undefined>(() =>
    chosenConnection.id() === undefined ? createWork(localConnection, local) : undefined,
  );
  const switchTo = useStable(async (to: ConnectionSummary | undefined): Promise<boolean> => {
    if (work && isSameServer(work.connection, to)) {
      if (to) setWork({ ...work, connection: remoteConnection(to, work.connection) });
      return true;
    }
    const unsavedCount = work?.keeper.keys().length ?? 0;
    if (work && !(await work.keeper.leave())) {
      announce(text.connections.notKept);
      return false;
    }
    const connection = to ? remoteConnection(to) : localConnection;
    chosenConnection.keep(to?.id);
    setWork(createWork(connection, local, work));
    const { name } = connection;
    announce(
      unsavedCount > 0
        ? text.connections.keptDrafts(name, work?.connection.name ?? '', unsavedCount)
        : text.connections.switched(name),
    );
    return true;
  });
  useRestoredConnection(work === undefined, switchTo);

  if (!work) return null;
  return (
    <LocalQueries value={local}>
      <QueryClientProvider key={work.key} client={work.queries}>
        <ConnectionContext value={work.connection}>
          <SwitchContext value={switchTo}>
            <DraftsContext value={work.keeper}>{children}</DraftsContext>
          </SwitchContext>
        </ConnectionContext>
      </QueryClientProvider>
    </LocalQueries>
  );
}

/** After a reload: reads the connection that this tab worked on; the local server where it is gone. */
function useRestoredConnection(isWaiting: boolean, switchTo: (to: ConnectionSummary | undefined) => Promise<boolean>): void {
  useEffect(() => {
    const id = chosenConnection.id();
    if (!isWaiting) return;
    localConnection.client
      .app('GET', `/connections/${encodeURIComponent(id ?? '')}`)
      .then((response) => (is(ConnectionSummary, response) ? response : undefined))
      .catch(() => undefined)
      .then(switchTo)
      .catch(() => undefined);
  }, [isWaiting, switchTo]);
}
