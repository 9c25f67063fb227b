import type { Note } from '../../../core/fhir/reading/notes.ts';
import { LiteralName } from '../../platform/literal-name.tsx';
import { useDates } from '../../ui/date-language.ts';
import { exactDays, formatDays } from '../../ui/time.ts';
import { FindingMarks } from './marks.tsx';
import styles from './reading.module.css';

/** Notes of the record, with author and time. */
export function NoteList({ notes }: { readonly notes: readonly Note[] }) {
  useDates();
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {notes.map(({ text: words, author, time, pointer }) => (
        <li key={pointer} data-pointer={pointer}>
          <FindingMarks pointer={pointer} />
          {words}
          <span className={styles.aside} title={exactDays(time)}>
            <LiteralName words={author} />
            {author !== '' && time !== '' && ', '}
            {formatDays(time)}
          </span>
        </li>
      ))}
    </ul>
  );
}
