import { IconFileAlert } from '@tabler/icons-react';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import styles from './damage.module.css';
import { useDamage } from './use-damage.ts';

/** For the status bar: what is damaged, and the way to it; nothing where nothing is. */
export function DamageNotice() {
  const { openView } = useWorkbenchActions();
  const damaged = useDamage().data?.records ?? [];
  if (damaged.length === 0) return null;
  const records = damaged.filter(({ current }) => current).length;
  return (
    <button type="button" className={styles.notice} onClick={() => openView('damage')}>
      <IconFileAlert size={14} aria-hidden />
      {text.damage.count(records, damaged.length - records)}
    </button>
  );
}

/** The number of damaged texts, for the left list; nothing where there is none. */
export function DamageCount() {
  const count = useDamage().data?.records.length ?? 0;
  return count === 0 ? null : formatCount(count);
}
