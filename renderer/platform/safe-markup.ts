import { isAllowedAttribute, isAllowedElement } from '../../core/fhir/validation/xhtml-names.ts';

/** Elements whose text is no text for a reader. */
const dropped = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'embed', 'title']);
/** What would load or lead somewhere: only what is inside the narrative itself stays. */
const inner: Readonly<Record<string, (value: string) => boolean>> = {
  // Even a fragment leads away here: in a frame without an address it means the page around it.
  href: () => false,
  src: (value) => /^data:image\/(?:png|jpeg|gif|webp);/i.test(value),
  style: (value) => !/url|image|@|\\|expression/i.test(value),
  background: () => false,
  longdesc: () => false,
  cite: () => false,
};

/**
 * A narrative cut to the elements and attributes that FHIR R4 allows (narrative.html#xhtml), without anything that
 * could load, lead away or run. The browser's own parser reads it, in a document that loads and runs nothing.
 */
export function safeMarkup(xhtml: string): string {
  const parsed = new DOMParser().parseFromString(withoutHandlers(xhtml), 'text/html');
  const result = document.implementation.createHTMLDocument();
  result.body.append(...copies(parsed.body, result));
  return result.body.innerHTML;
}

/** Even where nothing runs, the browser reports each event handler that it reads against the page's policy. */
function withoutHandlers(xhtml: string): string {
  return xhtml.replaceAll(/<[^>]*>/g, (tag) => tag.replaceAll(/\bon\w+\s*=/gi, 'data-handler='));
}

function copies(from: Node, result: Document): Node[] {
  return [...from.childNodes].flatMap((node): Node[] => {
    if (node.nodeType === Node.TEXT_NODE) return [result.createTextNode(node.textContent ?? '')];
    if (!(node instanceof Element)) return [];
    const name = node.localName.toLowerCase();
    if (dropped.has(name)) return [];
    const children = copies(node, result);
    // What surrounds text without being allowed goes; the text stays.
    if (!isAllowedElement(name) || node.namespaceURI !== 'http://www.w3.org/1999/xhtml') return children;
    const copy = result.createElement(name);
    for (const { name: attribute, value } of node.attributes) {
      if (isKept(attribute, value)) copy.setAttribute(attribute, value);
    }
    // An image that may not be loaded would leave a broken one.
    if (name === 'img' && !copy.hasAttribute('src')) return [];
    copy.append(...children);
    return [copy];
  });
}

function isKept(attribute: string, value: string): boolean {
  const name = attribute.toLowerCase();
  return isAllowedAttribute(name) && !name.includes(':') && (inner[name]?.(value) ?? true);
}
