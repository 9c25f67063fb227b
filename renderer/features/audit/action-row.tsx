import { Checkbox } from '@mantine/core';
import { auditActions, type AuditFilter } from '../../../core/app/audit.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import type { AuditForm } from './audit-state.ts';
import styles from './audit.module.css';
import { useActionCounts } from './use-audit.ts';

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
