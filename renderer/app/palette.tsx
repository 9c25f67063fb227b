import { IconFileText, IconHistory, IconListSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { commands, type CommandId } from '../../core/app/commands.ts';
import type { SearchQuery } from '../../core/app/searches.ts';
import type { NamedRecord } from '../../core/app/session.ts';
import type { ViewId } from '../../core/app/views.ts';
import { keyOf } from '../features/search/criteria.ts';
import { describe } from '../features/search/describe.ts';
import { desktop } from '../platform/desktop.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { shownKeys } from '../ui/keys.ts';
import { text } from '../ui/text.ts';
import { useConnectionEntries } from './connection-entries.ts';
import { readMeant } from './find-record.ts';
import type { LauncherEntry } from './launcher-entries.ts';
import { Launcher } from './launcher.tsx';
import { labelOf } from './tab-labels.ts';
import type { TabsState } from './tabs-state.ts';
import type { CommandRuns } from './use-commands.ts';
import { useFindRecord } from './use-find-record.ts';
import { views } from './views.tsx';

export type LaunchMode = 'palette' | 'open';

interface PaletteProps {
  readonly mode: LaunchMode;
  readonly tabs: TabsState;
  readonly searches: readonly SearchQuery[];
  readonly runs: CommandRuns;
  readonly onCommand: (id: CommandId) => void;
  readonly onView: (id: ViewId) => void;
  readonly onActivate: (key: string) => void;
  readonly onOpen: (record: NamedRecord) => void;
  readonly onSearch: (search: SearchQuery) => void;
  readonly onClose: () => void;
}

/** The command palette, and quick open: the same list without the commands, for an id that is typed or pasted. */
export function Palette(props: PaletteProps) {
  const { mode, onClose } = props;
  const announce = useAnnounce();
  const [query, setQuery] = useState('');
  const { finding, find, forget } = useFindRecord((record) => {
    onClose();
    props.onOpen(record);
  });
  const connections = useConnectionEntries();
  const meant = readMeant(query);

  const always: LauncherEntry[] = finding.choices.map((record) => ({
    ...recordEntry(record, props),
    group: text.launcher.groups.found,
  }));
  if (meant && always.length === 0) {
    always.push({
      id: 'find',
      group: text.launcher.groups.byId,
      label: text.launcher.find(meant.types, meant.id),
      icon: IconListSearch,
      stays: true,
      run: () => void find(meant),
    });
  }
  const names = text.launcher[mode];
  return (
    <Launcher
      {...names}
      query={query}
      entries={mode === 'palette' ? allEntries(props, connections) : recordEntries(props)}
      always={always}
      message={finding.message}
      onClose={onClose}
      onQuery={(typed) => {
        setQuery(typed);
        forget();
      }}
      onRun={(entry) => {
        if (entry.refusal !== undefined) {
          announce(entry.refusal);
          onClose();
          return;
        }
        if (!entry.stays) onClose();
        entry.run();
      }}
    />
  );
}

function allEntries(props: PaletteProps, connections: readonly LauncherEntry[]): readonly LauncherEntry[] {
  const { groups } = text.launcher;
  return [
    ...commands
      .filter(({ id }) => id !== 'app.palette')
      .map((command) => ({
        id: command.id,
        group: groups.commands,
        label: command.label,
        keys: shownKeys(command, desktop === undefined),
        refusal: props.runs[command.id].refusal,
        run: () => props.onCommand(command.id),
      })),
    ...views.map(({ id, label, icon }) => ({
      id: `view:${id}`,
      group: groups.views,
      label,
      icon,
      run: () => props.onView(id),
    })),
    ...recordEntries(props),
    ...connections,
    ...props.searches.map((search) => ({
      id: `search:${keyOf(search)}`,
      group: groups.searches,
      label: describe(search),
      icon: IconHistory,
      run: () => props.onSearch(search),
    })),
  ];
}

/** The open tabs, then the records that were open. */
function recordEntries(props: PaletteProps): readonly LauncherEntry[] {
  const { tabs } = props;
  const open = tabs.tabs.map((tab) => ({
    id: `tab:${tab.key}`,
    group: text.launcher.groups.tabs,
    label: labelOf(tab),
    detail: tab.kind === 'record' ? `${tab.record.type}/${tab.record.id}` : undefined,
    icon: IconFileText,
    run: () => props.onActivate(tab.key),
  }));
  const isOpen = ({ type, id }: NamedRecord) =>
    tabs.tabs.some((tab) => tab.kind === 'record' && tab.record.type === type && tab.record.id === id);
  const recent = tabs.recent.filter((record) => !isOpen(record));
  return [...open, ...recent.map((record) => recordEntry(record, props))];
}

function recordEntry(record: NamedRecord, { onOpen }: PaletteProps): LauncherEntry {
  return {
    id: `record:${record.type}/${record.id}`,
    group: text.launcher.groups.records,
    label: record.title,
    detail: `${record.type}/${record.id}`,
    icon: IconFileText,
    run: () => onOpen(record),
  };
}
