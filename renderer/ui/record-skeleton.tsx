import { text } from './text.ts';
import styles from './ui.module.css';

const widths = [4, 22, 34, 12, 18, 30, 26, 8, 20, 44, 38, 16, 28, 12];

/** Placeholder of a record: lines in place of the text. */
export function RecordSkeleton() {
  return (
    <div className={styles.skeleton} role="img" aria-label={text.record.loading} aria-busy="true">
      {widths.map((width, index) => (
        <i key={index} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
