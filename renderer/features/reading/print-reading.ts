/** The reading view on paper. What is drawn for the eye alone is left out, every section is whole. */
import { copyInto, printPage } from '../../platform/print-page.ts';
import type { SafeNarrative } from '../../platform/safe-markup.ts';

/** What paper has no use for: drawings with a table beside them, buttons that only act, marks in the margin. */
const left = 'svg, [data-acts], [role="group"] button, .mantine-ActionIcon-root';

/** Prints an article of the reading view; `narrativeOf` is what stands in a place of a narrative. */
export function printReading(
  article: HTMLElement,
  title: string,
  narrativeOf: (slot: HTMLElement) => SafeNarrative | undefined,
): void {
  const copy = article.cloneNode(true) as HTMLElement;
  const narratives = [...article.querySelectorAll<HTMLElement>('[data-narrative-slot]')].map(narrativeOf);
  printPage(title, (page) => fill(page, copy, narratives));
}

function fill(page: Document, copy: HTMLElement, narratives: readonly (SafeNarrative | undefined)[]): void {
  const article = copyInto(page, copy, left);
  // A link on paper is its words.
  for (const one of article.querySelectorAll('button')) {
    const words = page.createElement('span');
    words.append(...one.childNodes);
    one.replaceWith(words);
  }
  const places = article.querySelectorAll('[data-narrative-slot]');
  for (const [at, place] of places.entries()) {
    const narrative = narratives[at];
    if (narrative) place.append(page.importNode(narrative.nodes, true));
  }
}
