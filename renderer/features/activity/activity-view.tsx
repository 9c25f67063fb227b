import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { activityKinds, activityMethods, statusClasses } from '../../../core/app/activity.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { periods } from '../../ui/log/log-facts.ts';
import { LogFilter, type LogChoice } from '../../ui/log/log-filter.tsx';
import { LogList } from '../../ui/log/log-list.tsx';
import styles from '../../ui/log/log.module.css';
import frame from '../../ui/view.module.css';
import { useLog } from '../../ui/log/use-log.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { ActivityDetails } from './activity-details.tsx';
import { filterOf, noFilter } from './activity-state.ts';
import { activityColumns } from './activity-columns.tsx';
import { useActivity, useClearActivity } from './use-activity.ts';

const messages = text.activity;

const choices: readonly LogChoice<'method' | 'status' | 'kind' | 'period'>[] = [
  {
    id: 'kind',
    label: messages.filter.kind,
    data: activityKinds.map((value) => ({ value, label: messages.kinds[value] })),
  },
  {
    id: 'method',
    label: messages.filter.method,
    data: activityMethods.map((value) => ({ value, label: value })),
  },
  {
    id: 'status',
    label: messages.filter.status,
    data: statusClasses.map((value) => ({ value, label: messages.filter.statuses[value] })),
  },
  { id: 'period', label: messages.filter.period, data: periods },
];

/** Activity tab: requests of the workbench, latest first. */
export function ActivityView({ isActive }: { readonly isActive: boolean }) {
  const workbench = useWorkbenchActions();
  const rowHeight = useRowHeight();
  const [isConfirmOpen, setConfirmOpen] = useState(false);
  const log = useLog(noFilter, filterOf);
  const { filter, isFiltered, shownEntry, scroller } = log;
  const { query, entries, total, newerCount, isBehind, takeNewer } = useActivity(filter, isActive);
  const columns = useMemo(() => activityColumns(entries), [entries]);

  useEffect(() => {
    if (newerCount > 0 && shownEntry === undefined && !isInUse(scroller.current)) takeNewer();
  });

  function showNewer() {
    takeNewer();
    scroller.current?.scrollTo({ top: 0 });
  }

  return (
    <div className={frame.view}>
      <LogFilter words={messages.filter} choices={choices} log={log}>
        <Button
          leftSection={<IconTrash size={14} aria-hidden />}
          disabled={!query.isSuccess || (entries.length === 0 && !isFiltered)}
          onClick={() => setConfirmOpen(true)}
        >
          {messages.clear}
        </Button>
      </LogFilter>
      <LogList
        log={log}
        words={messages}
        label={messages.name}
        query={query}
        entries={entries}
        total={total}
        columns={columns}
        rowHeight={rowHeight}
        onBegin={() => workbench.openView('search')}
        details={(entry) => <ActivityDetails entry={entry} onHide={log.hideDetails} />}
      >
        <span>{messages.total(total, isFiltered)}</span>
        {newerCount > 0 && <Button onClick={showNewer}>{messages.newer(newerCount)}</Button>}
        {isBehind && <span className={styles.behind}>{messages.notUpdated}</span>}
      </LogList>
      {isConfirmOpen && <ClearDialog onClose={() => setConfirmOpen(false)} />}
    </div>
  );
}

/** Returns true if the grid is scrolled down or has the focus. */
function isInUse(grid: HTMLElement | null): boolean {
  return grid !== null && (grid.scrollTop > 0 || grid.contains(document.activeElement));
}

/** Asks before the log is emptied. */
function ClearDialog({ onClose }: { readonly onClose: () => void }) {
  const announce = useAnnounce();
  const clear = useClearActivity((count) => {
    announce(messages.cleared(count));
    onClose();
  });
  return (
    <Question
      title={messages.clearTitle}
      confirm={messages.clearConfirm}
      keep={messages.keep}
      busy={clear.isPending}
      onConfirm={() => clear.mutate()}
      onKeep={onClose}
    >
      <p>{messages.clearDetail}</p>
      <RequestFailure title={messages.clearFailed} query={clear} />
    </Question>
  );
}
