/** The reading view on paper. What is drawn for the eye alone is left out, every section is whole. */
import { copyInto, printPage } from '../../platform/print-page.ts';
import { safeMarkup } from '../../platform/safe-markup.ts';

/** What paper has no use for: drawings with a table beside them, buttons that only act, marks in the margin. */
const left = 'svg, [data-acts], [role="group"] button, .mantine-ActionIcon-root';

/** Prints an article of the reading view; `markupOf` is what stands in a place of a narrative, cut to what is safe. */
export function printReading(
  article: HTMLElement,
  title: string,
  markupOf: (slot: HTMLElement) => string,
): void {
  const copy = article.cloneNode(true) as HTMLElement;
  const slots = [...article.querySelectorAll<HTMLElement>('[data-narrative-slot]')].map(markupOf);
  printPage(title, (page) => fill(page, copy, slots));
}

function fill(page: Document, copy: HTMLElement, slots: readonly string[]): void {
  const article = copyInto(page, copy, left);
  // A link on paper is its words.
  for (const one of article.querySelectorAll('button')) {
    const words = page.createElement('span');
    words.append(...one.childNodes);
    one.replaceWith(words);
  }
  const places = article.querySelectorAll('[data-narrative-slot]');
  for (const [at, place] of places.entries()) place.innerHTML = safeMarkup(slots[at] ?? '');
}
