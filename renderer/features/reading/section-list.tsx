import { memo } from 'react';
import type { SectionReading } from '../../../core/fhir/reading/document.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { nameOfSection } from './document-sections.tsx';
import { useReadingParts } from './reading-context.ts';
import styles from './reading.module.css';

interface SectionListProps {
  readonly sections: readonly SectionReading[];
  /** How many there are in all. */
  readonly count: number;
  readonly onWant: (pointer: string) => void;
}

/** More than a person looks through. */
const most = 200;

/** The sections by their titles, with what each holds: an empty one is seen without scrolling. */
export const SectionList = memo(function SectionList({ sections, count, onWant }: SectionListProps) {
  const { found } = useReadingParts();
  return (
    <nav className={styles.list} aria-label={text.reading.sections}>
      <h3>{text.reading.sectionsOf(count)}</h3>
      <ul>
        {sections.slice(0, most).map((section, at) => {
          const { depth, fill, entries, emptyReason, pointer } = section;
          const bad = fill === 'nothing' || fill === 'entries';
          return (
            <li key={pointer}>
              <button
                type="button"
                style={{ paddingInlineStart: 8 + Math.min(depth, 4) * 12 }}
                data-fill={fill}
                data-found={found.has(pointer)}
                onClick={() => onWant(pointer)}
              >
                <span className={styles.listName}>{nameOfSection(section, at)}</span>
                <span className={styles.listState} data-bad={bad}>
                  {bad ? stateOf(fill, emptyReason) : entries.length > 0 && formatCount(entries.length)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {count > most && <p>{text.reading.moreSections(count - most)}</p>}
    </nav>
  );
});

function stateOf(fill: 'nothing' | 'entries', emptyReason: string): string {
  return fill === 'nothing' ? emptyReason || text.reading.empty : text.reading.listNoText;
}
