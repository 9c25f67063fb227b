import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { AuditEntry } from '../../../core/app/audit.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { DetailItem, LogDetails } from '../../ui/log/log-details.tsx';
import { versionChange } from '../../ui/log/log-facts.ts';
import styles from '../../ui/log/log.module.css';
import { text } from '../../ui/text.ts';
import { exactTime } from '../../ui/time.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { outcomeOf, recordOf } from './audit-state.ts';

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
        <div className={styles.actions}>
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
      <p className={styles.hint}>{words.notKept}</p>
    </LogDetails>
  );
}
