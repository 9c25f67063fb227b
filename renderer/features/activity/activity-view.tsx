import { Button } from '@mantine/core';
import { IconTrash, IconCopy, IconExternalLink, IconReload } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import {
  activityKinds,
  activityMethods,
  statusClasses,
  ActivityCleared,
  activityLimits,
  ActivityPage,
  isJobEntry,
  type ActivityFilter,
  type ActivityEntry,
  type JobEntry,
  type RequestEntry,
} from '../../../core/app/activity.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { periods, formatStatus, toneOf, versionChange } from '../../ui/log/log-facts.ts';
import { LogFilter, type LogChoice } from '../../ui/log/log-filter.tsx';
import { LogList } from '../../ui/log/log-list.tsx';
import styles from '../../ui/log/log.module.css';
import frame from '../../ui/view.module.css';
import { useLog } from '../../ui/log/use-log.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { filterOf, noFilter } from './activity-state.ts';
import { activityColumns } from './activity-columns.tsx';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { formatQuery } from '../../../core/api/query.ts';
import { useConnection, type Connection } from '../../platform/connection.ts';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { DetailItem, LogDetails } from '../../ui/log/log-details.tsx';
import { exactTime } from '../../ui/time.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import { countName, curlOfEntry, parametersOf, recordOf, replayOf } from './entry-facts.ts';

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

/** Polling interval for newer entries while the view is active, in milliseconds. */
const pollIntervalMs = 3000;

function readPage(
  client: Connection['client'],
  filter: ActivityFilter,
  position: Readonly<Record<string, number>>,
): Promise<ActivityPage> {
  const pairs = [...Object.entries(filter), ...Object.entries(position)];
  const query = formatQuery(pairs.map(([name, value]) => [name, String(value)]));
  return client.requestAs(ActivityPage, 'GET', `/activity?${query}`);
}

/** Loads the matching entries in pages, and newer entries since. */
export function useActivity(filter: ActivityFilter, isActive: boolean) {
  const { name, client } = useConnection();
  const queries = useQueryClient();
  const queryKey = ['activity', name, filter];
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      readPage(client, filter, { count: 200, ...(pageParam > 0 && { before: pageParam }) }),
    getNextPageParam: (page) => page.next,
    // Typing a filter must not empty the list at each key.
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  const entries = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.entries), [query.data]);
  const latestSeq = entries[0]?.seq ?? 0;

  const newer = useQuery({
    queryKey: ['activity-newer', name, filter, latestSeq],
    queryFn: () => readPage(client, filter, { count: activityLimits.page, after: latestSeq }),
    enabled: isActive && query.isSuccess && !query.isPlaceholderData,
    refetchInterval: pollIntervalMs,
    refetchOnWindowFocus: 'always',
    gcTime: 0,
  });

  /** Adds newer entries on top of the list. */
  function showNewer() {
    const page = newer.data;
    if (!page || page.entries.length === 0) return;
    if (page.next !== undefined) {
      // More newer entries than one page: adding them would leave a gap.
      void queries.resetQueries({ queryKey });
      return;
    }
    // Added to the first page, so that the number of pages stays the same in a list that is open for hours.
    queries.setQueryData<InfiniteData<ActivityPage, number>>(queryKey, (data) => {
      const [firstPage, ...otherPages] = data?.pages ?? [];
      if (!data || !firstPage) return data;
      const entries = [...page.entries, ...firstPage.entries];
      return { ...data, pages: [{ ...firstPage, entries, total: page.total }, ...otherPages] };
    });
  }

  return {
    query,
    entries,
    /** Number of matching entries, including newer ones. */
    total: newer.data?.total ?? query.data?.pages[0]?.total ?? 0,
    newerCount: newer.data?.entries.length ?? 0,
    isBehind: newer.isError,
    takeNewer: showNewer,
  };
}

/** Removes all entries. Calls `onCleared` with their number. */
export function useClearActivity(onCleared: (count: number) => void) {
  const { name, client } = useConnection();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.requestAs(ActivityCleared, 'DELETE', '/activity'),
    onSuccess: ({ cleared }) => {
      onCleared(cleared);
      return queries.resetQueries({ queryKey: ['activity', name] });
    },
  });
}

const { details: words } = text.activity;

interface ActivityDetailsProps {
  readonly entry: ActivityEntry;
  readonly onHide: () => void;
}

/** Details of one entry with its actions. */
export function ActivityDetails({ entry, onHide }: ActivityDetailsProps) {
  return (
    <LogDetails name={words.name} title={text.activity.kinds[entry.kind]} onHide={onHide}>
      {isJobEntry(entry) ? <JobDetails entry={entry} /> : <RequestDetails entry={entry} />}
    </LogDetails>
  );
}

function JobDetails({ entry }: { readonly entry: JobEntry }) {
  return (
    <dl>
      <DetailItem name={words.time} value={exactTime(entry.time)} />
      <DetailItem name={words.note} value={entry.note} />
      <DetailItem name={words.connection} value={entry.connection} />
      {Object.entries(entry.counts).map(([code, count]) => (
        <DetailItem key={code} name={countName(code)} value={formatCount(count)} />
      ))}
    </dl>
  );
}

function RequestDetails({ entry }: { readonly entry: RequestEntry }) {
  const { record } = entry;
  const version = versionChange(record?.before, record?.after);
  return (
    <>
      <RequestActions entry={entry} />
      <dl>
        <dt>{words.status}</dt>
        <dd>
          <ToneDot tone={toneOf(entry.status)} label={formatStatus(entry.status)} />
        </dd>
        <DetailItem name={words.time} value={exactTime(entry.time)} />
        <DetailItem name={words.method} value={entry.method} mono />
        <DetailItem name={words.path} value={entry.path} mono />
        <DetailItem name={words.took} value={text.activity.ms(entry.ms)} />
        <DetailItem name={words.sent} value={formatBytes(entry.requestBytes)} />
        <DetailItem name={words.received} value={formatBytes(entry.answerBytes)} />
        {record && <DetailItem name={words.record} value={`${record.type}/${record.id}`} mono />}
        {version !== '' && <DetailItem name={words.version} value={version} mono />}
        <DetailItem name={words.connection} value={entry.connection} />
        <DetailItem name={words.requestId} value={entry.requestId} mono />
      </dl>
      <Parameters path={entry.path} />
      <p className={styles.hint}>{words.notKept}</p>
    </>
  );
}

function Parameters({ path }: { readonly path: string }) {
  const parameters = parametersOf(path);
  if (parameters.length === 0) return null;
  return (
    <>
      <h3>{words.parameters}</h3>
      <dl>
        {parameters.map(([name, value], index) => (
          <DetailItem key={`${index} ${name}`} name={name} value={value} mono />
        ))}
      </dl>
    </>
  );
}

function RequestActions({ entry }: { readonly entry: RequestEntry }) {
  const workbench = useWorkbenchActions();
  const copy = useCopy();
  const { name, fhirBase } = useConnection();
  const isCurrentConnection = entry.connection === name;
  const replay = replayOf(entry);
  const record = recordOf(entry);

  return (
    <div className={styles.actions}>
      {isCurrentConnection && replay.kind === 'search' && (
        <Button
          variant="filled"
          leftSection={<IconReload size={14} aria-hidden />}
          onClick={() => workbench.search(replay.pairs, replay.type)}
        >
          {text.activity.replay}
        </Button>
      )}
      {isCurrentConnection && record && (
        <Button
          leftSection={<IconExternalLink size={14} aria-hidden />}
          onClick={() => workbench.openRecord({ ...record, title: record.id })}
        >
          {text.activity.open}
        </Button>
      )}
      {isCurrentConnection && (
        <Button
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() =>
            copy(curlOfEntry(entry, location.origin, fhirBase), text.activity.copied, text.activity.notCopied)
          }
        >
          {text.activity.curl}
        </Button>
      )}
      {!isCurrentConnection && <p className={styles.hint}>{text.activity.elsewhere(entry.connection)}</p>}
      {isCurrentConnection && replay.kind === 'none' && (replay.reason !== 'other' || !record) && (
        <p className={styles.hint}>{text.activity.notReplayed[replay.reason]}</p>
      )}
    </div>
  );
}
