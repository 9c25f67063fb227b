/**
 * Prints a part of the page in a separate frame without scripts and network access, like the narrative frame.
 * The frame can only be printed.
 */
import { text } from '../ui/text.ts';

/** No scripts and no forms. The page may print the frame. */
const sandbox = 'allow-same-origin allow-modals';

const template = `<!doctype html><html><meta charset="utf-8">
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
th, td { padding: 2pt 5pt; border: 0.5pt solid #000; text-align: left; vertical-align: top; overflow-wrap: break-word; }
tr, img { break-inside: avoid; }
img { max-width: 100%; }
section { break-inside: avoid-page; }
</style><body></body></html>`;

/**
 * Prints the content that `fill` adds to a separate page. The frame stays until the next print, because a
 * browser may read it while the print dialog is open.
 */
export function printPage(title: string, fill: (page: Document) => void): void {
  document.querySelector('iframe[data-print]')?.remove();
  const frame = document.createElement('iframe');
  frame.dataset.print = 'true';
  frame.title = text.reading.printed;
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  frame.setAttribute('sandbox', sandbox);
  frame.style.cssText =
    'position: fixed; inset: auto 0 0 auto; width: 0; height: 0; border: 0; visibility: hidden;';
  frame.srcdoc = template;
  frame.addEventListener(
    'load',
    () => {
      const { contentDocument: page, contentWindow } = frame;
      if (!page || !contentWindow) return;
      page.title = title;
      page.documentElement.lang = document.documentElement.lang;
      fill(page);
      contentWindow.print();
    },
    { once: true },
  );
  document.body.append(frame);
}

/**
 * Adds a copy of an element to a print page, without elements that match `removedSelector` and without inline
 * styles.
 */
export function copyInto(page: Document, part: HTMLElement, removedSelector: string): HTMLElement {
  const copy = page.importNode(part, true);
  for (const element of copy.querySelectorAll(removedSelector)) element.remove();
  for (const element of copy.querySelectorAll('[style]')) element.removeAttribute('style');
  page.body.append(copy);
  return copy;
}

/** Prints an element as it is shown, without screen-only parts (`data-screen`). */
export function printPart(part: HTMLElement, title: string): void {
  const copy = part.cloneNode(true) as HTMLElement;
  printPage(title, (page) => void copyInto(page, copy, 'svg, [data-screen]'));
}
