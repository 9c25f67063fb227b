import createPurifier, { type Config } from 'dompurify';
import { narrativeAttributes, narrativeElements } from '../../core/fhir/validation/xhtml-names.ts';
import { buildNarrative, isInlineImage } from './narrative-nodes.ts';

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
  src: isInlineImage,
  style: (value) => !/url|image|@|\\|expression/i.test(value),
  longdesc: () => false,
  cite: () => false,
};

const purifier = createPurifier(window);
purifier.addHook('uponSanitizeAttribute', (_element, attribute) => {
  if (!(inner[attribute.attrName]?.(attribute.attrValue) ?? true)) attribute.keepAttr = false;
});
// An image that may not be loaded would leave a broken one; a reader gets its words.
purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element.localName === 'img' && !element.hasAttribute('src'))
    element.replaceWith(element.getAttribute('alt') ?? '');
});

/** Why a reader may not see all of a narrative: it is no XML, or a part of it cannot be shown. */
export type NarrativeFlaw = 'malformed' | 'cut';

export interface SafeNarrative {
  /** What is shown, in a document in which nothing is loaded; a copy goes where it is shown. */
  readonly nodes: DocumentFragment;
  readonly flaw: NarrativeFlaw | undefined;
  /** The language that the narrative itself says it is in. */
  readonly language: string | undefined;
}

/**
 * Returns a narrative cut to the elements and attributes that FHIR R4 allows (narrative.html#xhtml), without anything
 * that could load, lead away or run. Of one that is not well-formed XHTML all that can be told is shown. Nodes and
 * characters are bounded, whatever its length.
 */
export function readNarrative(xhtml: string): SafeNarrative {
  const built = buildNarrative(xhtml);
  const nodes = purifier.sanitize(built.nodes, { ...narrative, RETURN_DOM_FRAGMENT: true });
  nodes.replaceChildren(...(nodes.firstElementChild?.childNodes ?? []));
  const said = nodes.firstElementChild?.getAttribute('lang') ?? '';
  return {
    nodes,
    flaw: built.isWellFormed ? flawOf(built.isComplete && built.text === nodes.textContent) : 'malformed',
    language: /^[A-Za-z0-9-]+$/.test(said) ? said : undefined,
  };
}

function flawOf(isWhole: boolean): NarrativeFlaw | undefined {
  return isWhole ? undefined : 'cut';
}

/** Returns the same as HTML text, for a frame that takes nothing else. */
export function safeMarkup(xhtml: string): Pick<SafeNarrative, 'flaw' | 'language'> & { markup: string } {
  const { nodes, flaw, language } = readNarrative(xhtml);
  const place = nodes.ownerDocument.createElement('div');
  place.append(nodes);
  const markup = purifier.sanitize(place.innerHTML, narrative);
  // HTML moves what XHTML allows where HTML does not, such as text between the rows of a table.
  const again = new DOMParser().parseFromString(markup, 'text/html').body.textContent;
  const isSame = withoutSpace(again) === withoutSpace(place.textContent);
  return { markup, flaw: flaw ?? flawOf(isSame), language };
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '');
}
