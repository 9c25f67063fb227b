import type { ReactNode } from 'react';
import styles from './overview.module.css';

interface CardProps {
  readonly title: string;
  /** Shown next to the title. */
  readonly note?: ReactNode;
  /** Takes the whole width. */
  readonly isWide?: true;
  readonly children: ReactNode;
}

/** One card of the overview. */
export function Card({ title, note, isWide, children }: CardProps) {
  return (
    <section className={styles.card} data-wide={isWide} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {note !== undefined && <span>{note}</span>}
      </header>
      {children}
    </section>
  );
}

interface CardItemProps {
  readonly title: ReactNode;
  readonly detail: ReactNode;
  /** Shown at the end of the line, such as a time. */
  readonly trailing: ReactNode;
  readonly onOpen: () => void;
}

/** List item that opens something: title, detail and content at the end. */
export function CardItem({ title, detail, trailing, onOpen }: CardItemProps) {
  return (
    <li>
      <button type="button" onClick={onOpen}>
        <span className={styles.texts}>
          <strong>{title}</strong>
          <small>{detail}</small>
        </span>
        <span className={styles.end}>{trailing}</span>
      </button>
    </li>
  );
}
