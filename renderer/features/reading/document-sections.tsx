import { memo, useEffect, useRef, useState } from 'react';
import type { ReadableSection } from '../../../core/fhir/reading/document.ts';
import { text } from '../../ui/text.ts';
import { useReadingContext } from './reading-context.ts';
import styles from './reading.module.css';
import { SectionBlock } from './section-block.tsx';

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
