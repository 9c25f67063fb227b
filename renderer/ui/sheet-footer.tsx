import type { ReactNode } from 'react';
import styles from './sheet.module.css';

interface SheetFootProps {
  /** Replaces the default style. */
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Last line of a sheet with its buttons. It is not a landmark, because the frame has the only footer. */
export function SheetFooter({ className = styles.foot, children }: SheetFootProps) {
  return (
    <footer role="presentation" className={className}>
      {children}
    </footer>
  );
}
