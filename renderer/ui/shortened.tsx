import styles from './ui.module.css';

interface ShortenedProps {
  readonly name: string;
  /** Letters at the end that always stand: they tell the name from others. */
  readonly end: number;
}

/** A name that is cut in its middle where it has no room. */
export function Shortened({ name, end }: ShortenedProps) {
  return (
    <span className={styles.shortened} title={name}>
      <span>{name.slice(0, -end)}</span>
      <span>{name.slice(-end)}</span>
    </span>
  );
}
