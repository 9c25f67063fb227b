import styles from './ui.module.css';

const tones: Readonly<Record<string, string>> = {
  active: 'good',
  final: 'good',
  completed: 'neutral',
  draft: 'info',
  amended: 'info',
  preliminary: 'warning',
  'on-hold': 'warning',
  revoked: 'danger',
  'entered-in-error': 'danger',
};

/** A record's status: a small dot whose colour supports, and never replaces, the word. */
export function StatusDot({ status }: { readonly status: string }) {
  if (status === '') return null;
  return (
    <span className={styles.status}>
      <span className={styles.dot} data-tone={tones[status] ?? 'neutral'} aria-hidden />
      {status}
    </span>
  );
}
