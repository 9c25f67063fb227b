import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { anchorAt, anchorsOf, byBlock } from '../../../core/fhir/reading/anchors.ts';
import type { Reading } from '../../../core/fhir/reading/reading.ts';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import type { ReadingSlotProps } from '../../platform/reading-slot.ts';
import { text as words } from '../../ui/text.ts';
import { RecordSkeleton } from '../../ui/record-skeleton.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { DocumentSections } from './document-sections.tsx';
import { emptySheet, NarrativeSheet, sandbox } from './narrative-sheet.ts';
import { NarrativeSlot } from './narrative-slot.tsx';
import { NoteList } from './note-list.tsx';
import { Part, PlanParts } from './plan-parts.tsx';
import { printReading } from './print-reading.ts';
import { ReadingContext, type CardAsked } from './reading-context.ts';
import { ReadingHead } from './reading-head.tsx';
import styles from './reading.module.css';
import { ReferredCard } from './referred-card.tsx';
import { SectionList } from './section-list.tsx';
import { useCurrent } from './use-current.ts';
import { useReading } from './use-reading.ts';

/** The open record as a person reads it. */
export function ReadingView({ modelPath, text, ...rest }: ReadingSlotProps) {
  const laid = useReading(modelPath, text);
  return (
    <section className={styles.region} aria-label={words.reading.name} aria-busy={!laid}>
      {!laid && <RecordSkeleton />}
      {laid?.unread && <p className={styles.unread}>{words.reading.unread}</p>}
      {laid?.reading && (
        <ReadingPage key={modelPath} modelPath={modelPath} reading={laid.reading} {...rest} />
      )}
    </section>
  );
}

interface ReadingPageProps extends Omit<ReadingSlotProps, 'text'> {
  readonly reading: Reading;
}

function ReadingPage({ modelPath, reading, type, issues, cursor, prints, ...on }: ReadingPageProps) {
  const { onFollow, onGo, onReveal } = on;
  const [sheet, setSheet] = useState<NarrativeSheet>();
  const page = useRef<HTMLElement>(null);
  useEffect(() => () => sheet?.dispose(), [sheet]);
  const anchors = useMemo(() => anchorsOf(reading), [reading]);
  const found = useMemo(() => byBlock(anchors, issues), [anchors, issues]);
  const [card, setCard] = useState<CardAsked>();
  const [printed, setPrinted] = useState(prints);
  const printing = printed !== prints;
  useEffect(() => {
    if (!printing || !sheet || !page.current) return;
    printReading(page.current, reading.title, (slot) => sheet.narrativeAt(slot));
    setPrinted(prints);
  }, [printing, prints, reading, sheet]);
  const onShowJson = useStable((pointer: string) => revealPointer(modelPath, pointer));
  const parts = useMemo(
    () => ({ type, onFollow, onGo, onShowJson, onCard: setCard, sheet, found, printing }),
    [type, onFollow, onGo, onShowJson, sheet, found, printing],
  );
  const [wanted, setWanted] = useCurrent(page, sheet, anchorAt(anchors, cursor));
  const want = useStable((pointer: string) => {
    setWanted(pointer);
    onReveal(pointer);
  });
  useClicks(page, onReveal);
  const { sections = [], sectionCount = 0 } = reading.document ?? {};
  return (
    <ReadingContext value={parts}>
      {sectionCount > 1 && <SectionList sections={sections} count={sectionCount} onWant={want} />}
      {/* A scrolling region is reached by the keyboard. */}
      <div
        className={styles.scroller}
        data-scroller
        tabIndex={0}
        role="group"
        aria-label={words.reading.scroller}
      >
        <div className={styles.paper}>
          <SheetFrame onClick={onReveal} onSheet={setSheet} />
          <article ref={page} className={styles.page}>
            <Parts reading={reading} wanted={wanted} onWant={want} />
          </article>
        </div>
      </div>
      {card && <ReferredCard asked={card} onFollow={onFollow} onClose={() => setCard(undefined)} />}
    </ReadingContext>
  );
}

interface PartsProps {
  readonly reading: Reading;
  /** JSON Pointer of the element that is to be in sight. */
  readonly wanted: string;
  readonly onWant: (pointer: string) => void;
}

/** A document has its narrative at its head, any other record at its end. */
function Parts({ reading, wanted, onWant }: PartsProps) {
  const { document, plan, notes, narrative } = reading;
  const slot = narrative && <NarrativeSlot narrative={narrative} name={words.reading.narrative} />;
  return (
    <>
      <ReadingHead reading={reading} />
      {plan && <PlanParts plan={plan} onWant={onWant} />}
      {document && slot}
      {document && <DocumentSections sections={document.sections} wanted={wanted} />}
      {notes.length > 0 && (
        <Part title={words.reading.notes}>
          <NoteList notes={notes} />
        </Part>
      )}
      {slot && !document && <Part title={words.reading.narrative}>{slot}</Part>}
    </>
  );
}

interface SheetFrameProps {
  readonly onClick: (pointer: string) => void;
  readonly onSheet: (sheet: NarrativeSheet) => void;
}

/** The one frame in which the narratives stand; in other colours it is another. */
function SheetFrame({ onClick, onSheet }: SheetFrameProps) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const srcdoc = useMemo(() => emptySheet(scheme), [scheme]);
  return (
    <iframe
      key={scheme}
      className={styles.sheet}
      title={words.reading.narratives}
      sandbox={sandbox}
      srcDoc={srcdoc}
      onLoad={({ currentTarget }) => onSheet(new NarrativeSheet(currentTarget, onClick))}
    />
  );
}

/** Where nothing else is meant, a click leads to the element. */
function useClicks(page: RefObject<HTMLElement | null>, onReveal: (pointer: string) => void): void {
  useEffect(() => {
    const { current } = page;
    const click = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('button') || !getSelection()?.isCollapsed) return;
      const pointed = target.closest<HTMLElement>('[data-pointer]');
      if (pointed) onReveal(pointed.dataset.pointer ?? '');
    };
    current?.addEventListener('click', click);
    return () => current?.removeEventListener('click', click);
  }, [page, onReveal]);
}
