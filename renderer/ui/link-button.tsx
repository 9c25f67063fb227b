import type { ReactNode } from 'react';
import styles from './ui.module.css';

interface LinkButtonProps {
  readonly title?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button in running text or in a table: what it opens, in the words of the record. */
export function LinkButton({ title, onClick, children }: LinkButtonProps) {
  return (
    <button type="button" className={styles.link} title={title} onClick={onClick}>
      {children}
    </button>
  );
}
