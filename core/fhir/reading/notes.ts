import { below, each, textAt, type Place } from '../card/parts.ts';

/** An annotation (FHIR R4 datatypes.html#Annotation). */
export interface Note {
  readonly text: string;
  readonly author: string;
  /** A dateTime as written; empty if absent. */
  readonly time: string;
  readonly pointer: string;
}

/** Returns the annotations of a list, except those without a text. */
export function notesAt(element: Place): Note[] {
  return each(element)
    .map((annotation) => ({
      text: textAt(below(annotation, 'text')),
      author:
        textAt(below(annotation, 'authorString')) ||
        textAt(below(annotation, 'authorReference', 'display')) ||
        textAt(below(annotation, 'authorReference', 'reference')),
      time: textAt(below(annotation, 'time')),
      pointer: annotation.pointer,
    }))
    .filter(({ text }) => text !== '');
}
