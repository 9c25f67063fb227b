import { toneOf, type StatusProps } from './status-dot.tsx';
import styles from './ui.module.css';

/** A record's status as a chip, whose colour supports and never replaces the word. */
export function StatusChip({ status, negated }: StatusProps) {
  if (status === '') return null;
  return (
    <span className={styles.chip} data-tone={toneOf(status, negated)}>
      {status}
    </span>
  );
}
