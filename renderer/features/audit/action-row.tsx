import { auditActions, type AuditAction, type AuditFilter } from '../../../core/app/audit.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import styles from './audit.module.css';
import { useActions } from './use-audit.ts';

const { groups, actions: names } = text.audit;

interface ActionRowProps {
  readonly filter: AuditFilter;
  /** The action that the list is narrowed to; empty where to none. */
  readonly chosen: string;
  readonly onChoose: (action: AuditAction | '') => void;
}

/** The entries grouped by action, each group with its number; a click shows it alone, another all again. */
export function ActionRow({ filter, chosen, onChoose }: ActionRowProps) {
  const counts = useActions(filter);
  if (counts.length === 0) return null;
  const all = counts.reduce((sum, { entries }) => sum + entries, 0);
  const ordered = auditActions.flatMap((action) => counts.find((one) => one.action === action) ?? []);
  return (
    <div className={styles.groups} role="group" aria-label={groups.name}>
      <Group label={groups.all} count={all} pressed={chosen === ''} onClick={() => onChoose('')} />
      {ordered.map(({ action, entries }) => (
        <Group
          key={action}
          label={names[action]}
          count={entries}
          pressed={chosen === action}
          onClick={() => onChoose(chosen === action ? '' : action)}
        />
      ))}
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
