import { useMemo } from 'react';
import type { VersionPair } from '../features/history/history-state.ts';
import { ReadingView } from '../features/reading/reading-view.tsx';
import { RecordPanel } from '../features/record/record-panel.tsx';
import type { RecordRequests } from '../features/record/use-record-requests.ts';
import { ReferringRecord } from '../platform/referring-record.ts';
import type { ReadingSlotProps } from '../platform/reading-slot.ts';
import { useStable } from '../ui/use-stable.ts';
import { LazyHistory } from './lazy-history.tsx';
import type { Overlay } from './record-overlays.tsx';
import type { RecordTab } from './tab-kinds.ts';
import type { TabsAction } from './tabs-state.ts';
import type { GuardedTabs } from './use-guarded-tabs.tsx';
import { toRecordTarget } from './use-workbench.ts';

interface RecordPaneProps {
  readonly tab: RecordTab;
  readonly dispatch: (action: TabsAction) => void;
  readonly requests: RecordRequests;
  readonly isActive: boolean;
  /** True if an overlay covers the tabs. */
  readonly isCovered: boolean;
  readonly onOverlay: (overlay: Overlay) => void;
  readonly guarded: GuardedTabs;
}

/** Tab of a record. Its callbacks stay the same objects while only the text changes. */
export function RecordPane(props: RecordPaneProps) {
  const { tab, dispatch, requests, isActive, isCovered, onOverlay, guarded } = props;
  const { key, record } = tab;
  const { type, id, base } = record;
  const compare = useStable((pair: VersionPair) => onOverlay({ kind: 'history', key, pair }));
  const restore = useStable((versionText: string, versionNumber: number) =>
    guarded.restore(tab, versionText, versionNumber),
  );
  const history = useMemo(
    () => <LazyHistory key={key} type={type} id={id} base={base} onCompare={compare} onRestore={restore} />,
    [key, type, id, base, compare, restore],
  );
  return (
    <ReferringRecord value={id !== '' ? `${type}/${id}` : undefined}>
      <RecordPanel
        target={toRecordTarget(tab, dispatch)}
        requests={requests}
        isActive={isActive}
        isCovered={isCovered}
        onPatch={(path) => onOverlay({ kind: 'patch', record, path })}
        onReload={() => guarded.reload(tab)}
        onDiscard={() => guarded.discard(tab)}
        onHistory={() => onOverlay({ kind: 'history', key })}
        onCompare={(older, newer) => compare({ older, newer, ticked: true })}
        history={history}
        renderReading={renderReading}
      />
    </ReferringRecord>
  );
}

function renderReading(props: ReadingSlotProps) {
  return <ReadingView {...props} />;
}
