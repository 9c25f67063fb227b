import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { anchorAt, anchorsOf, byBlock } from '../../../core/fhir/reading/anchors.ts';
import type { ReadableRecord } from '../../../core/fhir/reading/reading.ts';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import type { ReadingSlotProps } from '../../platform/reading-slot.ts';
import { text as words } from '../../ui/text.ts';
import { RecordSkeleton } from '../../ui/record-skeleton.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { DocumentSections } from './document-sections.tsx';
import { emptySheet, NarrativeSheet, sandbox } from './narrative-sheet.ts';
import { LazyNarrative } from './narrative-slot.tsx';
import { NoteList } from './note-list.tsx';
import { Part, PlanParts } from './plan-parts.tsx';
import { printReading } from './print-reading.ts';
import { ReadingContext, type CardRequest } from './reading-context.ts';
import { ReadingHead } from './reading-head.tsx';
import styles from './reading.module.css';
import { ReferredCard } from './referred-card.tsx';
import { SectionList } from './section-list.tsx';
import { useCurrent } from './use-current.ts';
import { useReading } from './use-reading.ts';

/** Reading view of the open record. */
export function ReadingView({ modelPath, text, ...otherProps }: ReadingSlotProps) {
  const layout = useReading(modelPath, text);
  return (
    <section className={styles.region} aria-label={words.reading.name} aria-busy={!layout}>
      {!layout && <RecordSkeleton />}
      {layout?.jsonProblem && (
        <p className={styles.unread}>{words.reading.unread(layout.jsonProblem.line)}</p>
      )}
      {layout?.reading && (
        <ReadingPage key={modelPath} modelPath={modelPath} reading={layout.reading} {...otherProps} />
      )}
    </section>
  );
}

interface ReadingPageProps extends Omit<ReadingSlotProps, 'text'> {
  readonly reading: ReadableRecord;
}

function ReadingPage({ modelPath, reading, type, issues, cursor, prints, ...handlers }: ReadingPageProps) {
  const { onFollow, onGo, onReveal } = handlers;
  const [sheet, setSheet] = useState<NarrativeSheet>();
  const page = useRef<HTMLElement>(null);
  useEffect(() => () => sheet?.dispose(), [sheet]);
  const anchors = useMemo(() => anchorsOf(reading), [reading]);
  const issuesByBlock = useMemo(() => byBlock(anchors, issues), [anchors, issues]);
  const [card, setCard] = useState<CardRequest>();
  const [handledPrints, setHandledPrints] = useState(prints);
  const isPrinting = handledPrints !== prints;
  useEffect(() => {
    if (!isPrinting || !sheet || !page.current) return;
    printReading(page.current, reading.title, (slot) => sheet.narrativeAt(slot));
    setHandledPrints(prints);
  }, [isPrinting, prints, reading, sheet]);
  const onShowJson = useStable((pointer: string) => revealPointer(modelPath, pointer));
  const parts = useMemo(
    () => ({
      type,
      onFollow,
      onGo,
      onShowJson,
      onCard: setCard,
      sheet,
      issuesByBlock,
      isPrinting,
    }),
    [type, onFollow, onGo, onShowJson, sheet, issuesByBlock, isPrinting],
  );
  const [target, setTarget] = useCurrent(page, sheet, anchorAt(anchors, cursor));
  const scrollTo = useStable((pointer: string) => {
    setTarget(pointer);
    onReveal(pointer);
  });
  useClicks(page, onReveal);
  const { sections = [], sectionCount = 0 } = reading.document ?? {};
  return (
    <ReadingContext value={parts}>
      {sectionCount > 1 && <SectionList sections={sections} count={sectionCount} onWant={scrollTo} />}
      {/* Focusable, so that the keyboard can scroll the region. */}
      <section className={styles.scroller} data-scroller tabIndex={0} aria-label={words.reading.scroller}>
        <div className={styles.paper}>
          <SheetFrame onClick={onReveal} onSheet={setSheet} />
          <article ref={page} className={styles.page}>
            <Parts reading={reading} target={target} onWant={scrollTo} />
          </article>
        </div>
      </section>
      {card && <ReferredCard request={card} onFollow={onFollow} onClose={() => setCard(undefined)} />}
    </ReadingContext>
  );
}

interface PartsProps {
  readonly reading: ReadableRecord;
  /** JSON Pointer of the element to scroll to. */
  readonly target: string;
  readonly onWant: (pointer: string) => void;
}

/** Parts of a record. A document has its narrative below the header, any other record at its end. */
function Parts({ reading, target, onWant }: PartsProps) {
  const { document, plan, notes, narrative } = reading;
  const slot = narrative && <LazyNarrative narrative={narrative} name={words.reading.narrative} />;
  return (
    <>
      <ReadingHead reading={reading} />
      {plan && <PlanParts plan={plan} onWant={onWant} />}
      {document && slot}
      {document && <DocumentSections sections={document.sections} target={target} />}
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

/** The frame that shows the narratives. Created anew when the color scheme changes. */
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

/** Reveals the clicked element, unless the click selects text or hits a button. */
function useClicks(page: RefObject<HTMLElement | null>, onReveal: (pointer: string) => void): void {
  useEffect(() => {
    const { current } = page;
    const click = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('button') || !getSelection()?.isCollapsed) return;
      const clickedElement = target.closest<HTMLElement>('[data-pointer]');
      if (clickedElement) onReveal(clickedElement.dataset.pointer ?? '');
    };
    current?.addEventListener('click', click);
    return () => current?.removeEventListener('click', click);
  }, [page, onReveal]);
}
