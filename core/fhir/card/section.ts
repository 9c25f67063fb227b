import { modifiedName, unknownModifiers } from '../modifiers/modifiers.ts';
import { below, conceptText, textAt, type Place } from './parts.ts';

/** Returns the name of a section of a Composition, with what changes its meaning; blank where it says neither. */
export function sectionName(section: Place): string {
  const title = textAt(below(section, 'title')) || conceptText(below(section, 'code'));
  const number = Number(section.pointer.slice(section.pointer.lastIndexOf('/') + 1)) + 1;
  return modifiedName(title, unknownModifiers(section.node), `Section ${number}`).name;
}
