import { IconPlugConnected } from '@tabler/icons-react';
import type { ConnectionSummary } from '../../core/app/connections.ts';
import { useConnections } from '../features/connections/use-connections.ts';
import { localConnection, useConnection, useSwitchConnection } from '../platform/connection.ts';
import { text } from '../ui/text.ts';
import type { LauncherEntry } from './launcher-entries.ts';

/** What the palette offers of connections: to turn to another server. */
export function useConnectionEntries(): readonly LauncherEntry[] {
  const { remote } = useConnection();
  const turn = useSwitchConnection();
  const others = (useConnections().data?.connections ?? []).filter(({ id }) => id !== remote?.id);
  const { connections: group } = text.launcher.groups;
  const entry = (to: ConnectionSummary | undefined): LauncherEntry => ({
    id: `connection:${to?.id ?? ''}`,
    group,
    label: text.connections.workOn(to?.name ?? localConnection.name),
    detail: to?.host,
    icon: IconPlugConnected,
    run: () => void turn(to),
  });
  return [...(remote ? [entry(undefined)] : []), ...others.map(entry)];
}
