import { ActionIcon, Tooltip } from '@mantine/core';
import { IconShieldCheck, IconShieldX, IconX } from '@tabler/icons-react';
import type { AuditVerdict } from '../../../core/app/audit.ts';
import { text } from '../../ui/text.ts';
import styles from './audit.module.css';

const words = text.audit.checked;

interface VerdictStripProps {
  readonly verdict: AuditVerdict;
  readonly onHide: () => void;
}

/** What the check of the trail found, until it is put away. */
export function VerdictStrip({ verdict: { entries, broken }, onHide }: VerdictStripProps) {
  const Icon = broken ? IconShieldX : IconShieldCheck;
  return (
    <div className={styles.verdict} role={broken ? 'alert' : 'note'} data-tone={broken ? 'danger' : 'good'}>
      <Icon size={16} aria-hidden />
      <p>
        <strong>{broken ? words.broken(broken.seq, entries) : words.whole(entries)}</strong>
        {broken && ` ${words.reason(broken.reason)} ${words.advice}`}
      </p>
      <Tooltip label={words.hide}>
        <ActionIcon aria-label={words.hide} onClick={onHide}>
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
