import { Button, Tooltip } from '@mantine/core';
import { IconDownload, IconRefresh, IconShieldCheck, IconShieldX, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { auditActions, type AuditVerdict } from '../../../core/app/audit.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useReturn } from '../../ui/front.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { periods } from '../../ui/log/log-facts.ts';
import { LogFilter, type LogChoice } from '../../ui/log/log-filter.tsx';
import { LogList } from '../../ui/log/log-list.tsx';
import frame from '../../ui/view.module.css';
import { useLog } from '../../ui/log/use-log.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { useTaken } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { ActionRow } from './action-row.tsx';
import { auditAsked } from './audit-asked.ts';
import { auditColumns } from './audit-columns.tsx';
import styles from './audit.module.css';
import { AuditDetails } from './audit-details.tsx';
import { filterOf, noFilter, outcomes } from './audit-state.ts';
import { useAudit, useExport, useVerify } from './use-audit.ts';

const words = text.audit;

type Field = 'action' | 'outcome' | 'period';

const choices: readonly LogChoice<Field>[] = [
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

const trailForms = ['AuditEvent', 'Provenance'] as const;

/** The Audit tab: who did what to which record, newest first, and whether that trail is whole. */
export function AuditView({ front }: { readonly front: boolean }) {
  const { openView } = useWorkbenchActions();
  const rowHeight = useRowHeight();
  const log = useLog(noFilter, filterOf);
  const { filter, shown, scroller } = log;
  const { query, entries } = useAudit(filter);
  const columns = useMemo(() => auditColumns(entries), [entries]);
  const { verify, verdict, hide } = useVerdict();
  const exported = useExport();
  useTaken(auditAsked, ({ type, id }) => log.change({ ...noFilter, text: `${type}/${id}` }));
  useReturn(front, () => {
    // Whoever reads on further below is left there.
    const atTop = (scroller.current?.scrollTop ?? 0) === 0 && shown === undefined;
    if (query.isSuccess && atTop) void query.refetch();
  });
  return (
    <div className={frame.view}>
      <LogFilter words={words.filter} choices={choices} log={log}>
        <TrailButtons verify={verify} exported={exported} />
      </LogFilter>
      <ActionRow filter={filter} form={log.form} onChange={log.change} />
      {verdict && <VerdictStrip verdict={verdict} onHide={hide} />}
      <RequestFailure padded title={words.checked.failed} of={verify} />
      <RequestFailure padded title={words.exportFailed} of={exported} />
      <LogList
        log={log}
        words={words}
        label={words.list}
        query={query}
        entries={entries}
        {...(!query.hasNextPage && { total: entries.length })}
        columns={columns}
        rowHeight={rowHeight}
        onBegin={() => openView('search')}
        details={(entry) => <AuditDetails entry={entry} onHide={log.hide} />}
      >
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
      </LogList>
    </div>
  );
}

/** The check of the whole trail, and what it found until that is put away. */
function useVerdict() {
  const { openView } = useWorkbenchActions();
  const announce = useAnnounce();
  const [verdict, setVerdict] = useState<AuditVerdict>();
  const verify = useVerify((found) => {
    setVerdict(found);
    const { broken } = found;
    announce(broken ? words.checked.broken(broken.seq, found.entries) : words.checked.whole(found.entries));
  });
  useCommandHandlers({
    'audit.verify': () => {
      openView('audit');
      if (!verify.isPending) verify.mutate();
    },
  });
  return { verify, verdict: verify.isError ? undefined : verdict, hide: () => setVerdict(undefined) };
}

interface TrailButtonsProps {
  readonly verify: ReturnType<typeof useVerify>;
  readonly exported: ReturnType<typeof useExport>;
}

/** What can be done with the whole trail, whatever is shown of it. */
function TrailButtons({ verify, exported }: TrailButtonsProps) {
  return (
    <>
      {trailForms.map((form) => (
        <Tooltip key={form} label={words.exports[form].long}>
          <Button
            aria-label={words.exports[form].long}
            leftSection={<IconDownload size={14} aria-hidden />}
            loading={exported.isPending && exported.variables === form}
            onClick={() => exported.mutate(form)}
          >
            {words.exports[form].short}
          </Button>
        </Tooltip>
      ))}
      <Button
        variant="filled"
        leftSection={<IconShieldCheck size={14} aria-hidden />}
        loading={verify.isPending}
        onClick={() => verify.mutate()}
      >
        {words.check}
      </Button>
    </>
  );
}

interface VerdictStripProps {
  readonly verdict: AuditVerdict;
  readonly onHide: () => void;
}

/** What the check of the trail found, until it is put away. */
function VerdictStrip({ verdict: { entries, broken }, onHide }: VerdictStripProps) {
  const Icon = broken ? IconShieldX : IconShieldCheck;
  return (
    <div
      className={`${frame.strip} ${styles.verdict}`}
      role={broken ? 'alert' : 'note'}
      data-tone={broken ? 'danger' : 'good'}
    >
      <Icon size={16} aria-hidden />
      <p>
        <strong>{broken ? words.checked.broken(broken.seq, entries) : words.checked.whole(entries)}</strong>
        {broken && ` ${words.checked.reason(broken.reason)} ${words.checked.advice}`}
      </p>
      <IconButton label={words.checked.hide} onClick={onHide}>
        <IconX size={16} />
      </IconButton>
    </div>
  );
}
