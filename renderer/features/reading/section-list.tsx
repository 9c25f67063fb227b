import { memo } from 'react';
import type { SectionReading } from '../../../core/fhir/reading/document.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { nameOfSection } from './document-sections.tsx';
import { useReadingParts } from './reading-context.ts';
import styles from './reading.module.css';

interface SectionListProps {
  readonly sections: readonly SectionReading[];
  /** Total number of sections. */
  readonly count: number;
  readonly onWant: (pointer: string) => void;
}

/** Maximum number of listed sections. */
const maxListed = 200;

/** Sections by title with their entries. Empty sections are visible without scrolling. */
export const SectionList = memo(function SectionList({ sections, count, onWant }: SectionListProps) {
  const { issuesByBlock } = useReadingParts();
  return (
    <nav className={styles.list} aria-label={text.reading.sections}>
      <h3>{text.reading.sectionsOf(count)}</h3>
      <ul>
        {sections.slice(0, maxListed).map((section, index) => {
          const { depth, fill, entries, emptyReason, pointer } = section;
          const isIncomplete = fill === 'nothing' || fill === 'entries';
          return (
            <li key={pointer}>
              <button
                type="button"
                style={{ paddingInlineStart: 8 + Math.min(depth, 4) * 12 }}
                data-fill={fill}
                data-found={issuesByBlock.has(pointer)}
                onClick={() => onWant(pointer)}
              >
                <span className={styles.listName}>{nameOfSection(section, index)}</span>
                <span className={styles.listState} data-bad={isIncomplete}>
                  {isIncomplete
                    ? formatState(fill, emptyReason)
                    : entries.length > 0 && formatCount(entries.length)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {count > maxListed && <p>{text.reading.moreSections(count - maxListed)}</p>}
    </nav>
  );
});

function formatState(fill: 'nothing' | 'entries', emptyReason: string): string {
  return fill === 'nothing' ? emptyReason || text.reading.empty : text.reading.listNoText;
}
