import type { DataPart } from '../features/data/data-part.ts';
import { formatRecord } from '../features/record/format-record.ts';
import { refusals, type RecordActions } from '../features/record/record-actions.ts';
import { text } from '../ui/text.ts';
import { runEditorCommand, type EditorCommand } from './editor-commands.ts';
import { moveRegion } from './regions.ts';
import { type RecordTab, type Tab } from './tabs-state.ts';
import type { CommandRun, CommandRuns } from './use-commands.ts';
import { targetOf, type WorkbenchTabs } from './use-workbench.ts';

/** What the commands need of the frame. */
export interface CommandParts {
  readonly workbench: WorkbenchTabs;
  readonly focusSearch: () => void;
  /** Closes tabs one after the other, asking where edits would be lost. */
  readonly close: (tabs: readonly Tab[]) => void;
  readonly reload: (tab: RecordTab) => void;
  readonly discard: (tab: RecordTab) => void;
  readonly patch: (tab: RecordTab) => void;
  readonly patchById: () => void;
  readonly history: (tab: RecordTab) => void;
  readonly launch: (mode: 'palette' | 'open') => void;
  /** Whether the search has results to replace in. */
  readonly searched: boolean;
  readonly replaceInResults: () => void;
  /** Goes to the next or the previous finding of the worklist. */
  readonly walk: (step: 1 | -1) => void;
  readonly help: () => void;
  readonly switchTheme: () => void;
  readonly switchDensity: () => void;
  readonly toggleSidePanel: () => void;
  readonly toggleInspector: () => void;
  readonly switchWrap: () => void;
  readonly showData: (part: DataPart) => void;
  readonly backUp: () => void;
  readonly restoreBackup: () => void;
  readonly checkAudit: () => void;
  readonly chooseConnection: () => void;
  readonly addConnection: () => void;
  /** Opens the connection that is worked on; absent where that is the local server. */
  readonly editConnection: (() => void) | undefined;
}

/** How each command of the table runs now. */
export function commandRuns(parts: CommandParts): CommandRuns {
  const { tabs, dispatch } = parts.workbench;
  const active = tabs.tabs.find(({ key }) => key === tabs.active);
  const others = tabs.tabs.filter(({ key }) => key !== tabs.active);
  const record = active?.kind === 'record' ? active : undefined;

  const onRecord = (action: keyof RecordActions, run: (tab: RecordTab) => void): CommandRun => {
    if (!record) return { run: () => undefined, refusal: text.commands.noRecord };
    const refusal = refusals(record.record.phase, record.record.base !== undefined)[action];
    return { run: () => run(record), refusal };
  };
  /** What needs the record as it was read, whatever is being done with it. */
  const onRead = (run: (tab: RecordTab) => void): CommandRun => {
    if (!record) return { run: () => undefined, refusal: text.commands.noRecord };
    const refusal = record.record.base ? undefined : text.record.refusal.unread;
    return { run: () => run(record), refusal };
  };
  const onEditor = (id: EditorCommand): CommandRun => onRead((tab) => runEditorCommand(tab, id));
  const when = (possible: boolean, refusal: string, run: () => void): CommandRun =>
    possible ? { run } : { run, refusal };

  return {
    'app.palette': { run: () => parts.launch('palette') },
    'app.help': { run: parts.help },
    'search.focus': { run: parts.focusSearch },
    'record.quickOpen': { run: () => parts.launch('open') },
    'record.format': onRecord('format', (tab) => formatRecord(targetOf(tab, dispatch))),
    'record.discard': onRecord('discard', parts.discard),
    'record.reload': onRecord('reload', parts.reload),
    'record.patch': onRecord('patch', parts.patch),
    'record.patchById': { run: parts.patchById },
    'record.history': onRecord('history', parts.history),
    'record.outline': onEditor('record.outline'),
    'record.follow': onEditor('record.follow'),
    'record.foldAll': onEditor('record.foldAll'),
    'record.foldElements': onEditor('record.foldElements'),
    'record.unfoldAll': onEditor('record.unfoldAll'),
    'record.wrap': { run: parts.switchWrap },
    'data.import': { run: () => parts.showData('import') },
    'data.export': { run: () => parts.showData('export') },
    'data.training': { run: () => parts.showData('training') },
    'backup.now': { run: parts.backUp },
    'backup.restore': { run: parts.restoreBackup },
    'audit.verify': { run: parts.checkAudit },
    'connection.switch': { run: parts.chooseConnection },
    'connection.add': { run: parts.addConnection },
    'connection.edit': when(parts.editConnection !== undefined, text.commands.localConnection, () =>
      parts.editConnection?.(),
    ),
    'record.review': onRecord('review', ({ key }) =>
      dispatch({ type: 'record', key, action: { type: 'review' } }),
    ),
    'tab.close': when(active !== undefined, text.commands.searchStays, () => {
      if (active) parts.close([active]);
    }),
    'tab.closeOthers': when(others.length > 0, text.commands.noOthers, () => parts.close(others)),
    'tab.reopen': when(tabs.closed.length > 0, text.commands.noClosed, () => dispatch({ type: 'reopen' })),
    'tab.next': when(tabs.tabs.length > 0, text.commands.onlySearch, () => dispatch({ type: 'step', by: 1 })),
    'tab.previous': when(tabs.tabs.length > 0, text.commands.onlySearch, () =>
      dispatch({ type: 'step', by: -1 }),
    ),
    'search.replaceAll': when(parts.searched, text.bulk.noSearch, parts.replaceInResults),
    'quality.next': { run: () => parts.walk(1) },
    'quality.previous': { run: () => parts.walk(-1) },
    'region.next': { run: () => moveRegion(1) },
    'region.previous': { run: () => moveRegion(-1) },
    'view.theme': { run: parts.switchTheme },
    'view.density': { run: parts.switchDensity },
    'view.sidePanel': { run: parts.toggleSidePanel },
    'view.inspector': { run: parts.toggleInspector },
  };
}
