import { IconFileAlert } from '@tabler/icons-react';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { text } from '../../ui/text.ts';
import styles from './damage.module.css';
import { useDamage } from './use-damage.ts';

/** For the status bar: that records are damaged, and the way to them; nothing where none is. */
export function DamageNotice() {
  const { openView } = useWorkbenchActions();
  const count = useDamage().data?.records.length ?? 0;
  if (count === 0) return null;
  return (
    <button type="button" className={styles.notice} onClick={() => openView('damage')}>
      <IconFileAlert size={14} aria-hidden />
      {text.damage.count(count)}
    </button>
  );
}
