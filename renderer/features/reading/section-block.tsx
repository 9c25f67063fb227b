import { memo, useState } from 'react';
import type { CardReference } from '../../../core/fhir/card/parts.ts';
import type { SectionReading } from '../../../core/fhir/reading/document.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { text } from '../../ui/text.ts';
import { Marks } from './marks.tsx';
import { NarrativeSlot } from './narrative-slot.tsx';
import { useReadingParts } from './reading-context.ts';
import styles from './reading.module.css';
import { References, ReferenceText } from './reference-text.tsx';

interface SectionBlockProps {
  readonly section: SectionReading;
  readonly name: string;
}

/** One section: its text in full, what it refers to, or why it is empty. */
export const SectionBlock = memo(function SectionBlock({ section, name }: SectionBlockProps) {
  const { depth, fill, narrative, entries, focus, authors, emptyReason, pointer } = section;
  const Heading = headings[Math.min(depth, headings.length - 1)] ?? 'h6';
  return (
    <section
      className={styles.section}
      style={{ marginInlineStart: Math.min(depth, deepest) * step }}
      data-pointer={pointer}
      data-fill={fill}
      aria-label={name}
    >
      <Heading className={styles.sectionTitle}>
        <Marks pointer={pointer} />
        {name} <State fill={fill} />
      </Heading>
      {focus && (
        <div className={styles.aside}>
          {text.reading.focus} <ReferenceText reference={focus} />
        </div>
      )}
      {authors.length > 0 && (
        <div className={styles.aside}>
          <References list={authors} />
        </div>
      )}
      {narrative && <NarrativeSlot narrative={narrative} name={text.reading.narrativeOf(name)} />}
      {(emptyReason !== '' || fill === 'nothing') && (
        <p className={styles.reason} data-given={emptyReason !== ''}>
          {emptyReason === '' ? text.reading.noReason : `${text.reading.emptyReason} ${emptyReason}`}
        </p>
      )}
      {entries.length > 0 && <Entries list={entries} />}
    </section>
  );
});

const headings = ['h3', 'h4', 'h5', 'h6'] as const;
/** How far nested sections stand in, in pixels, and down to which level. */
const step = 20;
const deepest = 8;

/** What a reader would miss, said beside the title. */
function State({ fill }: { readonly fill: SectionReading['fill'] }) {
  if (fill === 'nothing') return <span className={styles.chip}>{text.reading.empty}</span>;
  if (fill === 'entries') return <span className={styles.chip}>{text.reading.noText}</span>;
  return null;
}

const first = 8;

function Entries({ list }: { readonly list: readonly CardReference[] }) {
  const { printing } = useReadingParts();
  const [unfolded, setAll] = useState(false);
  const all = unfolded || printing;
  const shown = all ? list : list.slice(0, first);
  return (
    <div className={styles.entries}>
      <span className={styles.count}>{text.reading.entries(list.length)}</span>
      {shown.map((one) => (
        <ReferenceText key={one.pointer} reference={one} />
      ))}
      {shown.length < list.length && (
        <LinkButton onClick={() => setAll(true)}>{text.reading.allEntries(list.length)}</LinkButton>
      )}
    </div>
  );
}
