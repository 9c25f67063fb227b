import { Button, Skeleton } from '@mantine/core';
import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import { ApiFailure } from '../../../core/api/failure.ts';
import { useConnection } from '../../platform/connection.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { toFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import styles from './history.module.css';
import type { HistoryAction, HistoryState } from './history-state.ts';
import type { Subject, useHistory } from './use-history.ts';
import { IconSquare, IconSquareCheckFilled } from '@tabler/icons-react';
import type { HistoryEntry } from '../../../core/app/history.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { wordsOfChange } from '../../platform/change-words.ts';
import { useDates } from '../../ui/date-language.ts';
import { byline } from '../../ui/text/byline.ts';
import { exactTime, localTime } from '../../ui/time.ts';

interface VersionListProps {
  readonly subject: Subject;
  readonly history: ReturnType<typeof useHistory>;
  readonly state: HistoryState;
  readonly dispatch: (action: HistoryAction) => void;
  readonly autoFocus?: true;
  readonly onShow: () => void;
}

/** Versions, latest first: arrow keys move, Space selects, Enter compares. */
export function VersionList(props: VersionListProps) {
  const { query, versions, total } = props.history;
  if (versions.length === 0) return <NoVersions query={query} />;
  return (
    <div className={frame.panel}>
      <p className={styles.count}>{text.history.count(versions.length, total)}</p>
      <Versions {...props} />
      {total === 1 && <p className={styles.padded}>{text.history.only}</p>}
      {query.isFetchNextPageError && (
        <div className={styles.padded}>
          <FailureMessage title={text.history.failed} failure={toFailure(query.error)} />
        </div>
      )}
      {query.hasNextPage && (
        <div className={styles.padded}>
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {text.history.older}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Replaces an empty list: loading, failed, or no versions. */
function NoVersions({ query }: Pick<ReturnType<typeof useHistory>, 'query'>) {
  const { remote, host } = useConnection();
  if (query.isPending) {
    return (
      <div className={styles.skeleton} role="img" aria-busy="true" aria-label={text.history.loading}>
        {[70, 52, 64, 58, 70, 46].map((width, index) => (
          <Skeleton key={index} height={36} width={`${width + 24}%`} />
        ))}
      </div>
    );
  }
  if (!query.isError) return <p className={styles.padded}>{text.history.empty}</p>;
  const failure = toFailure(query.error);
  return (
    <div className={styles.padded}>
      {remote && isNotOffered(query.error) ? (
        <>
          <p>{text.history.notOffered(host)}</p>
          <p className={styles.fact}>{failure.sentences.join(' ')}</p>
        </>
      ) : (
        <FailureMessage title={text.history.failed} failure={failure} onRetry={() => void query.refetch()} />
      )}
    </div>
  );
}

function Versions({ subject, history, state, dispatch, autoFocus, onShow }: VersionListProps) {
  const { query, versions } = history;
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const lastIndex = versions.length - 1;
  const foundIndex = versions.findIndex(({ version }) => version === state.cursor);
  const currentIndex = Math.max(0, foundIndex);
  useEffect(() => {
    if (autoFocus) list.current?.focus();
  }, [autoFocus]);

  function moveTo(index: number) {
    const next = Math.max(0, Math.min(lastIndex, index));
    const entry = versions[next];
    if (!entry) return;
    dispatch({ type: 'moved', to: entry.version });
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
    if (next === lastIndex && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
  }

  function onKeyDown(event: KeyboardEvent) {
    const target = indexAfterKey(event.key, currentIndex, lastIndex);
    const entry = versions[currentIndex];
    if (target !== undefined) moveTo(target);
    else if (event.key === ' ' && entry) dispatch({ type: 'ticked', version: entry.version });
    else if (event.key === 'Enter') onShow();
    else return;
    event.preventDefault();
  }

  return (
    <ul
      ref={list}
      role="listbox"
      aria-multiselectable
      aria-label={text.history.versions}
      aria-activedescendant={`${id}-${currentIndex}`}
      data-autofocus={autoFocus}
      tabIndex={0}
      title={text.history.keys}
      className={styles.list}
      onKeyDown={onKeyDown}
    >
      {versions.map((entry, index) => (
        <VersionLine
          key={entry.version}
          id={`${id}-${index}`}
          type={subject.type}
          entry={entry}
          current={entry.version === (subject.version ?? versions[0]?.version)}
          atCursor={index === currentIndex}
          ticked={state.ticks.includes(entry.version)}
          onMove={() => dispatch({ type: 'moved', to: entry.version })}
          onTick={() => dispatch({ type: 'ticked', version: entry.version })}
          onShow={onShow}
        />
      ))}
    </ul>
  );
}

/** Returns the index that a key moves to; undefined for other keys. */
function indexAfterKey(key: string, index: number, lastIndex: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + 10,
    PageUp: index - 10,
    Home: 0,
    End: lastIndex,
  };
  return steps[key];
}

const notOffered = new Set([400, 404, 405, 501]);

/** Returns true if the response means that the server has no histories. */
function isNotOffered(error: Error): boolean {
  return error instanceof ApiFailure && notOffered.has(error.status);
}

interface VersionLineProps {
  readonly id: string;
  readonly type: ResourceType;
  readonly entry: HistoryEntry;
  readonly current: boolean;
  readonly atCursor: boolean;
  readonly ticked: boolean;
  readonly onMove: () => void;
  readonly onTick: () => void;
  readonly onShow: () => void;
}

/** One version: number, time, author, operation and changes. */
function VersionLine(props: VersionLineProps) {
  useDates();
  const { id, type, entry, current, atCursor, ticked, onMove, onTick, onShow } = props;
  const { version, lastUpdated, author, reason, operation } = entry;
  const Tick = ticked ? IconSquareCheckFilled : IconSquare;
  return (
    <li
      id={id}
      role="option"
      aria-selected={ticked}
      data-cursor={atCursor}
      className={styles.line}
      onClick={onMove}
      onDoubleClick={onShow}
    >
      <span
        className={styles.tick}
        title={text.history.tick(version)}
        onClick={(event) => {
          event.stopPropagation();
          onTick();
        }}
      >
        <Tick size={16} aria-hidden />
      </span>
      <span className={styles.number}>{text.history.version(version)}</span>
      {current && <span className={styles.badge}>{text.history.current}</span>}
      <time dateTime={lastUpdated} title={exactTime(lastUpdated)} className={styles.time}>
        {localTime(lastUpdated)}
      </time>
      <span className={styles.fact}>
        {author === ''
          ? text.history.operations[operation]
          : text.history.operationsBy[operation](byline(entry))}
      </span>
      {reason !== undefined && <q className={styles.why}>{reason}</q>}
      {version > 1 && <span className={styles.paths}>{formatChanges(type, entry)}</span>}
    </li>
  );
}

function formatChanges(type: ResourceType, { changes, paths, named: namedChanges }: HistoryEntry): string {
  if (changes === 0) return text.history.same;
  return text.history.changes(changes, namedChanges?.map((change) => wordsOfChange(type, change)) ?? paths);
}
