import styles from './ui.module.css';

export type Tone = 'good' | 'info' | 'warning' | 'danger' | 'neutral';

/** A word after a dot. The color supports the word and never replaces it. */
export function ToneDot({ tone, label }: { readonly tone: Tone; readonly label: string }) {
  return (
    <span className={styles.status}>
      <span className={styles.dot} data-tone={tone} aria-hidden />
      <span className={styles.label}>{label}</span>
    </span>
  );
}
