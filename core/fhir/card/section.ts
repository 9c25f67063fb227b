import { modifiedName, unknownModifiers } from '../modifiers/modifiers.ts';
import { getChild, conceptText, textAt, type NodeAtPointer } from './parts.ts';

/** Returns the name of a Composition's section with its modifiers; empty without a name and modifiers. */
export function sectionName(section: NodeAtPointer): string {
  const title = textAt(getChild(section, 'title')) || conceptText(getChild(section, 'code'));
  const number = Number(section.pointer.slice(section.pointer.lastIndexOf('/') + 1)) + 1;
  return modifiedName(title, unknownModifiers(section.node), `Section ${number}`).name;
}
