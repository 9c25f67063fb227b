import type { FactRow } from '../../types/definition/type-definition.ts';
import { formatPointer } from '../../json/pointer.ts';
import { definitionOf, isResourceType } from '../resource.ts';
import { containedOf, referencesAt, type Contained } from './contained.ts';
import { below, conceptsAt, each, textAt } from './parts.ts';
import type { CardReference, CardText, Place } from './parts.ts';
import { periodAt, type CardPeriod } from './span.ts';

/** The content of one row of the summary; undefined if the record has none. */
export type FactValue =
  | { readonly as: 'status' | 'code' | 'date'; readonly text: string }
  | { readonly as: 'concepts'; readonly concepts: readonly CardText[] }
  | { readonly as: 'references'; readonly references: readonly CardReference[] }
  | {
      readonly as: 'period';
      readonly period: CardPeriod;
      /** True if the record is open after the end of its period. */
      readonly overdue: boolean;
    };

/** A row of the summary, from the type's definition. */
export interface CardDetail {
  /** Id of the row in the type's definition. */
  readonly id: string;
  /** True if the row is shown even if the record has no value. */
  readonly always: boolean;
  readonly value: FactValue | undefined;
  /** Pointer of the element, also if it is missing. */
  readonly pointer: string;
}

/** Lists the facts of a record as of `today` (YYYY-MM-DD). A type without a definition has none. */
export function listDetails(root: Place, type: string, today: string): CardDetail[] {
  if (!isResourceType(type)) return [];
  const { facts, summary } = definitionOf(type);
  const status = textAt(below(root, ...summary.status.split('.')));
  const contained = containedOf(root);
  return facts.map((row) => ({
    id: row.id,
    always: row.always ?? false,
    value: [row.path]
      .flat()
      .map((path) => factAt(listElements(root, path), row, { status, today, contained }))
      .find(Boolean),
    pointer: formatPointer([row.path].flat()[0]?.split('.').slice(0, 1) ?? []),
  }));
}

/** Returns the elements at a dotted path, including list items. */
function listElements(root: Place, path: string): Place[] {
  const keys = path.split('.');
  const lastKey = keys.pop() ?? '';
  const parents = keys.reduce<Place[]>(
    (elements, key) => elements.flatMap((element) => each(below(element, key))),
    [root],
  );
  return parents.map((parent) => below(parent, lastKey));
}

interface FactContext {
  readonly status: string;
  readonly today: string;
  readonly contained: Contained;
}

function factAt(
  elements: readonly Place[],
  { as: kind, openWhile = [] }: FactRow,
  { status, today, contained }: FactContext,
): FactValue | undefined {
  switch (kind) {
    case 'status':
    case 'code':
    case 'date': {
      const text = elements.map(textAt).find(Boolean);
      return text === undefined ? undefined : { as: kind, text };
    }
    case 'concepts': {
      const concepts = elements.flatMap((element) => conceptsAt(element));
      return concepts.length === 0 ? undefined : { as: kind, concepts };
    }
    case 'references': {
      const references = elements.flatMap((element) => referencesAt(element, contained));
      return references.length === 0 ? undefined : { as: kind, references };
    }
    case 'period': {
      const period = elements.map((element) => periodAt(element, today)).find(Boolean);
      return period && { as: kind, period, overdue: openWhile.includes(status) && period.over !== undefined };
    }
  }
}
