/**
 * Shows the narratives of an open record (FHIR R4 narrative.html), which anyone may have written, in one frame
 * without scripts and forms. The policy of the frame loads nothing (decision 19). The page layout determines the
 * positions: the frame lies beneath the page, and only the heights of the narratives come back. The frame has the
 * origin of the page, so that the page can measure it and receive clicks. Without scripts, no content of the frame
 * can use the origin.
 */
import type { SafeNarrative } from '../../platform/safe-markup.ts';
import { buildNarrativeStyles } from '../../ui/narrative-styles.ts';
import { text } from '../../ui/text.ts';
import { tokens } from '../../ui/tokens.ts';

export type Scheme = 'light' | 'dark';

/** Sandbox attribute of the frame: no scripts, forms, windows, downloads or top navigation. */
export const sandbox = 'allow-same-origin';

/** Returns the empty page of the frame. */
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
${buildNarrativeStyles(scheme)}
hr { border: 0; border-top: 1px solid ${border}; }
:focus-visible { outline: 2px solid ${warning}; }
</style><body></body></html>`;
}

/** An element of the page that a narrative fills. */
interface Slot {
  readonly element: HTMLElement;
  readonly narrative: SafeNarrative;
  readonly container: HTMLElement;
}

export class NarrativeSheet {
  private readonly frame: HTMLIFrameElement;
  private readonly slots = new Set<Slot>();
  private readonly heights: ResizeObserver;
  private readonly layout: ResizeObserver;
  private placing: number | undefined;

  /** `frame` contains {@link emptySheet}. `onClick` receives the pointer of a clicked narrative. */
  constructor(frame: HTMLIFrameElement, onClick: (pointer: string) => void) {
    this.frame = frame;
    this.heights = new ResizeObserver((entries) => this.take(entries));
    this.layout = new ResizeObserver(() => this.place());
    if (frame.parentElement) this.layout.observe(frame.parentElement);
    frame.contentDocument?.addEventListener('click', ({ target }) => {
      const clicked = (target as Element | null)?.closest<HTMLElement>('[data-narrative]');
      if (clicked) onClick(clicked.dataset.narrative ?? '');
    });
  }

  /** Shows a narrative over `element`, which takes on its height. Returns a function that removes it. */
  show(element: HTMLElement, narrative: SafeNarrative, pointer: string, name: string): () => void {
    const document = this.frame.contentDocument;
    if (!document) return () => undefined;
    const container = document.createElement('div');
    container.dataset.narrative = pointer;
    container.setAttribute('role', 'group');
    container.setAttribute('aria-label', name);
    container.tabIndex = -1;
    if (narrative.language !== undefined) container.lang = narrative.language;
    container.append(document.importNode(narrative.nodes, true));
    const slot = { element, narrative, container };
    this.slots.add(slot);
    placeNarrative(container, this.frame.getBoundingClientRect(), element.getBoundingClientRect());
    document.body.append(container);
    this.heights.observe(container);
    element.dataset.filled = 'true';
    return () => {
      this.slots.delete(slot);
      this.heights.unobserve(container);
      container.remove();
    };
  }

  /** Returns the narrative over `element`; undefined if there is none. */
  narrativeAt(element: HTMLElement): SafeNarrative | undefined {
    return [...this.slots].find((slot) => slot.element === element)?.narrative;
  }

  /** Highlights the narrative at a pointer, and no other. */
  mark(pointer: string | undefined): void {
    for (const { container } of this.slots) {
      container.toggleAttribute('data-current', container.dataset.narrative === pointer);
    }
  }

  dispose(): void {
    this.heights.disconnect();
    this.layout.disconnect();
    if (this.placing !== undefined) cancelAnimationFrame(this.placing);
  }

  /** Moves all narratives to their elements, once before the next frame. */
  place(): void {
    this.placing ??= requestAnimationFrame(() => {
      this.placing = undefined;
      const frameBox = this.frame.getBoundingClientRect();
      // Read all positions before writing, to avoid repeated layout.
      const boxes = [...this.slots].map((slot) => [slot, slot.element.getBoundingClientRect()] as const);
      for (const [{ container }, box] of boxes) placeNarrative(container, frameBox, box);
    });
  }

  private take(entries: readonly ResizeObserverEntry[]): void {
    const heights = new Map(
      entries.map(({ target, borderBoxSize }) => [target, borderBoxSize[0]?.blockSize]),
    );
    for (const { element, container } of this.slots) {
      const height = heights.get(container);
      if (height !== undefined) element.style.height = `${Math.ceil(height)}px`;
    }
    this.place();
  }
}

function placeNarrative({ style }: HTMLElement, frameBox: DOMRect, slotBox: DOMRect): void {
  style.top = `${slotBox.top - frameBox.top}px`;
  style.left = `${slotBox.left - frameBox.left}px`;
  style.width = `${slotBox.width}px`;
}
