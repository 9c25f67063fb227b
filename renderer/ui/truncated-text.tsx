import styles from './ui.module.css';

interface ShortenedProps {
  readonly name: string;
  /** Number of characters at the end that are never cut, because they distinguish names. */
  readonly end: number;
}

/** A name that is cut in the middle if there is no room. */
export function TruncatedText({ name, end }: ShortenedProps) {
  return (
    <span className={styles.shortened} title={name}>
      <span>{name.slice(0, -end)}</span>
      <span>{name.slice(-end)}</span>
    </span>
  );
}
