import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './review.module.css';

interface NoticeProps {
  readonly title: string;
  readonly detail: string;
  readonly tone?: 'info';
  readonly children?: ReactNode;
}

/** Banner above a sheet with a message and actions. */
export function Banner({ title, detail, tone, children }: NoticeProps) {
  const Icon = tone === 'info' ? IconInfoCircle : IconAlertTriangle;
  return (
    <div className={styles.notice}>
      <div className={styles.warning} role="alert" data-tone={tone}>
        <Icon size={18} aria-hidden />
        <div>
          <strong>{title}</strong>
          <p>{detail}</p>
        </div>
        <div className={styles.actions}>{children}</div>
      </div>
    </div>
  );
}
