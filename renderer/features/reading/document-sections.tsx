import { memo, useEffect, useRef, useState } from 'react';
import type { ReadableSection } from '../../../core/fhir/reading/document.ts';
import { text } from '../../ui/text.ts';
import { useReadingContext } from './reading-context.ts';
import styles from './reading.module.css';
import type { CardReference } from '../../../core/fhir/card/parts.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { FindingMarks } from './marks.tsx';
import { LazyNarrative } from './narrative-slot.tsx';
import { References, ReferenceText } from './reference-text.tsx';

interface SectionBlockProps {
  readonly section: ReadableSection;
  readonly name: string;
}

/** A section with its narrative and entries, or the reason why it is empty. */
const SectionBlock = memo(function SectionBlock({ section, name }: SectionBlockProps) {
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

interface DocumentSectionsProps {
  readonly sections: readonly ReadableSection[];
  /** Pointer of the section to scroll to, if any. */
  readonly target: string | undefined;
}

/** Limits of a chunk, with at least one section: about as much as fits into two screens. */
const chunkLimits = { sections: 50, characters: 60_000 } as const;
/** Documents up to this size are rendered whole, so that the browser can search and print all of them. */
const fullRenderLimits = { sections: 200, characters: 300_000 } as const;
/** Estimated height of a section in pixels before rendering: a base, and an amount per character. */
const heightEstimate = { section: 96, character: 0.15 } as const;

/** Sections of a document. A huge document renders only the sections near the viewport. */
export const DocumentSections = memo(function DocumentSections({ sections, target }: DocumentSectionsProps) {
  const { isPrinting } = useReadingContext();
  if (sections.length === 0) return <p className={styles.none}>{text.reading.noSections}</p>;
  const alwaysRenderedCount = countAlwaysRendered(sections);
  return chunksOf(sections).map(({ part, from }) => {
    const isAlwaysRendered =
      isPrinting ||
      from + part.length <= alwaysRenderedCount ||
      part.some(({ pointer }) => pointer === target);
    return <Chunk key={from} part={part} from={from} isAlwaysRendered={isAlwaysRendered} />;
  });
});

interface SectionChunk {
  readonly part: readonly ReadableSection[];
  readonly from: number;
}

/** Splits sections into chunks by number and text length. */
function chunksOf(sections: readonly ReadableSection[]): SectionChunk[] {
  const starts: number[] = [];
  let remaining = { sections: 0, characters: 0 };
  sections.forEach((section, index) => {
    const characters = charactersOf(section);
    if (remaining.sections === 0 || remaining.characters < characters) {
      starts.push(index);
      remaining = chunkLimits;
    }
    remaining = { sections: remaining.sections - 1, characters: remaining.characters - characters };
  });
  return starts.map((from, chunkIndex) => ({ part: sections.slice(from, starts[chunkIndex + 1]), from }));
}

function charactersOf({ narrative }: ReadableSection): number {
  return narrative?.xhtml.length ?? 0;
}

/** Returns the estimated height in pixels. */
function heightOf(part: readonly ReadableSection[]): number {
  return part.reduce(
    (sum, section) => sum + heightEstimate.section + charactersOf(section) * heightEstimate.character,
    0,
  );
}

/** Returns the number of leading sections that are rendered regardless of the scroll position. */
function countAlwaysRendered(sections: readonly ReadableSection[]): number {
  let characters = 0;
  const firstExcluded = sections.findIndex((section) => {
    characters += charactersOf(section);
    return characters > fullRenderLimits.characters;
  });
  return Math.min(fullRenderLimits.sections, firstExcluded < 0 ? sections.length : firstExcluded);
}

/** Returns the name of a section, or its number if the record has no title. */
export function nameOfSection({ title }: ReadableSection, index: number): string {
  return title || text.reading.section(index + 1);
}

interface ChunkProps extends SectionChunk {
  /** True if the chunk is rendered regardless of the scroll position. */
  readonly isAlwaysRendered: boolean;
}

function Chunk({ part, from, isAlwaysRendered }: ChunkProps) {
  const element = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  const [height, setHeight] = useState(() => heightOf(part));
  useEffect(() => {
    const { current } = element;
    if (!current || isAlwaysRendered) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        // A busy browser reports several changes in one call. The last entry is the current state.
        const entry = entries.at(-1);
        if (!entry) return;
        setIsNear(entry.isIntersecting);
        // A chunk keeps its measured height after it scrolls away.
        if (!entry.isIntersecting && current.childElementCount > 0)
          setHeight(entry.boundingClientRect.height);
      },
      { root: current.closest('[data-scroller]'), rootMargin: '1200px' },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isAlwaysRendered]);
  if (!isAlwaysRendered && !isNear) return <div ref={element} style={{ height }} />;
  return (
    <div ref={element} className={styles.chunk}>
      {part.map((section, index) => (
        <SectionBlock key={section.pointer} section={section} name={nameOfSection(section, from + index)} />
      ))}
    </div>
  );
}
