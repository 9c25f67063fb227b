import type { ReactNode } from 'react';
import styles from './ui.module.css';

interface LinkButtonProps {
  readonly title?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Button in text or in a table that opens something. Its content comes from the record. */
export function LinkButton({ title, onClick, children }: LinkButtonProps) {
  return (
    <button type="button" className={styles.link} title={title} onClick={onClick}>
      {children}
    </button>
  );
}
