import { getChild, textAt, type NodeAtPointer } from '../card/parts.ts';

/** A narrative (FHIR R4 narrative.html). */
export interface Narrative {
  /** XHTML as written. Show it only in a sandbox. */
  readonly xhtml: string;
  readonly pointer: string;
}

/** Returns the narrative of a resource or section; undefined if there is none. */
export function narrativeAt(element: NodeAtPointer): Narrative | undefined {
  const text = getChild(element, 'text');
  const xhtml = textAt(getChild(text, 'div'));
  return xhtml === '' ? undefined : { xhtml, pointer: text.pointer };
}
