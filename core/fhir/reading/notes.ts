import { below, each, textAt, type Place } from '../card/parts.ts';

/** What somebody wrote beside the record (FHIR R4 datatypes.html#Annotation). */
export interface Note {
  readonly text: string;
  readonly author: string;
  /** A dateTime as written; blank where none is. */
  readonly time: string;
  readonly pointer: string;
}

/** The annotations of an array, those without a text left out. */
export function notesAt(place: Place): Note[] {
  return each(place)
    .map((one) => ({
      text: textAt(below(one, 'text')),
      author:
        textAt(below(one, 'authorString')) ||
        textAt(below(one, 'authorReference', 'display')) ||
        textAt(below(one, 'authorReference', 'reference')),
      time: textAt(below(one, 'time')),
      pointer: one.pointer,
    }))
    .filter(({ text }) => text !== '');
}
