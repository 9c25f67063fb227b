import { getChild, listItems, textAt, type NodeAtPointer } from '../card/parts.ts';

/** An annotation (FHIR R4 datatypes.html#Annotation). */
export interface Note {
  readonly text: string;
  readonly author: string;
  /** A dateTime as written; empty if absent. */
  readonly time: string;
  readonly pointer: string;
}

/** Returns the annotations of a list, except those without a text. */
export function notesAt(element: NodeAtPointer): Note[] {
  return listItems(element)
    .map((annotation) => ({
      text: textAt(getChild(annotation, 'text')),
      author:
        textAt(getChild(annotation, 'authorString')) ||
        textAt(getChild(annotation, 'authorReference', 'display')) ||
        textAt(getChild(annotation, 'authorReference', 'reference')),
      time: textAt(getChild(annotation, 'time')),
      pointer: annotation.pointer,
    }))
    .filter(({ text }) => text !== '');
}
