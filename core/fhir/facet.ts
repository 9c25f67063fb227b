import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { parseReference } from './reference.ts';
import { definitionOf, type ResourceType } from './resource.ts';
import type { Pair } from './search.ts';
import { searchParameterOf, type SearchParameter } from './search-parameters.ts';

/** What values narrow a list of results by: a search parameter, or the rules that records break. */
export type Facet =
  | {
      readonly name: string;
      readonly kind: 'token' | 'reference' | 'uri' | 'date';
      readonly parameter: SearchParameter;
    }
  | { readonly name: typeof findingsFacet; readonly kind: 'finding' };

const findingsFacet = 'findings';

/** A value as the index holds it. */
export type FacetValue =
  | { readonly kind: 'token'; readonly system: string | null; readonly code: string }
  | {
      readonly kind: 'reference';
      readonly id: string;
      readonly type: string | null;
      readonly base: string | null;
    }
  | { readonly kind: 'uri'; readonly uri: string }
  /** `2026-03`: what lies in the month, or reaches into it. */
  | { readonly kind: 'date'; readonly month: string }
  | { readonly kind: 'finding'; readonly rule: string };

/** The facet of that name; undefined where the type has none. */
export function facetOf(type: ResourceType, name: string): Facet | undefined {
  if (name === findingsFacet) return { name, kind: 'finding' };
  const parameter = definitionOf(type).filters.includes(name) ? searchParameterOf(type, name) : undefined;
  if (!parameter || parameter.type === 'string') return undefined;
  return { name, kind: parameter.type, parameter };
}

/** The names of a type's facets, in their order. */
export function facetNames(type: ResourceType): string[] {
  return [...definitionOf(type).filters, findingsFacet];
}

/** The pairs of a search that the value narrows; none for findings, which no search parameter looks at. */
export function pairsOf(facet: Facet, value: FacetValue): Pair[] {
  const { name } = facet;
  switch (value.kind) {
    case 'token':
      // An element that is a code alone has no system, and no search needs to say so.
      if ('parameter' in facet && !facet.parameter.modifiers.includes('text'))
        return [[name, escaped(value.code)]];
      return [[name, `${escaped(value.system ?? '')}|${escaped(value.code)}`]];
    case 'reference':
      return [[name, escaped(literalOf(value))]];
    case 'uri':
      return [[name, escaped(value.uri)]];
    case 'date':
      return [
        [name, `ge${value.month}`],
        [name, `lt${monthAfter(value.month)}`],
      ];
    case 'finding':
      return [];
  }
}

/** What one of the records calls the value; undefined where none of them says more than the value itself. */
export function labelIn({ path }: SearchParameter, record: JsonNode, value: FacetValue): string | undefined {
  const elements = path.reduce<JsonNode[]>(
    (above, step) => above.flatMap((one) => Object.keys(step).flatMap((name) => valuesOf(member(one, name)))),
    [record],
  );
  for (const element of elements) {
    const label = labelOf(element, value);
    if (label !== undefined) return label;
  }
  return undefined;
}

function valuesOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node === undefined || node.kind === 'array' ? items(node) : [node];
}

function labelOf(element: JsonNode, value: FacetValue): string | undefined {
  switch (value.kind) {
    case 'token': {
      const codings = items(member(element, 'coding'));
      const coding = (codings.length === 0 ? [element] : codings).find(
        (one) =>
          stringMember(one, 'code')?.toLowerCase() === value.code &&
          (stringMember(one, 'system') ?? null) === value.system,
      );
      return coding && (stringMember(coding, 'display') ?? stringMember(element, 'text'));
    }
    case 'reference': {
      const target = parseReference(stringMember(element, 'reference') ?? '');
      return target?.id === value.id ? stringMember(element, 'display') : undefined;
    }
    case 'uri':
    case 'date':
    case 'finding':
      return undefined;
  }
}

/** A literal that finds exactly what the index holds. */
function literalOf({ id, type, base }: { id: string; type: string | null; base: string | null }): string {
  if (base?.startsWith('urn:')) return `${base}:${id}`;
  if (base === '#') return `#${id}`;
  return [base, type, id].filter((part) => part !== null).join('/');
}

function escaped(text: string): string {
  return text.replace(/[\\,|$]/g, '\\$&');
}

/** The month behind `2026-12` is `2027-01`. */
function monthAfter(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}`;
}
