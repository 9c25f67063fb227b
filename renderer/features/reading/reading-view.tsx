import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, useLayoutEffect, type RefObject } from 'react';
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
import { ReadingContext, type CardRequest } from './reading-context.ts';
import { ReadingHead } from './reading-head.tsx';
import styles from './reading.module.css';
import { ReferredCard } from './referred-card.tsx';
import { SectionList } from './section-list.tsx';
import { copyInto, printPage } from '../../platform/print-page.ts';
import type { SafeNarrative } from '../../platform/safe-markup.ts';
import { replaceEqualDeep } from '@tanstack/react-query';
import { requestReading } from '../../platform/reading.ts';
import { localDay } from '../../ui/time.ts';

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

// Prints the reading view. Omits elements that only work on screen, and prints every section whole.

/** Elements to omit: drawings with a table next to them, buttons without content, and markers in the margin. */
const omittedElements = 'svg, [data-acts], [role="group"] button, .mantine-ActionIcon-root';

/** Prints an article of the reading view. `narrativeOf` returns the narrative of a slot. */
function printReading(
  article: HTMLElement,
  title: string,
  narrativeOf: (slot: HTMLElement) => SafeNarrative | undefined,
): void {
  const copy = article.cloneNode(true) as HTMLElement;
  const narratives = [...article.querySelectorAll<HTMLElement>('[data-narrative-slot]')].map(narrativeOf);
  printPage(title, (page) => fill(page, copy, narratives));
}

function fill(page: Document, copy: HTMLElement, narratives: readonly (SafeNarrative | undefined)[]): void {
  const article = copyInto(page, copy, omittedElements);
  // A link is printed as text.
  for (const button of article.querySelectorAll('button')) {
    const content = page.createElement('span');
    content.append(...button.childNodes);
    button.replaceWith(content);
  }
  const slots = article.querySelectorAll('[data-narrative-slot]');
  for (const [index, slot] of slots.entries()) {
    const narrative = narratives[index];
    if (narrative) slot.append(page.importNode(narrative.nodes, true));
  }
}

/**
 * Highlights an element and scrolls to it. The element is at the cursor of the editor, or was set by `want` since.
 *
 * @returns The pointer of the element and a function that sets another.
 */
function useCurrent(
  page: RefObject<HTMLElement | null>,
  sheet: NarrativeSheet | undefined,
  cursor: string,
): readonly [target: string, setTarget: (pointer: string) => void] {
  const [state, setState] = useState({ cursor, target: cursor, times: 0 });
  if (state.cursor !== cursor) setState({ cursor, target: cursor, times: state.times + 1 });
  const { target, times } = state;
  useLayoutEffect(() => {
    sheet?.mark(target);
    const element = target === '' ? null : elementAt(page.current, target);
    element?.setAttribute('data-current', '');
    return () => element?.removeAttribute('data-current');
  }, [page, sheet, target]);
  useEffect(() => {
    if (target !== '') elementAt(page.current, target)?.scrollIntoView({ block: 'nearest' });
  }, [page, target, times]);
  return [
    target,
    (pointer) => setState((previous) => ({ ...previous, target: pointer, times: previous.times + 1 })),
  ];
}

function elementAt(page: HTMLElement | null, pointer: string): Element | null {
  return page?.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`) ?? null;
}

/** Delay in milliseconds after the last keystroke, long enough not to disturb a fast typist. */
const debounceMs = 150;
/** Length above which preparing a text takes longer than loading the editor. Such a text is requested at once. */
const longTextLength = 500_000;

/** A record prepared for reading. `reading` shows the last text that was valid JSON. */
interface ReadingState {
  readonly recordPath: string;
  readonly reading: ReadableRecord | undefined;
  /** Present if the current text is not a JSON object, with the line of its first error if it is not JSON. */
  readonly jsonProblem: { readonly line: number | undefined } | undefined;
}

/**
 * Returns the reading of the active record; undefined until the first one is ready. Does nothing if `text` is
 * undefined.
 */
function useReading(modelPath: string, text: string | undefined): ReadingState | undefined {
  const [state, setState] = useState<ReadingState>();
  const currentState = state?.recordPath === modelPath ? state : undefined;
  const isOpening = currentState === undefined;
  // Requests a long text without delay: a worker prepares it while the editor loads on the main thread.
  useLayoutEffect(() => {
    if (text === undefined) return undefined;
    let cancel: (() => void) | undefined;
    const request = () => {
      cancel = requestReading({ text, today: localDay() }, ({ reading, line }) =>
        setState((previous) => {
          const lastReading = previous?.recordPath === modelPath ? previous.reading : undefined;
          // Equal parts keep their identity and are not rendered again.
          return {
            recordPath: modelPath,
            reading: reading ? replaceEqualDeep(lastReading, reading) : lastReading,
            jsonProblem: reading ? undefined : { line },
          };
        }),
      );
    };
    const isUrgent = isOpening && text.length > longTextLength;
    if (isUrgent) request();
    const timer = isUrgent ? undefined : setTimeout(request, isOpening ? 0 : debounceMs);
    return () => {
      clearTimeout(timer);
      cancel?.();
    };
  }, [modelPath, text, isOpening]);
  return currentState;
}
