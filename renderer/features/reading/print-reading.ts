/**
 * The reading view on paper: a page of its own in a frame like that of the narratives, in which nothing runs and nothing
 * is loaded; it may only be printed. What is drawn for the eye alone is left out, every section is whole.
 */
import { safeMarkup } from '../../platform/safe-markup.ts';
import { text } from '../../ui/text.ts';

/** Neither scripts nor forms; the page around may ask for its printing. */
const sandbox = 'allow-same-origin allow-modals';

const head = `<!doctype html><html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>
:root { color-scheme: light; }
@page { margin: 18mm 16mm; }
*, ::before, ::after { background: transparent !important; color: #000 !important; }
html, body { margin: 0; background: #fff !important; }
body { font: 10.5pt/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
h2 { margin: 0 0 8pt; font-size: 16pt; }
h3 { margin: 14pt 0 4pt; font-size: 12pt; }
h4, h5, h6 { margin: 10pt 0 3pt; font-size: 10.5pt; }
h2, h3, h4, h5, h6 { break-after: avoid; }
p, ul, ol, dl, pre { margin: 4pt 0; }
pre { white-space: pre-wrap; }
dl > div { display: grid; grid-template-columns: 32mm 1fr; gap: 4mm; }
dt { font-weight: 600; }
dd { margin: 0; }
dd > * + *, span + span, h2 > span, h3 > span, h4 > span, h5 > span, h6 > span { margin-inline-start: 4pt; }
figure { margin: 8pt 0; }
table { border-collapse: collapse; margin: 4pt 0; }
th, td { padding: 2pt 5pt; border: 0.5pt solid #000; text-align: left; vertical-align: top; }
tr, img { break-inside: avoid; }
img { max-width: 100%; }
section { break-inside: avoid-page; }
</style><body></body></html>`;

/** What paper has no use for: drawings with a table beside them, buttons that only act, marks in the margin. */
const left = 'svg, [data-acts], [role="group"] button, .mantine-ActionIcon-root';

/**
 * Prints an article of the reading view; `markupOf` is what stands in a place of a narrative, cut to what is safe.
 * The frame stays until the next is printed, as a browser may read it while it asks for the printer.
 */
export function printReading(
  article: HTMLElement,
  title: string,
  markupOf: (slot: HTMLElement) => string,
): void {
  document.querySelector('iframe[data-print]')?.remove();
  const frame = document.createElement('iframe');
  frame.dataset.print = 'true';
  frame.title = text.reading.printed;
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  frame.setAttribute('sandbox', sandbox);
  frame.style.cssText =
    'position: fixed; inset: auto 0 0 auto; width: 0; height: 0; border: 0; visibility: hidden;';
  frame.srcdoc = head;
  const copy = article.cloneNode(true) as HTMLElement;
  const slots = [...article.querySelectorAll<HTMLElement>('[data-narrative-slot]')].map(markupOf);
  frame.addEventListener(
    'load',
    () => {
      const { contentDocument: page, contentWindow } = frame;
      if (!page || !contentWindow) return;
      page.title = title;
      page.documentElement.lang = document.documentElement.lang;
      fill(page, copy, slots);
      contentWindow.print();
    },
    { once: true },
  );
  document.body.append(frame);
}

function fill(page: Document, copy: HTMLElement, slots: readonly string[]): void {
  const article = page.importNode(copy, true);
  for (const one of article.querySelectorAll(left)) one.remove();
  // A link on paper is its words.
  for (const one of article.querySelectorAll('button')) {
    const words = page.createElement('span');
    words.append(...one.childNodes);
    one.replaceWith(words);
  }
  for (const one of article.querySelectorAll('[style]')) one.removeAttribute('style');
  const places = article.querySelectorAll('[data-narrative-slot]');
  for (const [at, place] of places.entries()) place.innerHTML = safeMarkup(slots[at] ?? '');
  page.body.append(article);
}
