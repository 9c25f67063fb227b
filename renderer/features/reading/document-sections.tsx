import { memo, useEffect, useRef, useState } from 'react';
import type { SectionReading } from '../../../core/fhir/reading/document.ts';
import { text } from '../../ui/text.ts';
import { useReadingParts } from './reading-context.ts';
import styles from './reading.module.css';
import { SectionBlock } from './section-block.tsx';

interface DocumentSectionsProps {
  readonly sections: readonly SectionReading[];
  /** The section that is wanted in sight, if any. */
  readonly wanted: string | undefined;
}

/** What is drawn together at most, at least one section: about as much as fits into two frames. */
const together = { sections: 50, characters: 60_000 } as const;
/** A document of as many sections, and as much text, is drawn whole, so that the browser finds and prints all of it. */
const whole = { sections: 200, characters: 300_000 } as const;
/** Pixels that a section takes until it was drawn: by itself, and for each character of its text. */
const guess = { section: 96, character: 0.15 } as const;

/** The sections of a document; of a huge one those near what is in sight. */
export const DocumentSections = memo(function DocumentSections({ sections, wanted }: DocumentSectionsProps) {
  const { printing } = useReadingParts();
  if (sections.length === 0) return <p className={styles.none}>{text.reading.noSections}</p>;
  const light = wholeUpTo(sections);
  return chunksOf(sections).map(({ part, from }) => {
    const kept = printing || from + part.length <= light || part.some(({ pointer }) => pointer === wanted);
    return <Chunk key={from} {...{ part, from, kept }} />;
  });
});

interface Cut {
  readonly part: readonly SectionReading[];
  readonly from: number;
}

/** Sections that are drawn together, by their number and by their text. */
function chunksOf(sections: readonly SectionReading[]): Cut[] {
  const starts: number[] = [];
  let room = { sections: 0, characters: 0 };
  sections.forEach((section, at) => {
    const characters = charactersOf(section);
    if (room.sections === 0 || room.characters < characters) {
      starts.push(at);
      room = together;
    }
    room = { sections: room.sections - 1, characters: room.characters - characters };
  });
  return starts.map((from, at) => ({ part: sections.slice(from, starts[at + 1]), from }));
}

function charactersOf({ narrative }: SectionReading): number {
  return narrative?.xhtml.length ?? 0;
}

/** Pixels. */
function heightOf(part: readonly SectionReading[]): number {
  return part.reduce((sum, one) => sum + guess.section + charactersOf(one) * guess.character, 0);
}

/** How many of the first sections are drawn wherever they are. */
function wholeUpTo(sections: readonly SectionReading[]): number {
  let characters = 0;
  const heavy = sections.findIndex((section) => {
    characters += charactersOf(section);
    return characters > whole.characters;
  });
  return Math.min(whole.sections, heavy < 0 ? sections.length : heavy);
}

/** What a section is called, also where the record does not say. */
export function nameOfSection({ title }: SectionReading, at: number): string {
  return title || text.reading.section(at + 1);
}

interface ChunkProps extends Cut {
  /** Whether it is drawn wherever it is. */
  readonly kept: boolean;
}

function Chunk({ part, from, kept }: ChunkProps) {
  const element = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const [height, setHeight] = useState(() => heightOf(part));
  useEffect(() => {
    const { current } = element;
    if (!current || kept) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        setNear(entry.isIntersecting);
        // What was drawn keeps its place when it goes.
        if (!entry.isIntersecting && current.childElementCount > 0)
          setHeight(entry.boundingClientRect.height);
      },
      { root: current.closest('[data-scroller]'), rootMargin: '1200px' },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [kept]);
  if (!kept && !near) return <div ref={element} style={{ height }} />;
  return (
    <div ref={element} className={styles.chunk}>
      {part.map((section, at) => (
        <SectionBlock key={section.pointer} section={section} name={nameOfSection(section, from + at)} />
      ))}
    </div>
  );
}
