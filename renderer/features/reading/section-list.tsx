import { memo } from 'react';
import type { ReadableSection } from '../../../core/fhir/reading/document.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { nameOfSection } from './document-sections.tsx';
import { useReadingContext } from './reading-context.ts';
import styles from './reading.module.css';

interface SectionListProps {
  readonly sections: readonly ReadableSection[];
  /** Total number of sections. */
  readonly count: number;
  readonly onWant: (pointer: string) => void;
}

/** Maximum number of listed sections. */
const maxListed = 200;

/** Sections by title with their entries. Empty sections are visible without scrolling. */
export const SectionList = memo(function SectionList({ sections, count, onWant }: SectionListProps) {
  const { issuesByBlock } = useReadingContext();
  return (
    <nav className={styles.list} aria-label={text.reading.sections}>
      <h3>{text.reading.sectionsOf(count)}</h3>
      <ul>
        {sections.slice(0, maxListed).map((section, index) => {
          const { depth, content, entries, emptyReason, pointer } = section;
          const isIncomplete = content === 'none' || content === 'entriesOnly';
          return (
            <li key={pointer}>
              <button
                type="button"
                style={{ paddingInlineStart: 8 + Math.min(depth, 4) * 12 }}
                data-content={content}
                data-found={issuesByBlock.has(pointer)}
                onClick={() => onWant(pointer)}
              >
                <span className={styles.listName}>{nameOfSection(section, index)}</span>
                <span className={styles.listState} data-bad={isIncomplete}>
                  {isIncomplete
                    ? formatState(content, emptyReason)
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

function formatState(content: 'none' | 'entriesOnly', emptyReason: string): string {
  return content === 'none' ? emptyReason || text.reading.empty : text.reading.listNoText;
}
