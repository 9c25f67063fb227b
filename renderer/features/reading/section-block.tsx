import { memo, useState } from 'react';
import type { CardReference } from '../../../core/fhir/card/parts.ts';
import type { SectionReading } from '../../../core/fhir/reading/document.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { text } from '../../ui/text.ts';
import { Marks } from './marks.tsx';
import { LazyNarrative } from './narrative-slot.tsx';
import { useReadingParts } from './reading-context.ts';
import styles from './reading.module.css';
import { References, ReferenceText } from './reference-text.tsx';

interface SectionBlockProps {
  readonly section: SectionReading;
  readonly name: string;
}

/** One section: full text, entries, or the reason why it is empty. */
export const SectionBlock = memo(function SectionBlock({ section, name }: SectionBlockProps) {
  const { depth, fill, narrative, entries, focus, authors, emptyReason, pointer } = section;
  const Heading = headings[Math.min(depth, headings.length - 1)] ?? 'h6';
  return (
    <section
      className={styles.section}
      style={{ marginInlineStart: Math.min(depth, maxIndentLevel) * indentPx }}
      data-pointer={pointer}
      data-fill={fill}
      aria-label={name}
    >
      <Heading className={styles.sectionTitle}>
        <Marks pointer={pointer} />
        {name}
        <State fill={fill} />
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
          <References list={authors} />
        </div>
      )}
      {narrative && <LazyNarrative narrative={narrative} name={text.reading.narrativeOf(name)} />}
      {(emptyReason !== '' || fill === 'nothing') && (
        <p className={styles.reason} data-given={emptyReason !== ''}>
          {emptyReason === '' ? text.reading.noReason : text.reading.emptyReason(emptyReason)}
        </p>
      )}
      {entries.length > 0 && <Entries list={entries} />}
    </section>
  );
});

const headings = ['h3', 'h4', 'h5', 'h6'] as const;
/** Indent of nested sections in pixels, and the deepest indented level. */
const indentPx = 20;
const maxIndentLevel = 8;

/** Chip next to the title for missing content. */
function State({ fill }: { readonly fill: SectionReading['fill'] }) {
  if (fill !== 'nothing' && fill !== 'entries') return null;
  const label = fill === 'nothing' ? text.reading.empty : text.reading.noText;
  return (
    <>
      {' '}
      <span className={styles.chip}>{label}</span>
    </>
  );
}

const maxFolded = 8;

function Entries({ list }: { readonly list: readonly CardReference[] }) {
  const { printing } = useReadingParts();
  const [isUnfolded, setUnfolded] = useState(false);
  const showsAll = isUnfolded || printing;
  const visibleReferences = showsAll ? list : list.slice(0, maxFolded);
  return (
    <div className={styles.entries}>
      <span className={styles.count}>{text.reading.entries(list.length)}</span>
      {visibleReferences.map((reference) => (
        <ReferenceText key={reference.pointer} reference={reference} />
      ))}
      {visibleReferences.length < list.length && (
        <LinkButton onClick={() => setUnfolded(true)}>{text.reading.allEntries(list.length)}</LinkButton>
      )}
    </div>
  );
}
