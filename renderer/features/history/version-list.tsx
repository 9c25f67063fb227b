import { Button, Skeleton } from '@mantine/core';
import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import { ApiFailure } from '../../../core/api/failure.ts';
import { useConnection } from '../../platform/connection.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { toFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import styles from './history.module.css';
import type { HistoryAction, HistoryState } from './history-state.ts';
import type { Subject, useHistory } from './use-history.ts';
import { VersionLine } from './version-line.tsx';

interface VersionListProps {
  readonly subject: Subject;
  readonly history: ReturnType<typeof useHistory>;
  readonly state: HistoryState;
  readonly dispatch: (action: HistoryAction) => void;
  readonly autoFocus?: true;
  readonly onShow: () => void;
}

/** The versions, newest first: arrows move, Space ticks, Enter shows what differs. */
export function VersionList({ subject, history, state, dispatch, autoFocus, onShow }: VersionListProps) {
  const { query, versions, total } = history;
  const { remote, host } = useConnection();
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const at = Math.max(
    0,
    versions.findIndex(({ version }) => version === state.cursor),
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;

  const ready = versions.length > 0;
  useEffect(() => {
    if (ready && autoFocus) list.current?.focus();
  }, [ready, autoFocus]);

  function moveTo(index: number) {
    const next = Math.max(0, Math.min(versions.length - 1, index));
    const entry = versions[next];
    if (!entry) return;
    dispatch({ type: 'moved', to: entry.version });
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
    if (next === versions.length - 1 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }

  function onKeyDown(event: KeyboardEvent) {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + 10,
      PageUp: at - 10,
      Home: 0,
      End: versions.length - 1,
    };
    const to = steps[event.key];
    const entry = versions[at];
    if (to !== undefined) moveTo(to);
    else if (event.key === ' ' && entry) dispatch({ type: 'ticked', version: entry.version });
    else if (event.key === 'Enter') onShow();
    else return;
    event.preventDefault();
  }

  if (query.isPending) {
    return (
      <div className={styles.skeleton} role="img" aria-busy="true" aria-label={text.history.loading}>
        {[70, 52, 64, 58, 70, 46].map((width, index) => (
          <Skeleton key={index} height={36} width={`${width + 24}%`} />
        ))}
      </div>
    );
  }
  if (query.isError && !ready && remote && isNotOffered(query.error)) {
    return (
      <div className={styles.padded}>
        <p>{text.history.notOffered(host)}</p>
        <p className={styles.fact}>{toFailure(query.error).sentences.join(' ')}</p>
      </div>
    );
  }
  if (query.isError && !ready) {
    return (
      <div className={styles.padded}>
        <FailureMessage
          title={text.history.failed}
          failure={toFailure(query.error)}
          onRetry={() => void query.refetch()}
        />
      </div>
    );
  }
  if (!ready) return <p className={styles.padded}>{text.history.empty}</p>;
  return (
    <div className={styles.scroll}>
      <p className={styles.count}>{text.history.count(versions.length, total)}</p>
      <ul
        ref={list}
        role="listbox"
        aria-multiselectable
        aria-label={text.history.versions}
        aria-activedescendant={`${id}-${at}`}
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
            entry={entry}
            current={entry.version === (subject.version ?? versions[0]?.version)}
            atCursor={index === at}
            ticked={state.ticks.includes(entry.version)}
            onMove={() => dispatch({ type: 'moved', to: entry.version })}
            onTick={() => dispatch({ type: 'ticked', version: entry.version })}
            onShow={onShow}
          />
        ))}
      </ul>
      {total === 1 && <p className={styles.padded}>{text.history.only}</p>}
      {query.isFetchNextPageError && (
        <div className={styles.padded}>
          <FailureMessage title={text.history.failed} failure={toFailure(query.error)} />
        </div>
      )}
      {hasNextPage && (
        <div className={styles.padded}>
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {text.history.older}
          </Button>
        </div>
      )}
    </div>
  );
}

const notOffered = new Set([400, 404, 405, 501]);

/** Whether a server answers so because it keeps no histories. */
function isNotOffered(error: Error): boolean {
  return error instanceof ApiFailure && notOffered.has(error.status);
}
