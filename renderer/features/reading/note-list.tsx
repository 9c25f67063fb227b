import type { Note } from '../../../core/fhir/reading/notes.ts';
import { useDates } from '../../ui/date-language.ts';
import { exactDays, writtenDays } from '../../ui/time.ts';
import { Marks } from './marks.tsx';
import styles from './reading.module.css';

/** What somebody wrote beside the record, with who and when. */
export function NoteList({ notes }: { readonly notes: readonly Note[] }) {
  useDates();
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {notes.map(({ text: words, author, time, pointer }) => (
        <li key={pointer} data-pointer={pointer}>
          <Marks pointer={pointer} />
          {words}
          <span className={styles.aside} title={exactDays(time)}>
            {[author, writtenDays(time)].filter(Boolean).join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );
}
