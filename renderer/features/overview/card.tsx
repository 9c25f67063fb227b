import type { ReactNode } from 'react';
import styles from './overview.module.css';

interface CardProps {
  readonly title: string;
  /** Shown next to the title. */
  readonly note?: ReactNode;
  readonly wide?: true;
  readonly children: ReactNode;
}

/** One card of the overview. */
export function Card({ title, note, wide, children }: CardProps) {
  return (
    <section className={styles.card} data-wide={wide} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {note !== undefined && <span>{note}</span>}
      </header>
      {children}
    </section>
  );
}

interface LineProps {
  readonly title: ReactNode;
  readonly detail: ReactNode;
  readonly end: ReactNode;
  readonly onOpen: () => void;
}

/** One line of a list: title, detail and an action. */
export function Line({ title, detail, end, onOpen }: LineProps) {
  return (
    <li>
      <button type="button" onClick={onOpen}>
        <span className={styles.what}>
          <strong>{title}</strong>
          <small>{detail}</small>
        </span>
        <span className={styles.end}>{end}</span>
      </button>
    </li>
  );
}
