import type { Change } from '../../../core/json/diff.ts';
import { countOf } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import styles from './record.module.css';

const shownLength = 240;

/** The changed paths, each with its old and its new value. */
export function ChangeList({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <section className={styles.changes} aria-label={text.review.changes}>
      <h2>{countOf(changes.length, 'changed path')}</h2>
      <ol tabIndex={0} aria-label={text.review.changes}>
        {changes.map(({ pointer, before, after }) => (
          <li key={pointer}>
            <span className={styles.pointer}>{pointer === '' ? '/' : pointer}</span>
            {before !== undefined && <del title={text.review.before}>{clip(before)}</del>}
            {after !== undefined && <ins title={text.review.after}>{clip(after)}</ins>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function clip(value: string): string {
  return value.length > shownLength ? `${value.slice(0, shownLength)}…` : value;
}
