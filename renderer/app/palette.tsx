import { useMutation } from '@tanstack/react-query';
import { IconFileText, IconHistory, IconListSearch, IconPlugConnected } from '@tabler/icons-react';
import { use, useState } from 'react';
import { commands } from '../../core/app/commands.ts';
import type { ConnectionSummary } from '../../core/app/connections.ts';
import type { NamedRecord } from '../../core/app/session.ts';
import { useConnections } from '../platform/use-connections.ts';
import { keyOf } from '../features/search/criteria.ts';
import { describe } from '../features/search/describe.ts';
import { useRecentSearches } from '../features/search/saved-searches.ts';
import { CommandsContext, useCommandHandlers } from '../platform/commands.ts';
import { localConnection, useConnection, useSwitchConnection } from '../platform/connection.ts';
import { desktop } from '../platform/desktop.ts';
import { useWorkbenchActions } from '../platform/workbench-actions.ts';
import { toFailure } from '../ui/failure.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { userKeys, formatCommandKeys } from '../ui/keys.ts';
import { useStore } from '../ui/store.ts';
import { text } from '../ui/text.ts';
import { findRecords, canBeId, parseRecordQuery, type RecordQuery } from './find-record.ts';
import type { LauncherEntry } from './launcher-entries.ts';
import { Launcher } from './launcher.tsx';
import { formatTabLabel } from './tab-kinds.ts';
import type { TabsState } from './tabs-state.ts';
import { useFinder } from './use-finder.ts';
import { views } from './views.tsx';

type LaunchMode = 'palette' | 'open';

interface PaletteProps {
  readonly tabs: TabsState;
  readonly onActivate: (key: string) => void;
}

/** Command palette and quick open: the same list without commands, for a typed or pasted id. */
export function Palette(props: PaletteProps) {
  const [mode, setMode] = useState<LaunchMode>();
  const toggle = (requestedMode: LaunchMode) => () =>
    setMode((currentMode) => (currentMode === requestedMode ? undefined : requestedMode));
  useCommandHandlers({ 'app.palette': toggle('palette'), 'record.quickOpen': toggle('open') });
  return mode && <OpenPalette key={mode} mode={mode} {...props} onClose={() => setMode(undefined)} />;
}

interface OpenPaletteProps extends PaletteProps {
  readonly mode: LaunchMode;
  readonly onClose: () => void;
}

function OpenPalette({ mode, tabs, onActivate, onClose }: OpenPaletteProps) {
  const announce = useAnnounce();
  const { openRecord } = useWorkbenchActions();
  const { remote } = useConnection();
  const [query, setQuery] = useState('');
  const { choices, message, find, forget } = useFindRecord((record) => {
    onClose();
    openRecord(record);
  });
  const recordQuery = parseRecordQuery(query);
  const records = listRecordEntries(tabs, onActivate, openRecord);
  const allEntries = useAllEntries(records);

  const finderResults = useFinder(query, recordQuery?.types);
  const pinnedEntries: LauncherEntry[] = choices.map((record) => ({
    ...createRecordEntry(record, openRecord),
    group: text.launcher.groups.found,
  }));
  if (pinnedEntries.length === 0) pinnedEntries.push(...finderResults.entries);
  if (recordQuery && pinnedEntries.length === 0 && (remote || mode === 'open' || canBeId(recordQuery))) {
    pinnedEntries.push({
      id: 'find',
      group: text.launcher.groups.byId,
      label: text.launcher.find(recordQuery.types, recordQuery.id),
      icon: IconListSearch,
      keepsOpen: true,
      run: () => find(recordQuery),
    });
  }
  const names = text.launcher[mode];
  return (
    <Launcher
      {...names}
      query={query}
      entries={mode === 'palette' ? allEntries : records}
      pinnedEntries={pinnedEntries}
      message={message || finderResults.message}
      onClose={onClose}
      onQuery={(newQuery) => {
        setQuery(newQuery);
        forget();
      }}
      onRun={(entry) => {
        if (entry.refusal !== undefined) {
          announce(entry.refusal);
          onClose();
          return;
        }
        if (!entry.keepsOpen) onClose();
        entry.run();
      }}
    />
  );
}

/** Finds a record by id and reports it. Returns the choices if several types have that id. */
function useFindRecord(onFound: (record: NamedRecord) => void) {
  const { client } = useConnection();
  const { data, error, variables, mutate, reset } = useMutation({
    mutationFn: (recordQuery: RecordQuery) => findRecords(client, recordQuery),
    onSuccess: ([match, ...moreMatches]) => {
      if (match && moreMatches.length === 0) onFound(match);
    },
  });
  const choices = data && data.length > 1 ? data : [];
  const searchStatus = variables ? formatSearchStatus(variables, data) : '';
  const message = error ? toFailure(error).sentences.join(' ') : searchStatus;
  return { choices, message, find: mutate, forget: reset };
}

/** Returns the message of a search by id that opened no record. */
function formatSearchStatus({ id, types }: RecordQuery, matches: readonly NamedRecord[] | undefined): string {
  const { finding, notFound, several } = text.launcher;
  if (!matches) return finding(id);
  if (matches.length === 0) return notFound(types, id);
  return matches.length > 1 ? several(matches.length, id) : '';
}

/** Returns all entries: commands, views, tabs, records, connections and searches. */
function useAllEntries(records: readonly LauncherEntry[]): readonly LauncherEntry[] {
  const registry = use(CommandsContext);
  useStore(registry.contributions);
  useStore(userKeys);
  const actions = useWorkbenchActions();
  const connections = useConnectionEntries();
  const searches = useRecentSearches();
  const { groups } = text.launcher;
  return [
    ...commands
      .filter(({ id }) => id !== 'app.palette')
      .map((command) => {
        const handler = registry.handlerOf(command.id);
        return {
          id: command.id,
          group: groups.commands,
          label: command.label,
          keys: formatCommandKeys(command, desktop === undefined),
          synonyms: command.synonyms,
          refusal: typeof handler === 'string' ? handler : undefined,
          run: () => registry.run(command.id),
        };
      }),
    ...views.map(({ id, icon }) => ({
      id: `view:${id}`,
      group: groups.views,
      label: text.views[id],
      icon,
      run: () => actions.openView(id),
    })),
    ...records,
    ...connections,
    ...searches.map((search) => ({
      id: `search:${keyOf(search)}`,
      group: groups.searches,
      label: describe(search),
      icon: IconHistory,
      run: () => actions.search(search.pairs, search.type),
    })),
  ];
}

/** Returns the entries that switch to another server. */
function useConnectionEntries(): readonly LauncherEntry[] {
  const { remote } = useConnection();
  const switchConnection = useSwitchConnection();
  const otherConnections = (useConnections().data?.connections ?? []).filter(({ id }) => id !== remote?.id);
  const { connections: group } = text.launcher.groups;
  const createEntry = (connection: ConnectionSummary | undefined): LauncherEntry => ({
    id: `connection:${connection?.id ?? ''}`,
    group,
    label: text.connections.workOn(connection?.name ?? localConnection.name),
    detail: connection?.host,
    icon: IconPlugConnected,
    run: () => void switchConnection(connection),
  });
  return [...(remote ? [createEntry(undefined)] : []), ...otherConnections.map(createEntry)];
}

type OpenRecord = (record: NamedRecord) => void;

/** Returns the open tabs, then the recent records. */
function listRecordEntries(
  { tabs, recent }: TabsState,
  onActivate: PaletteProps['onActivate'],
  openRecord: OpenRecord,
): readonly LauncherEntry[] {
  const openEntries = tabs.map((tab) => ({
    id: `tab:${tab.key}`,
    group: text.launcher.groups.tabs,
    label: formatTabLabel(tab),
    detail: tab.kind === 'record' ? `${tab.record.type}/${tab.record.id}` : undefined,
    icon: IconFileText,
    run: () => onActivate(tab.key),
  }));
  const isOpen = ({ type, id }: NamedRecord) =>
    tabs.some((tab) => tab.kind === 'record' && tab.record.type === type && tab.record.id === id);
  const closedRecords = recent.filter((record) => !isOpen(record));
  return [...openEntries, ...closedRecords.map((record) => createRecordEntry(record, openRecord))];
}

function createRecordEntry(record: NamedRecord, openRecord: OpenRecord): LauncherEntry {
  return {
    id: `record:${record.type}/${record.id}`,
    group: text.launcher.groups.records,
    label: record.title,
    detail: `${record.type}/${record.id}`,
    icon: IconFileText,
    run: () => openRecord(record),
  };
}
