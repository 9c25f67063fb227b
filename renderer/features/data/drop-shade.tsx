import { IconFileImport } from '@tabler/icons-react';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import { useDataFrame } from './use-data-frame.ts';

/** Takes files that are dropped anywhere on the window; while they hang over it, says what a drop does. */
export function DropShade() {
  const over = useDataFrame();
  if (!over) return null;
  return (
    <div className={styles.shade} aria-hidden>
      <p>
        <IconFileImport size={16} /> {text.data.import.drop}
      </p>
    </div>
  );
}
