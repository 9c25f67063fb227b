import { IconFileAlert } from '@tabler/icons-react';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import styles from './damage.module.css';
import { useDamage } from './use-damage.ts';

/** Link in the status bar with the number of damaged records. Renders nothing without damage. */
export function DamageBanner() {
  const { openView } = useWorkbenchActions();
  const damagedVersions = useDamage().data?.records ?? [];
  if (damagedVersions.length === 0) return null;
  const records = damagedVersions.filter(({ current }) => current).length;
  return (
    <button type="button" className={styles.notice} onClick={() => openView('damage')}>
      <IconFileAlert size={14} aria-hidden />
      {text.damage.count(records, damagedVersions.length - records)}
    </button>
  );
}

/** Number of damaged texts for the left panel. Renders nothing for zero. */
export function DamageCount() {
  const count = useDamage().data?.records.length ?? 0;
  return count === 0 ? null : formatCount(count);
}
