import type { CustomCheck } from '../../../core/app/checks.ts';
import { text } from '../../ui/text.ts';
import styles from './checks.module.css';

const messages = text.checks;

interface CheckListProps {
  readonly checks: readonly CustomCheck[];
  /** ID of the selected check; empty for a new check. */
  readonly selectedId: string;
  /** IDs of checks with unsaved changes; empty for a new check. */
  readonly unsavedIds: readonly string[];
  readonly onSelect: (id: string) => void;
}

/** List of the checks with their progress. */
export function CheckList({ checks, selectedId, unsavedIds, onSelect }: CheckListProps) {
  return (
    <ul className={styles.list} aria-label={messages.list}>
      {checks.map((check) => (
        <li key={check.id}>
          <button
            type="button"
            aria-current={check.id === selectedId || undefined}
            onClick={() => onSelect(check.id)}
          >
            <span>{check.title}</span>
            <small>
              {unsavedIds.includes(check.id) && <b>{messages.unsaved} · </b>}
              {describeProgress(check).join(' · ')}
            </small>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Describes the progress of a check in short phrases. */
export function describeProgress({ active, progress }: CustomCheck): readonly string[] {
  if (!active) return [messages.states.off];
  if (!progress) return [messages.states.waits];
  const {
    done,
    total,
    halted: isHalted,
    violated: violationCount,
    applied,
    skipped: skippedCount,
  } = progress;
  return [
    done < total ? messages.running(done, total) : messages.states.on,
    ...(isHalted ? [messages.halted] : [messages.counts(violationCount, applied)]),
    ...(skippedCount > 0 && !isHalted ? [messages.skipped(skippedCount)] : []),
  ];
}
