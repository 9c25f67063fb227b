import { below, textAt, type Place } from '../card/parts.ts';

/** A text for a reader (FHIR R4 narrative.html). */
export interface Narrative {
  /** XHTML as written; not fit to be shown without a sandbox. */
  readonly xhtml: string;
  readonly pointer: string;
}

/** The narrative of a resource or a section; undefined where there is none. */
export function narrativeAt(place: Place): Narrative | undefined {
  const text = below(place, 'text');
  const xhtml = textAt(below(text, 'div'));
  return xhtml === '' ? undefined : { xhtml, pointer: text.pointer };
}
