import { Button, Tooltip, Checkbox } from '@mantine/core';
import {
  IconDownload,
  IconRefresh,
  IconShieldCheck,
  IconShieldX,
  IconX,
  IconExternalLink,
} from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import {
  auditActions,
  type AuditVerification,
  type AuditEntry,
  type AuditFilter,
} from '../../../core/app/audit.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useReturn } from '../../ui/active-context.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { periods, versionChange } from '../../ui/log/log-facts.ts';
import { LogFilter, type LogChoice } from '../../ui/log/log-filter.tsx';
import { LogList } from '../../ui/log/log-list.tsx';
import frame from '../../ui/view.module.css';
import { useLog } from '../../ui/log/use-log.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { useConsumed } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { initialAuditFilter } from './audit-asked.ts';
import { auditColumns } from './audit-columns.tsx';
import styles from './audit.module.css';
import { filterOf, noFilter, outcomes, outcomeOf, recordOf, type AuditForm } from './audit-state.ts';
import { useAudit, useAuditExport, useAuditVerification, useActionCounts } from './use-audit.ts';
import { DetailItem, LogDetails } from '../../ui/log/log-details.tsx';
import detailStyles from '../../ui/log/log.module.css';
import { exactTime } from '../../ui/time.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { formatCount } from '../../ui/format.ts';

const messages = text.audit;

type Field = 'action' | 'outcome' | 'period';

const choices: readonly LogChoice<Field>[] = [
  {
    id: 'action',
    label: messages.filter.action,
    data: auditActions.map((value) => ({ value, label: messages.actions[value] })),
  },
  {
    id: 'outcome',
    label: messages.filter.outcome,
    data: outcomes.map((value) => ({ value, label: messages.filter.outcomes[value] })),
  },
  { id: 'period', label: messages.filter.period, data: periods },
];

const exportForms = ['AuditEvent', 'Provenance'] as const;

/** Audit tab: actions of users and tokens, latest first, with a verification of the log. */
export function AuditView({ isActive }: { readonly isActive: boolean }) {
  const { openView } = useWorkbenchActions();
  const rowHeight = useRowHeight();
  const log = useLog(noFilter, filterOf);
  const { filter, shownEntry, scroller } = log;
  const { query, entries } = useAudit(filter);
  const columns = useMemo(() => auditColumns(entries), [entries]);
  const { verify, verdict, hide } = useVerification();
  const exportRequest = useAuditExport();
  useConsumed(initialAuditFilter, ({ type, id }) => log.change({ ...noFilter, text: `${type}/${id}` }));
  useReturn(isActive, () => {
    // A scrolled list keeps its position.
    const atTop = (scroller.current?.scrollTop ?? 0) === 0 && shownEntry === undefined;
    if (query.isSuccess && atTop) void query.refetch();
  });
  return (
    <div className={frame.view}>
      <LogFilter words={messages.filter} choices={choices} log={log}>
        <LogButtons verify={verify} exportRequest={exportRequest} />
      </LogFilter>
      <ActionRow filter={filter} form={log.form} onChange={log.change} />
      {verdict && <VerificationBanner verdict={verdict} onHide={hide} />}
      <RequestFailure hasPadding title={messages.checked.failed} query={verify} />
      <RequestFailure hasPadding title={messages.exportFailed} query={exportRequest} />
      <LogList
        log={log}
        words={messages}
        label={messages.list}
        query={query}
        entries={entries}
        {...(!query.hasNextPage && { total: entries.length })}
        columns={columns}
        rowHeight={rowHeight}
        onBegin={() => openView('search')}
        details={(entry) => <AuditDetails entry={entry} onHide={log.hideDetails} />}
      >
        <span>{messages.loaded(entries.length, query.hasNextPage)}</span>
        <Button
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={() => {
            scroller.current?.scrollTo({ top: 0 });
            void query.refetch();
          }}
        >
          {messages.refresh}
        </Button>
      </LogList>
    </div>
  );
}

/** Verification of the whole log, with its result until the user closes it. */
function useVerification() {
  const { openView } = useWorkbenchActions();
  const announce = useAnnounce();
  const [verification, setVerification] = useState<AuditVerification>();
  const verify = useAuditVerification((result) => {
    setVerification(result);
    const { broken: brokenEntry } = result;
    announce(
      brokenEntry
        ? messages.checked.broken(brokenEntry.seq, result.entries)
        : messages.checked.whole(result.entries),
    );
  });
  useCommandHandlers({
    'audit.verify': () => {
      openView('audit');
      if (!verify.isPending) verify.mutate();
    },
  });
  return {
    verify,
    verdict: verify.isError ? undefined : verification,
    hide: () => setVerification(undefined),
  };
}

interface TrailButtonsProps {
  readonly verify: ReturnType<typeof useAuditVerification>;
  readonly exportRequest: ReturnType<typeof useAuditExport>;
}

/** Actions for the whole log, regardless of the filter. */
function LogButtons({ verify, exportRequest }: TrailButtonsProps) {
  return (
    <>
      {exportForms.map((form) => (
        <Tooltip key={form} label={messages.exports[form].long}>
          <Button
            aria-label={messages.exports[form].long}
            leftSection={<IconDownload size={14} aria-hidden />}
            loading={exportRequest.isPending && exportRequest.variables === form}
            onClick={() => exportRequest.mutate(form)}
          >
            {messages.exports[form].short}
          </Button>
        </Tooltip>
      ))}
      <Button
        variant="filled"
        leftSection={<IconShieldCheck size={14} aria-hidden />}
        loading={verify.isPending}
        onClick={() => verify.mutate()}
      >
        {messages.check}
      </Button>
    </>
  );
}

interface VerdictStripProps {
  readonly verdict: AuditVerification;
  readonly onHide: () => void;
}

/** Result of the verification, until the user closes it. */
function VerificationBanner({ verdict: { entries, broken: brokenEntry }, onHide }: VerdictStripProps) {
  const Icon = brokenEntry ? IconShieldX : IconShieldCheck;
  return (
    <div
      className={`${frame.strip} ${styles.verdict}`}
      role={brokenEntry ? 'alert' : 'note'}
      data-tone={brokenEntry ? 'danger' : 'good'}
    >
      <Icon size={16} aria-hidden />
      <p>
        <strong>
          {brokenEntry ? messages.checked.broken(brokenEntry.seq, entries) : messages.checked.whole(entries)}
        </strong>
        {brokenEntry && ` ${messages.checked.reason(brokenEntry.reason)} ${messages.checked.advice}`}
      </p>
      <IconButton label={messages.checked.hide} onClick={onHide}>
        <IconX size={16} />
      </IconButton>
    </div>
  );
}

const { details: words, columns } = text.audit;

interface AuditDetailsProps {
  readonly entry: AuditEntry;
  readonly onHide: () => void;
}

/** Details of one entry, with a button that opens its record. */
export function AuditDetails({ entry, onHide }: AuditDetailsProps) {
  const workbench = useWorkbenchActions();
  const record = recordOf(entry);
  const version = versionChange(entry.before, entry.after);
  return (
    <LogDetails name={words.name} title={words.title(entry.seq)} onHide={onHide}>
      {record && (
        <div className={detailStyles.actions}>
          <Button
            leftSection={<IconExternalLink size={14} aria-hidden />}
            onClick={() => workbench.openRecord({ ...record, title: record.id })}
          >
            {text.audit.open}
          </Button>
        </div>
      )}
      <dl>
        <dt>{columns.outcome}</dt>
        <dd>
          <ToneDot {...outcomeOf(entry)} />
        </dd>
        <DetailItem name={columns.time} value={exactTime(entry.time)} />
        <DetailItem name={columns.who} value={entry.who || text.audit.nobody} />
        {entry.person !== undefined && <DetailItem name={columns.person} value={entry.person} />}
        {entry.reason !== undefined && <DetailItem name={columns.reason} value={entry.reason} />}
        <DetailItem name={columns.action} value={text.audit.actions[entry.action]} />
        <DetailItem name={columns.what} value={entry.what} mono />
        {version !== '' && <DetailItem name={columns.version} value={version} mono />}
        {entry.requestId !== '' && <DetailItem name={columns.requestId} value={entry.requestId} mono />}
      </dl>
      <p className={detailStyles.hint}>{words.notKept}</p>
    </LogDetails>
  );
}

const { groups, actions: names, filter: labels } = text.audit;

interface ActionRowProps {
  readonly filter: AuditFilter;
  readonly form: AuditForm;
  readonly onChange: (change: Partial<Pick<AuditForm, 'action' | 'changes'>>) => void;
}

/** Buttons that filter the entries by action, with counts, and a checkbox that shows only changes. */
export function ActionRow({ filter, form: { action: selectedAction, changes }, onChange }: ActionRowProps) {
  const counts = useActionCounts(filter);
  const totalCount = counts.reduce((sum, { entries }) => sum + entries, 0);
  const orderedCounts = auditActions.flatMap(
    (action) => counts.find((candidate) => candidate.action === action) ?? [],
  );
  return (
    <div className={styles.row}>
      <div className={styles.groups} role="group" aria-label={groups.name}>
        <Group
          label={groups.all}
          count={totalCount}
          pressed={selectedAction === ''}
          onClick={() => onChange({ action: '' })}
        />
        {orderedCounts.map(({ action, entries }) => (
          <Group
            key={action}
            label={names[action]}
            count={entries}
            pressed={selectedAction === action}
            onClick={() => onChange({ action: selectedAction === action ? '' : action })}
          />
        ))}
      </div>
      <Checkbox
        size="xs"
        label={labels.changes}
        checked={changes === 'true'}
        onChange={({ currentTarget }) => onChange({ changes: currentTarget.checked ? 'true' : '' })}
      />
    </div>
  );
}

interface GroupProps {
  readonly label: string;
  readonly count: number;
  readonly pressed: boolean;
  readonly onClick: () => void;
}

function Group({ label, count, pressed, onClick }: GroupProps) {
  return (
    <button type="button" aria-pressed={pressed} aria-label={groups.count(label, count)} onClick={onClick}>
      {label} <small>{formatCount(count)}</small>
    </button>
  );
}
