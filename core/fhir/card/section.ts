import { below, conceptText, each, textAt, type Place } from './parts.ts';

export interface CardSection {
  /** What it is called; blank where the record does not say. */
  readonly title: string;
  /** How many resources it lists. */
  readonly entries: number;
  /** Whether it says something to a reader. */
  readonly hasText: boolean;
  /** Why it is empty, where that is said. */
  readonly emptyReason: string;
  readonly sections: readonly CardSection[];
  readonly pointer: string;
}

/** Sums up the sections of a Composition (FHIR R4 composition-definitions.html#Composition.section), nested ones within. */
export function sectionsAt(place: Place): CardSection[] {
  return each(place).map((one) => ({
    title: textAt(below(one, 'title')) || conceptText(below(one, 'code')),
    entries: each(below(one, 'entry')).length,
    hasText: textAt(below(one, 'text', 'div')) !== '',
    emptyReason: conceptText(below(one, 'emptyReason')),
    sections: sectionsAt(below(one, 'section')),
    pointer: one.pointer,
  }));
}
