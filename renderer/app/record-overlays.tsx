import type { ReactNode } from 'react';
import { isNewRecord } from '../../core/fhir/new-record.ts';
import { firstType } from '../../core/fhir/resource.ts';
import { criteriaOf } from '../features/search/criteria.ts';
import type { VersionPair } from '../features/history/history-state.ts';
import type { RecordRequests } from '../features/record/use-record-requests.ts';
import { useCommandHandlers } from '../platform/commands.ts';
import { useConnection } from '../platform/connection.ts';
import { useWorkbenchActions, type RecordName } from '../platform/workbench-actions.ts';
import { lazyDialog } from '../ui/lazy-component.tsx';
import { text } from '../ui/text.ts';
import { toHistorySubject } from './lazy-history.tsx';
import { formatTabLabel, type RecordTab } from './tab-kinds.ts';
import {
  getActiveSearch,
  listRecordTabs,
  findRecordTab,
  type TabsAction,
  type TabsState,
} from './tabs-state.ts';
import { toRecordTarget } from './use-workbench.ts';

const PatchTab = lazyDialog(async () => (await import('./patch-tab.tsx')).PatchTab);
const PatchByIdDialog = lazyDialog(
  async () => (await import('../features/patch/patch-by-id-dialog.tsx')).PatchByIdDialog,
);
const NewRecordDialog = lazyDialog(
  async () => (await import('../features/record/new-record-dialog.tsx')).NewRecordDialog,
);
const EraseSheet = lazyDialog(async () => (await import('../features/record/erase-sheet.tsx')).EraseSheet);
const HistorySheet = lazyDialog(
  async () => (await import('../features/history/history-sheet.tsx')).HistorySheet,
);

/** Overlay above the tabs that is about one record. */
export type Overlay =
  | { readonly kind: 'patch'; readonly record: RecordName; readonly path?: string }
  | { readonly kind: 'patchById' }
  | { readonly kind: 'new' }
  | { readonly kind: 'erase'; readonly record: RecordName; readonly label: string }
  | { readonly kind: 'history'; readonly key: string; readonly pair?: VersionPair };

interface RecordOverlaysProps {
  readonly overlay: Overlay | undefined;
  readonly tabs: TabsState;
  readonly dispatch: (action: TabsAction) => void;
  readonly requests: RecordRequests;
  readonly onOverlay: (overlay: Overlay | undefined) => void;
  readonly onRestore: (tab: RecordTab, text: string, version: number) => void;
}

/** Shows the requested overlay, one at a time. */
export function RecordOverlays(props: RecordOverlaysProps) {
  useOverlayCommands(props);
  return renderOverlay(props);
}

function useOverlayCommands({ tabs, onOverlay }: RecordOverlaysProps): void {
  const { remote } = useConnection();
  const readOnly = remote?.mode === 'read-only';
  const activeTab = listRecordTabs(tabs).find(({ key }) => key === tabs.active);
  const isNew = activeTab !== undefined && isNewRecord(activeTab.record.id);
  const refusal = remote ? text.erase.elsewhere : isNew ? text.record.refusal.unstored : undefined;
  const erase = () => {
    if (activeTab) onOverlay({ kind: 'erase', record: activeTab.record, label: formatTabLabel(activeTab) });
  };
  useCommandHandlers({
    'record.new': readOnly ? text.record.refusal.readOnly(remote.name) : () => onOverlay({ kind: 'new' }),
    'record.patchById': () => onOverlay({ kind: 'patchById' }),
    ...(activeTab && { 'record.erase': refusal ?? erase }),
  });
}

function renderOverlay({
  overlay,
  tabs,
  dispatch,
  requests,
  onOverlay,
  onRestore,
}: RecordOverlaysProps): ReactNode {
  const close = () => onOverlay(undefined);
  switch (overlay?.kind) {
    case undefined:
      return null;
    case 'patch': {
      const { record, path } = overlay;
      const tab = findRecordTab(tabs, record.type, record.id);
      const target = tab && toRecordTarget(tab, dispatch);
      return (
        <PatchTab
          key={`${record.type}/${record.id}`}
          record={record}
          target={target}
          path={path}
          requests={requests}
          onClose={close}
        />
      );
    }
    case 'patchById':
      return <PatchByIdDialog onClose={close} onCompose={(record) => onOverlay({ kind: 'patch', record })} />;
    case 'new':
      return <NewRecord tabs={tabs} onClose={close} />;
    case 'erase': {
      const { type, id } = overlay.record;
      return (
        <EraseSheet
          record={{ type, id }}
          label={overlay.label}
          onClose={close}
          onErased={() => {
            const tab = findRecordTab(tabs, type, id);
            if (tab) dispatch({ type: 'close', key: tab.key });
          }}
        />
      );
    }
    case 'history': {
      const tab = listRecordTabs(tabs).find(({ key }) => key === overlay.key);
      const subject = tab && toHistorySubject(tab.record);
      if (!subject) return null;
      return (
        <HistorySheet
          subject={subject}
          name={formatTabLabel(tab)}
          {...(overlay.pair && { initialPair: overlay.pair })}
          onClose={close}
          onRestore={(text, version) => onRestore(tab, text, version)}
        />
      );
    }
  }
}

/** Starts a record with the patient and type of the active search. */
function NewRecord({ tabs, onClose }: { readonly tabs: TabsState; readonly onClose: () => void }) {
  const { beginRecord } = useWorkbenchActions();
  const { type, patient } = criteriaOf(getActiveSearch(tabs) ?? { type: firstType, pairs: [] });
  return (
    <NewRecordDialog
      type={type}
      patient={patient}
      onClose={onClose}
      onBegin={(selectedType, json) => {
        onClose();
        beginRecord(selectedType, json);
      }}
    />
  );
}
