import type { FactRow } from '../../types/definition/type-definition.ts';
import { formatPointer } from '../../json/pointer.ts';
import { definitionOf, isResourceType } from '../resource.ts';
import { containedOf, referencesAt, type Contained } from './contained.ts';
import { below, conceptsAt, each, textAt } from './parts.ts';
import type { CardReference, CardText, Place } from './parts.ts';
import { periodAt, type CardPeriod } from './span.ts';

/** What a record says in one row of its summary; undefined where it says nothing. */
export type FactValue =
  | { readonly as: 'status' | 'code' | 'date'; readonly text: string }
  | { readonly as: 'concepts'; readonly concepts: readonly CardText[] }
  | { readonly as: 'references'; readonly references: readonly CardReference[] }
  | {
      readonly as: 'period';
      readonly period: CardPeriod;
      /** Whether the record is open although its period is over. */
      readonly overdue: boolean;
    };

/** A row of the summary, by the type's definition. */
export interface CardFact {
  readonly label: string;
  /** Whether a person asks for it first, so that it is named even where it is missing. */
  readonly always: boolean;
  readonly value: FactValue | undefined;
  /** Where it stands, or would stand. */
  readonly pointer: string;
}

/** The facts of a record as of `today` (YYYY-MM-DD); none of a type without a definition. */
export function factsOf(root: Place, type: string, today: string): CardFact[] {
  if (!isResourceType(type)) return [];
  const { facts, summary } = definitionOf(type);
  const status = textAt(below(root, ...summary.status.split('.')));
  const contained = containedOf(root);
  return facts.map((row) => ({
    label: row.label,
    always: row.always ?? false,
    value: [row.path]
      .flat()
      .map((path) => factAt(placesAt(root, path), row, { status, today, contained }))
      .find(Boolean),
    pointer: formatPointer([row.path].flat()[0]?.split('.').slice(0, 1) ?? []),
  }));
}

/** The places that a dotted path leads to, through arrays. */
function placesAt(root: Place, path: string): Place[] {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parents = keys.reduce<Place[]>(
    (places, key) => places.flatMap((one) => each(below(one, key))),
    [root],
  );
  return parents.map((one) => below(one, last));
}

interface FactsAround {
  readonly status: string;
  readonly today: string;
  readonly contained: Contained;
}

function factAt(
  places: readonly Place[],
  { as, openWhile = [] }: FactRow,
  { status, today, contained }: FactsAround,
): FactValue | undefined {
  switch (as) {
    case 'status':
    case 'code':
    case 'date': {
      const text = places.map(textAt).find(Boolean);
      return text === undefined ? undefined : { as, text };
    }
    case 'concepts': {
      const concepts = places.flatMap((one) => conceptsAt(one));
      return concepts.length === 0 ? undefined : { as, concepts };
    }
    case 'references': {
      const references = places.flatMap((one) => referencesAt(one, contained));
      return references.length === 0 ? undefined : { as, references };
    }
    case 'period': {
      const period = places.map((one) => periodAt(one, today)).find(Boolean);
      return period && { as, period, overdue: openWhile.includes(status) && period.over !== undefined };
    }
  }
}
