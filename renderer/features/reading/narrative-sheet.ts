/**
 * The narratives of an open record (FHIR R4 narrative.html), which anyone may have written, in one frame without scripts
 * and forms, whose own policy loads nothing (decision 19). The page's layout says where each stands: the frame lies
 * beneath it, and only the narratives' heights come back. The frame has the page's origin, so that the page can measure
 * it and hear what is clicked; without scripts, nothing within can use it.
 */
import type { SafeNarrative } from '../../platform/safe-markup.ts';
import { narrativePaper } from '../../ui/narrative-paper.ts';
import { text } from '../../ui/text.ts';
import { tokens } from '../../ui/tokens.ts';

export type Scheme = 'light' | 'dark';

/** The frame's attribute: neither scripts nor forms, windows, downloads, nor the top of the page. */
export const sandbox = 'allow-same-origin';

/** The page of the frame, in which nothing stands yet. */
export function emptySheet(scheme: Scheme): string {
  const { text: ink, dim, border, accentText, accentSoft, warning } = tokens[scheme];
  return `<!doctype html><html lang="${document.documentElement.lang}"><meta charset="utf-8">
<title>${text.reading.narratives}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>
:root { color-scheme: ${scheme}; }
html, body { margin: 0; height: 100%; overflow: hidden; background: transparent; }
body { position: relative; color: ${ink}; font: 13px/1.55 system-ui, sans-serif; }
[data-narrative] { position: absolute; box-sizing: border-box; overflow: auto hidden; overflow-wrap: anywhere; contain: layout; border-radius: 4px; }
[data-current] { background: ${accentSoft}; }
[data-narrative] > :first-child > :first-child { margin-top: 0; }
[data-narrative] > :first-child > :last-child { margin-bottom: 0; }
table { border-collapse: collapse; margin: 4px 0; }
th, td { padding: 4px 8px; border: 1px solid ${border}; text-align: left; vertical-align: top; overflow-wrap: normal; }
th, thead td { color: ${dim}; font-weight: 600; }
caption { padding: 4px 0; color: ${dim}; text-align: left; }
h1, h2, h3, h4, h5, h6 { margin: 12px 0 4px; font-size: 13px; }
p, ul, ol, dl, pre { margin: 6px 0; }
pre { white-space: pre-wrap; }
img { max-width: 100%; }
a { color: ${accentText}; }
${narrativePaper(scheme)}
hr { border: 0; border-top: 1px solid ${border}; }
:focus-visible { outline: 2px solid ${warning}; }
</style><body></body></html>`;
}

/** A place in the page that a narrative fills. */
interface Slot {
  readonly element: HTMLElement;
  readonly narrative: SafeNarrative;
  readonly shown: HTMLElement;
}

export class NarrativeSheet {
  private readonly frame: HTMLIFrameElement;
  private readonly slots = new Set<Slot>();
  private readonly heights: ResizeObserver;
  private readonly layout: ResizeObserver;
  private placing: number | undefined;

  /** `frame` holds {@link emptySheet}; `onClick` hears the pointer of the narrative that is clicked. */
  constructor(frame: HTMLIFrameElement, onClick: (pointer: string) => void) {
    this.frame = frame;
    this.heights = new ResizeObserver((entries) => this.take(entries));
    this.layout = new ResizeObserver(() => this.place());
    if (frame.parentElement) this.layout.observe(frame.parentElement);
    frame.contentDocument?.addEventListener('click', ({ target }) => {
      const within = (target as Element | null)?.closest<HTMLElement>('[data-narrative]');
      if (within) onClick(within.dataset.narrative ?? '');
    });
  }

  /** Shows a narrative where `element` stands, which takes on its height; returns how to take it away. */
  show(element: HTMLElement, narrative: SafeNarrative, pointer: string, name: string): () => void {
    const document = this.frame.contentDocument;
    if (!document) return () => undefined;
    const shown = document.createElement('div');
    shown.dataset.narrative = pointer;
    shown.setAttribute('role', 'group');
    shown.setAttribute('aria-label', name);
    shown.tabIndex = -1;
    if (narrative.language !== undefined) shown.lang = narrative.language;
    shown.append(document.importNode(narrative.nodes, true));
    const slot = { element, narrative, shown };
    this.slots.add(slot);
    write(shown, this.frame.getBoundingClientRect(), element.getBoundingClientRect());
    document.body.append(shown);
    this.heights.observe(shown);
    element.dataset.filled = 'true';
    return () => {
      this.slots.delete(slot);
      this.heights.unobserve(shown);
      shown.remove();
    };
  }

  /** Returns what is shown where `element` stands; undefined where nothing is. */
  narrativeAt(element: HTMLElement): SafeNarrative | undefined {
    return [...this.slots].find((slot) => slot.element === element)?.narrative;
  }

  /** Marks the narrative at a pointer, and no other one. */
  mark(pointer: string | undefined): void {
    for (const { shown } of this.slots) {
      shown.toggleAttribute('data-current', shown.dataset.narrative === pointer);
    }
  }

  dispose(): void {
    this.heights.disconnect();
    this.layout.disconnect();
    if (this.placing !== undefined) cancelAnimationFrame(this.placing);
  }

  /** Puts every narrative where the page has room for it, once before the next frame. */
  place(): void {
    this.placing ??= requestAnimationFrame(() => {
      this.placing = undefined;
      const top = this.frame.getBoundingClientRect();
      // All is read before anything is written.
      const places = [...this.slots].map((slot) => [slot, slot.element.getBoundingClientRect()] as const);
      for (const [{ shown }, place] of places) write(shown, top, place);
    });
  }

  private take(entries: readonly ResizeObserverEntry[]): void {
    const heights = new Map(
      entries.map(({ target, borderBoxSize }) => [target, borderBoxSize[0]?.blockSize]),
    );
    for (const { element, shown } of this.slots) {
      const height = heights.get(shown);
      if (height !== undefined) element.style.height = `${Math.ceil(height)}px`;
    }
    this.place();
  }
}

function write({ style }: HTMLElement, top: DOMRect, place: DOMRect): void {
  style.top = `${place.top - top.top}px`;
  style.left = `${place.left - top.left}px`;
  style.width = `${place.width}px`;
}
