import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { parseReference } from './reference.ts';
import { displayOf } from './terminology/displays.ts';
import { definitionOf, type ResourceType } from './resource.ts';
import type { Pair } from './search.ts';
import { searchParameterOf, type SearchParameter } from './search-parameters.ts';

/** A way to narrow a list of results: by a search parameter, or by the rules that records break. */
export type Facet =
  | {
      readonly name: string;
      readonly kind: 'token' | 'reference' | 'uri' | 'date';
      readonly parameter: SearchParameter;
    }
  | { readonly name: typeof findingsFacet; readonly kind: 'finding' };

const findingsFacet = 'findings';

export type FacetValue =
  | { readonly kind: 'token'; readonly system: string | null; readonly code: string }
  | {
      readonly kind: 'reference';
      readonly id: string;
      readonly type: string | null;
      readonly base: string | null;
    }
  | { readonly kind: 'uri'; readonly uri: string }
  /** Dates that overlap a month: `2026-03`. */
  | { readonly kind: 'date'; readonly month: string }
  | { readonly kind: 'finding'; readonly rule: string };

/** Returns the facet with this name; undefined if the type has none. */
export function facetOf(type: ResourceType, name: string): Facet | undefined {
  if (name === findingsFacet) return { name, kind: 'finding' };
  const parameter = definitionOf(type).filters.includes(name) ? searchParameterOf(type, name) : undefined;
  if (!parameter || parameter.type === 'string') return undefined;
  return { name, kind: parameter.type, parameter };
}

/** Returns the names of a type's facets in order. */
export function facetNames(type: ResourceType): string[] {
  return [...definitionOf(type).filters, findingsFacet];
}

/** Returns the pairs that narrow a search to the value; none for findings, which have no search parameter. */
export function pairsOf(facet: Facet, value: FacetValue): Pair[] {
  const { name } = facet;
  switch (value.kind) {
    case 'token':
      // An element of type code has no system, and no search needs one.
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

/** Returns the label that a record gives the value; undefined if no element has more than the value itself. */
export function labelIn({ path }: SearchParameter, record: JsonNode, value: FacetValue): string | undefined {
  const elements = path.reduce<JsonNode[]>(
    (parents, step) =>
      parents.flatMap((parent) => Object.keys(step).flatMap((name) => valuesOf(member(parent, name)))),
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
        (candidate) =>
          stringMember(candidate, 'code')?.toLowerCase() === value.code &&
          (stringMember(candidate, 'system') ?? null) === value.system,
      );
      return (
        coding && (stringMember(coding, 'display') ?? stringMember(element, 'text') ?? displayOf([coding]))
      );
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

/** Returns a literal that finds exactly the value in the index. */
function literalOf({ id, type, base }: { id: string; type: string | null; base: string | null }): string {
  if (base?.startsWith('urn:')) return `${base}:${id}`;
  if (base === '#') return `#${id}`;
  return [base, type, id].filter((part) => part !== null).join('/');
}

function escaped(text: string): string {
  return text.replace(/[\\,|$]/g, '\\$&');
}

/** Returns the next month: `2027-01` for `2026-12`. */
function monthAfter(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}`;
}
