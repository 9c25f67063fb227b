import type { ReactNode } from 'react';
import styles from './sheet.module.css';

interface SheetFootProps {
  /** In the place of the usual looks. */
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The last line of a sheet, with its buttons. No landmark: a sheet stands in none, and the frame has the one foot. */
export function SheetFoot({ className = styles.foot, children }: SheetFootProps) {
  return (
    <footer role="presentation" className={className}>
      {children}
    </footer>
  );
}
