import { toneOf, type StatusProps } from './status-dot.tsx';
import styles from './ui.module.css';

/** Status of a record as a chip. The color supports the word and never replaces it. */
export function StatusChip({ status, negated }: StatusProps) {
  if (status === '') return null;
  return (
    <span className={styles.chip} data-tone={toneOf(status, negated)}>
      {status}
    </span>
  );
}
