/** Prints the reading view. Omits elements that only work on screen, and prints every section whole. */
import { copyInto, printPage } from '../../platform/print-page.ts';
import type { SafeNarrative } from '../../platform/safe-markup.ts';

/** Elements to omit: drawings with a table next to them, buttons without content, and markers in the margin. */
const omittedElements = 'svg, [data-acts], [role="group"] button, .mantine-ActionIcon-root';

/** Prints an article of the reading view. `narrativeOf` returns the narrative of a slot. */
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
