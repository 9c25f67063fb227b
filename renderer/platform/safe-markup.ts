import createPurifier, { type Config } from 'dompurify';
import { narrativeAttributes, narrativeElements } from '../../core/fhir/validation/xhtml-names.ts';

/** The list of FHIR instead of DOMPurify's own, which follows what browsers learn. */
const narrative: Config = {
  ALLOWED_TAGS: [...narrativeElements],
  ALLOWED_ATTR: [...narrativeAttributes],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
};

/** What would load or lead somewhere, although FHIR allows it: only what is inside the narrative itself stays. */
const inner: Readonly<Record<string, (value: string) => boolean>> = {
  // Even a fragment leads away here: in a frame without an address it means the page around it.
  href: () => false,
  src: (value) => /^data:image\/(?:png|jpeg|gif|webp);/i.test(value),
  style: (value) => !/url|image|@|\\|expression/i.test(value),
  longdesc: () => false,
  cite: () => false,
};

const purifier = createPurifier(window);
purifier.addHook('uponSanitizeAttribute', (_element, attribute) => {
  if (!(inner[attribute.attrName]?.(attribute.attrValue) ?? true)) attribute.keepAttr = false;
});
// An image that may not be loaded would leave a broken one.
purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element.localName === 'img' && !element.hasAttribute('src')) element.remove();
});

/**
 * A narrative cut to the elements and attributes that FHIR R4 allows (narrative.html#xhtml), without anything that
 * could load, lead away or run.
 */
export function safeMarkup(xhtml: string): string {
  return purifier.sanitize(withoutReports(xhtml), narrative);
}

/** Even where nothing runs, the browser reports each event handler and base that it reads against the page's policy. */
function withoutReports(xhtml: string): string {
  return xhtml
    .replaceAll(/<base\b/gi, '<no-base')
    .replaceAll(/<[^>]*>/g, (tag) => tag.replaceAll(/\bon\w+\s*=/gi, 'data-handler='));
}
