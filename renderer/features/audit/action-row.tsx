import { Checkbox } from '@mantine/core';
import { auditActions, type AuditFilter } from '../../../core/app/audit.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import type { AuditForm } from './audit-state.ts';
import styles from './audit.module.css';
import { useActions } from './use-audit.ts';

const { groups, actions: names, filter: labels } = text.audit;

interface ActionRowProps {
  readonly filter: AuditFilter;
  readonly form: AuditForm;
  readonly onChange: (change: Partial<Pick<AuditForm, 'action' | 'changes'>>) => void;
}

/**
 * The entries grouped by action, each group with its number, and whether changes alone are shown. A click shows a group
 * alone, another all again.
 */
export function ActionRow({ filter, form: { action: chosen, changes }, onChange }: ActionRowProps) {
  const counts = useActions(filter);
  const all = counts.reduce((sum, { entries }) => sum + entries, 0);
  const ordered = auditActions.flatMap((action) => counts.find((one) => one.action === action) ?? []);
  return (
    <div className={styles.row}>
      <div className={styles.groups} role="group" aria-label={groups.name}>
        <Group
          label={groups.all}
          count={all}
          pressed={chosen === ''}
          onClick={() => onChange({ action: '' })}
        />
        {ordered.map(({ action, entries }) => (
          <Group
            key={action}
            label={names[action]}
            count={entries}
            pressed={chosen === action}
            onClick={() => onChange({ action: chosen === action ? '' : action })}
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
