import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconRefresh, IconShieldCheck } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from 'react';
import { auditActions, type AuditVerdict } from '../../../core/app/audit.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { LogEmpty, LogSkeleton } from '../../ui/log/log-faces.tsx';
import { periods } from '../../ui/log/log-facts.ts';
import { LogFilter, type LogChoice } from '../../ui/log/log-filter.tsx';
import { LogGrid } from '../../ui/log/log-grid.tsx';
import styles from '../../ui/log/log.module.css';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { auditColumns } from './audit-columns.tsx';
import { auditCheck } from './audit-check.ts';
import { AuditDetails } from './audit-details.tsx';
import { auditReducer, filterOf, initialAudit, outcomes } from './audit-state.ts';
import { useAudit, useExport, useVerify } from './use-audit.ts';
import { VerdictStrip } from './verdict-strip.tsx';

const words = text.audit;

/** Milliseconds after the last key until what was typed counts. */
const typingPause = 150;

const choices: readonly LogChoice<'action' | 'outcome' | 'period'>[] = [
  {
    id: 'action',
    label: words.filter.action,
    data: auditActions.map((value) => ({ value, label: words.actions[value] })),
  },
  {
    id: 'outcome',
    label: words.filter.outcome,
    data: outcomes.map((value) => ({ value, label: words.filter.outcomes[value] })),
  },
  { id: 'period', label: words.filter.period, data: periods },
];

/** The Audit tab: who did what to which record, newest first, and whether that trail is whole. */
export function AuditView({ front }: { readonly front: boolean }) {
  const workbench = useWorkbenchActions();
  const announce = useAnnounce();
  const rowHeight = useRowHeight();
  const [state, dispatch] = useReducer(auditReducer, initialAudit);
  const [verdict, setVerdict] = useState<AuditVerdict>();
  const scroller = useRef<HTMLDivElement>(null);
  const [typed] = useDebouncedValue(state.form.text, typingPause);
  const filter = filterOf({ ...state, form: { ...state.form, text: typed } });
  const filtered = Object.keys(filter).length > 0;
  const { query, entries } = useAudit(filter);
  const columns = useMemo(() => auditColumns(entries), [entries]);
  const verify = useVerify((found) => {
    setVerdict(found);
    const { broken } = found;
    announce(broken ? words.checked.broken(broken.seq, found.entries) : words.checked.whole(found.entries));
  });
  const exported = useExport((count, name) => announce(words.exported(count, name)));

  const check = useEffectEvent(() => {
    if (!verify.isPending) verify.mutate();
  });
  useEffect(() => auditCheck.offer(() => check()), []);

  const returned = useEffectEvent(() => {
    // Whoever reads on further below is left there.
    const atTop = (scroller.current?.scrollTop ?? 0) === 0 && state.shown === undefined;
    if (query.isSuccess && atTop) void query.refetch();
  });
  useEffect(() => {
    if (front) returned();
  }, [front]);

  function hide() {
    dispatch({ type: 'hide' });
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus(),
    );
  }
  const reset = () => dispatch({ type: 'reset' });

  return (
    <div className={styles.view}>
      <LogFilter
        name={words.filter.name}
        textLabel={words.filter.text}
        textHint={words.filter.textHint}
        choices={choices}
        form={state.form}
        filtered={filtered}
        onChange={(form) => dispatch({ type: 'changed', form, now: Date.now() })}
        onReset={reset}
      >
        <Button
          leftSection={<IconDownload size={14} aria-hidden />}
          loading={exported.isPending}
          onClick={() => exported.mutate()}
        >
          {words.export}
        </Button>
        <Button
          variant="filled"
          leftSection={<IconShieldCheck size={14} aria-hidden />}
          loading={verify.isPending}
          onClick={() => verify.mutate()}
        >
          {words.check}
        </Button>
      </LogFilter>
      {verdict && !verify.isError && <VerdictStrip verdict={verdict} onHide={() => setVerdict(undefined)} />}
      {verify.isError && (
        <div className={styles.padded}>
          <FailureMessage title={words.checked.failed} failure={toFailure(verify.error)} />
        </div>
      )}
      {exported.isError && (
        <div className={styles.padded}>
          <FailureMessage title={words.exportFailed} failure={toFailure(exported.error)} />
        </div>
      )}
      {query.isPending && <LogSkeleton />}
      {query.isError && (
        <div className={styles.padded}>
          <FailureMessage
            title={words.failed}
            failure={toFailure(query.error)}
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
      {query.isSuccess && entries.length === 0 && (
        <LogEmpty
          title={filtered ? words.noMatch : words.empty}
          detail={filtered ? words.noMatchDetail : words.emptyDetail}
        >
          {filtered ? (
            <Button onClick={reset}>{text.log.reset}</Button>
          ) : (
            <Button onClick={() => workbench.openView('search')}>{words.emptyAction}</Button>
          )}
        </LogEmpty>
      )}
      {query.isSuccess && entries.length > 0 && (
        <>
          <div className={styles.split}>
            <LogGrid
              label={words.list}
              columns={columns}
              entries={entries}
              {...(!query.hasNextPage && { total: entries.length })}
              rowHeight={rowHeight}
              busy={query.isFetching}
              shown={state.shown?.seq}
              scroller={scroller}
              onShow={(entry) => dispatch({ type: 'show', entry })}
              onHide={hide}
              onEnd={() => {
                if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
              }}
            />
            {state.shown && <AuditDetails entry={state.shown} onHide={hide} />}
          </div>
          <div className={styles.foot}>
            <span>{words.loaded(entries.length, query.hasNextPage)}</span>
            <Button
              leftSection={<IconRefresh size={14} aria-hidden />}
              onClick={() => {
                scroller.current?.scrollTo({ top: 0 });
                void query.refetch();
              }}
            >
              {words.refresh}
            </Button>
            <span className={styles.keys}>{text.log.keys}</span>
          </div>
        </>
      )}
    </div>
  );
}
