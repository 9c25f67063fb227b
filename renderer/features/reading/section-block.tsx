import { memo, useState } from 'react';
import type { CardReference } from '../../../core/fhir/card/parts.ts';
import type { ReadableSection } from '../../../core/fhir/reading/document.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { text } from '../../ui/text.ts';
import { FindingMarks } from './marks.tsx';
import { LazyNarrative } from './narrative-slot.tsx';
import { useReadingContext } from './reading-context.ts';
import styles from './reading.module.css';
import { References, ReferenceText } from './reference-text.tsx';

interface SectionBlockProps {
  readonly section: ReadableSection;
  readonly name: string;
}

/** A section with its narrative and entries, or the reason why it is empty. */
export const SectionBlock = memo(function SectionBlock({ section, name }: SectionBlockProps) {
  const { depth, content, narrative, entries, focus, authors, emptyReason, pointer } = section;
  const Heading = headings[Math.min(depth, headings.length - 1)] ?? 'h6';
  return (
    <section
      className={styles.section}
      style={{ marginInlineStart: Math.min(depth, maxIndentLevel) * indentPx }}
      data-pointer={pointer}
      data-content={content}
      aria-label={name}
    >
      <Heading className={styles.sectionTitle}>
        <FindingMarks pointer={pointer} />
        {name}
        <MissingContentChip content={content} />
      </Heading>
      {focus && (
        <div className={styles.aside}>
          <MessageNodes
            message={text.reading.focus}
            nodes={{ references: <ReferenceText reference={focus} /> }}
          />
        </div>
      )}
      {authors.length > 0 && (
        <div className={styles.aside}>
          <References references={authors} />
        </div>
      )}
      {narrative && <LazyNarrative narrative={narrative} name={text.reading.narrativeOf(name)} />}
      {(emptyReason !== '' || content === 'none') && (
        <p className={styles.reason} data-has-reason={emptyReason !== ''}>
          {emptyReason === '' ? text.reading.noReason : text.reading.emptyReason(emptyReason)}
        </p>
      )}
      {entries.length > 0 && <Entries entries={entries} />}
    </section>
  );
});

const headings = ['h3', 'h4', 'h5', 'h6'] as const;
/** Indent of nested sections in pixels, and the deepest indented level. */
const indentPx = 20;
const maxIndentLevel = 8;

/** Chip next to the title for missing content. */
function MissingContentChip({ content }: Pick<ReadableSection, 'content'>) {
  if (content !== 'none' && content !== 'entriesOnly') return null;
  const label = content === 'none' ? text.reading.empty : text.reading.noText;
  return (
    <>
      {' '}
      <span className={styles.chip}>{label}</span>
    </>
  );
}

/** Entries of a section before the user expands it. */
const maxCollapsedEntries = 8;

function Entries({ entries }: { readonly entries: readonly CardReference[] }) {
  const { isPrinting } = useReadingContext();
  const [isExpanded, setExpanded] = useState(false);
  const showsAll = isExpanded || isPrinting;
  const visibleReferences = showsAll ? entries : entries.slice(0, maxCollapsedEntries);
  return (
    <div className={styles.entries}>
      <span className={styles.count}>{text.reading.entries(entries.length)}</span>
      {visibleReferences.map((reference) => (
        <ReferenceText key={reference.pointer} reference={reference} />
      ))}
      {visibleReferences.length < entries.length && (
        <LinkButton onClick={() => setExpanded(true)}>{text.reading.allEntries(entries.length)}</LinkButton>
      )}
    </div>
  );
}
