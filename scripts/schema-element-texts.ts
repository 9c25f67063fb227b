import { listRequiredConcepts } from './schema-codes.ts';
import type { Definition, Property } from './schema-definitions.ts';
import { createModule, type Sources } from './schema-sources.ts';

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

const maxLength = 320;

/** Returns the text of element-texts.js: descriptions of elements for hover and completion in the editor. */
export function createElementTextModule(definitions: readonly Definition[], sources: Sources): string {
  const table = Object.fromEntries(
    definitions.map(({ name, properties }) => [
      name,
      Object.fromEntries(properties.map((property) => [property.name, createText(property, sources)])),
    ]),
  );
  return createModule({ elementTexts: JSON.stringify(table) });
}

function createText({ element, codes }: Property, sources: Sources) {
  const { short = '', definition = '' } = element;
  const concepts = codes && listRequiredConcepts(element, sources);
  const meanings = concepts?.map(({ code, display, definition: meaning }) => [
    code,
    getFirstSentences(meaning ?? display ?? code),
  ]);
  return {
    short,
    ...(definition !== '' && definition !== short && { definition: getFirstSentences(definition) }),
    ...(meanings && { meanings: Object.fromEntries(meanings) as Record<string, string> }),
  };
}

/** Returns as many complete sentences as fit into a hover, without HL7's links and line breaks. */
function getFirstSentences(text: string): string {
  const plainText = text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (plainText.length <= maxLength) return plainText;
  const end = plainText.lastIndexOf('. ', maxLength);
  return end > 40 ? plainText.slice(0, end + 1) : `${plainText.slice(0, maxLength)}…`;
}
