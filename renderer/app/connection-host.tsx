import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { ConnectionSummary } from '../../core/app/connections.ts';
import { matchesSchema } from '../../core/json/shape.ts';
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

/** Connection of this browser tab, restored on reload. A new tab starts with the local server. */
export const selectedConnection = {
  id: (): string | undefined => sessionStorage.getItem(storageKey) ?? undefined,
  store(id: string | undefined): void {
    if (id === undefined) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, id);
  },
};

/** The current connection and its caches. Each server has its own, so that their data never mix. */
interface ConnectionWork {
  readonly key: number;
  readonly connection: Connection;
  readonly queries: QueryClient;
  readonly draftAutosave: DraftAutosave;
}

function createWork(
  connection: Connection,
  local: QueryClient,
  previousWork?: ConnectionWork,
): ConnectionWork {
  const queries = createQueries(local);
  const preferences = previousWork?.queries.getQueryData(['preferences']);
  if (preferences !== undefined) queries.setQueryData(['preferences'], preferences);
  return {
    key: (previousWork?.key ?? 0) + 1,
    connection,
    queries,
    draftAutosave: getDraftAutosave(connection.client),
  };
}

function isSameServer({ remote }: Connection, target: ConnectionSummary | undefined): boolean {
  return remote?.id === target?.id && remote?.baseUrl === target?.baseUrl;
}

/** Provides the selected connection. Its children are remounted for each server. */
export function ConnectionHost({ children }: { readonly children: ReactNode }) {
  const announce = useAnnounce();
  const [local] = useState(() => createQueries());
  const [work, setWork] = useState<ConnectionWork | undefined>(() =>
    selectedConnection.id() === undefined ? createWork(localConnection, local) : undefined,
  );
  const switchTo = useStable(async (target: ConnectionSummary | undefined): Promise<boolean> => {
    if (work && isSameServer(work.connection, target)) {
      if (target) setWork({ ...work, connection: remoteConnection(target, work.connection) });
      return true;
    }
    const unsavedCount = work?.draftAutosave.keys().length ?? 0;
    if (work && !(await work.draftAutosave.releaseAll())) {
      announce(text.connections.notKept);
      return false;
    }
    const connection = target ? remoteConnection(target) : localConnection;
    selectedConnection.store(target?.id);
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
            <DraftsContext value={work.draftAutosave}>{children}</DraftsContext>
          </SwitchContext>
        </ConnectionContext>
      </QueryClientProvider>
    </LocalQueries>
  );
}

/** Restores the connection of this tab after a reload, or the local server if it was deleted. */
function useRestoredConnection(
  isWaiting: boolean,
  switchTo: (target: ConnectionSummary | undefined) => Promise<boolean>,
): void {
  useEffect(() => {
    const id = selectedConnection.id();
    if (!isWaiting) return;
    localConnection.client
      .app('GET', `/connections/${encodeURIComponent(id ?? '')}`)
      .then((response) => (matchesSchema(ConnectionSummary, response) ? response : undefined))
      .catch(() => undefined)
      .then(switchTo)
      .catch(() => undefined);
  }, [isWaiting, switchTo]);
}
