import { isUnfinishedExport, ServerExport, ServerExportList } from '../../core/app/server-exports.ts';
import { useConnection } from './connection.ts';
import { useAppQuery } from './use-answer.ts';
import { useChange } from './use-change.ts';

const serverExportsKey = ['server-exports'];

/** Poll interval while an export goes on, in milliseconds. */
const pollMs = 1000;

/** Loads the exports of other servers. They belong to the local server. */
export function useServerExports() {
  const { remote } = useConnection();
  return useAppQuery('/server-exports', ServerExportList, {
    enabled: remote === undefined,
    queryKey: serverExportsKey,
    refetchInterval: ({ state }) =>
      state.data?.some((listed) => isUnfinishedExport(listed) && listed.state !== 'failed') ? pollMs : false,
  });
}

/** Change of an export: its address below `/app`, and its body. */
interface ExportChange {
  readonly path: string;
  readonly body?: object;
}

/** Starts or changes an export, then reloads the list. */
export function useChangeServerExport(onChanged: (changed: ServerExport) => void = () => undefined) {
  return useChange(
    (client, { path, body = {} }: ExportChange) => client.requestAs(ServerExport, 'POST', path, body),
    onChanged,
    serverExportsKey,
  );
}

/** Removes an export from the list. */
export function useRemoveServerExport() {
  return useChange(
    (client, id: string) => client.app('DELETE', `/server-exports/${id}`),
    () => undefined,
    serverExportsKey,
  );
}
