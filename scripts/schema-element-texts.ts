import { requiredConcepts } from './schema-codes.ts';
import type { Definition, Property } from './schema-definitions.ts';
import { moduleOf, type Sources } from './schema-sources.ts';

export const elementTextDeclarations = `/** Made by scripts/schema.ts. */
export interface ElementText {
  /** What the element is, in a few words. */
  readonly short: string;
  /** The same in a sentence or two, where that says more. */
  readonly definition?: string;
  /** By code of a required binding, what it means. */
  readonly meanings?: Readonly<Record<string, string>>;
}
/** By type and name, what FHIR R4 says of every element that a CarePlan or a Composition can hold. */
export declare const elementTexts: Readonly<Record<string, Readonly<Record<string, ElementText>>>>;
`;

const longest = 320;

/** The text of element-texts.js: what the editor says of an element when it is pointed at or offered. */
export function elementTextModule(definitions: readonly Definition[], sources: Sources): string {
  const table = Object.fromEntries(
    definitions.map(({ name, properties }) => [
      name,
      Object.fromEntries(properties.map((property) => [property.name, textOf(property, sources)])),
    ]),
  );
  return moduleOf({ elementTexts: JSON.stringify(table) });
}

function textOf({ element, codes }: Property, sources: Sources) {
  const { short = '', definition = '' } = element;
  const concepts = codes && requiredConcepts(element, sources);
  const meanings = concepts?.map(({ code, display, definition: meaning }) => [
    code,
    firstSentences(meaning ?? display ?? code),
  ]);
  return {
    short,
    ...(definition !== '' && definition !== short && { definition: firstSentences(definition) }),
    ...(meanings && { meanings: Object.fromEntries(meanings) as Record<string, string> }),
  };
}

/** As many whole sentences as a hover has room for; HL7's links and line breaks left out. */
function firstSentences(text: string): string {
  const plain = text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (plain.length <= longest) return plain;
  const end = plain.lastIndexOf('. ', longest);
  return end > 40 ? plain.slice(0, end + 1) : `${plain.slice(0, longest)}…`;
}
