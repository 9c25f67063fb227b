import styles from './ui.module.css';

export type Tone = 'good' | 'info' | 'warning' | 'danger' | 'neutral';

/** A word with a small dot before it, whose colour supports and never replaces the word. */
export function ToneDot({ tone, label }: { readonly tone: Tone; readonly label: string }) {
  return (
    <span className={styles.status}>
      <span className={styles.dot} data-tone={tone} aria-hidden />
      <span className={styles.label}>{label}</span>
    </span>
  );
}
