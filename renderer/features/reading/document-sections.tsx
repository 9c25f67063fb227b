import { memo, useEffect, useRef, useState } from 'react';
import type { SectionReading } from '../../../core/fhir/reading/document.ts';
import { text } from '../../ui/text.ts';
import styles from './reading.module.css';
import { SectionBlock } from './section-block.tsx';

interface DocumentSectionsProps {
  readonly sections: readonly SectionReading[];
  /** The section that is wanted in sight, if any. */
  readonly wanted: string | undefined;
}

/** Sections that are drawn together. */
const size = 25;
/** A document of as many is drawn whole, so that the browser finds and prints all of it. */
const whole = 200;
/** Pixels that a section takes until it was drawn. */
const guess = 96;

/** The sections of a document; of a huge one those near what is in sight. */
export const DocumentSections = memo(function DocumentSections({ sections, wanted }: DocumentSectionsProps) {
  if (sections.length === 0) return <p className={styles.none}>{text.reading.noSections}</p>;
  const chunks = Array.from({ length: Math.ceil(sections.length / size) }, (_, at) => at * size);
  return chunks.map((from) => {
    const part = sections.slice(from, from + size);
    const kept = from < whole || part.some(({ pointer }) => pointer === wanted);
    return <Chunk key={from} {...{ part, from, kept }} />;
  });
});

/** What a section is called, also where the record does not say. */
export function nameOfSection({ title }: SectionReading, at: number): string {
  return title || text.reading.section(at + 1);
}

interface ChunkProps {
  readonly part: readonly SectionReading[];
  readonly from: number;
  /** Whether it is drawn wherever it is. */
  readonly kept: boolean;
}

function Chunk({ part, from, kept }: ChunkProps) {
  const element = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const [height, setHeight] = useState(part.length * guess);
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
