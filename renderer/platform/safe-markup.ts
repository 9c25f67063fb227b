import createPurifier, { type Config } from 'dompurify';
import { narrativeAttributes, narrativeElements } from '../../core/fhir/validation/xhtml-names.ts';
import { buildNarrative, isInlineImage } from './narrative-nodes.ts';

/** The list of FHIR instead of DOMPurify's, which changes with the browsers. */
const narrative: Config = {
  ALLOWED_TAGS: [...narrativeElements],
  ALLOWED_ATTR: [...narrativeAttributes],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
};

/**
 * Attributes that could load something or navigate, although FHIR allows them. Only values inside the
 * narrative remain.
 */
const isAllowedValue: Readonly<Record<string, (value: string) => boolean>> = {
  // Even a fragment navigates: in a frame without an address, it refers to the page around it.
  href: () => false,
  src: isInlineImage,
  style: (value) => !/url|image|@|\\|expression/i.test(value),
  longdesc: () => false,
  cite: () => false,
};

const purifier = createPurifier(window);
purifier.addHook('uponSanitizeAttribute', (_element, attribute) => {
  if (!(isAllowedValue[attribute.attrName]?.(attribute.attrValue) ?? true)) attribute.keepAttr = false;
});
// An image that may not be loaded would be shown broken. Its alternative text is shown instead.
purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element.localName === 'img' && !element.hasAttribute('src'))
    element.replaceWith(element.getAttribute('alt') ?? '');
});

/** Reason why a narrative is not shown completely: it is not XML, or a part was cut. */
export type NarrativeFlaw = 'malformed' | 'cut';

export interface SafeNarrative {
  /** Sanitized nodes in a document that loads nothing. Show a copy of them. */
  readonly nodes: DocumentFragment;
  readonly flaw: NarrativeFlaw | undefined;
  /** Language stated in the narrative. */
  readonly language: string | undefined;
}

/**
 * Returns a narrative with only the elements and attributes that FHIR R4 allows (narrative.html#xhtml), and
 * nothing that could load, navigate or run. Text that is not well-formed XHTML is shown as far as possible.
 * Nodes and characters are limited.
 */
export function readNarrative(xhtml: string): SafeNarrative {
  const builtNarrative = buildNarrative(xhtml);
  const nodes = purifier.sanitize(builtNarrative.nodes, { ...narrative, RETURN_DOM_FRAGMENT: true });
  nodes.replaceChildren(...(nodes.firstElementChild?.childNodes ?? []));
  const language = nodes.firstElementChild?.getAttribute('lang') ?? '';
  return {
    nodes,
    flaw: builtNarrative.isWellFormed
      ? flawOf(builtNarrative.isComplete && builtNarrative.text === nodes.textContent)
      : 'malformed',
    language: /^[A-Za-z0-9-]+$/.test(language) ? language : undefined,
  };
}

function flawOf(isComplete: boolean): NarrativeFlaw | undefined {
  return isComplete ? undefined : 'cut';
}

/** Returns the sanitized narrative as HTML text, for a frame. */
export function safeMarkup(xhtml: string): Pick<SafeNarrative, 'flaw' | 'language'> & { markup: string } {
  const { nodes, flaw, language } = readNarrative(xhtml);
  const container = nodes.ownerDocument.createElement('div');
  container.append(nodes);
  const markup = purifier.sanitize(container.innerHTML, narrative);
  // HTML moves content that is allowed only in XHTML, such as text between table rows.
  const reparsedText = new DOMParser().parseFromString(markup, 'text/html').body.textContent;
  const isSame = withoutSpace(reparsedText) === withoutSpace(container.textContent);
  return { markup, flaw: flaw ?? flawOf(isSame), language };
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '');
}
