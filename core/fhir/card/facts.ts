import type { FactRow } from '../../types/definition/type-definition.ts';
import { formatPointer } from '../../json/pointer.ts';
import { definitionOf, isResourceType } from '../resource.ts';
import { containedOf, referencesAt, type Contained } from './contained.ts';
import { getChild, conceptsAt, listItems, textAt } from './parts.ts';
import type { CardReference, CardText, NodeAtPointer } from './parts.ts';
import { periodAt, type CardPeriod } from './span.ts';

/** The content of one row of the summary; undefined if the record has none. */
export type FactValue =
  | { readonly kind: 'status' | 'code' | 'date'; readonly text: string }
  | { readonly kind: 'concepts'; readonly concepts: readonly CardText[] }
  | { readonly kind: 'references'; readonly references: readonly CardReference[] }
  | {
      readonly kind: 'period';
      readonly period: CardPeriod;
      /** True if the record is open after the end of its period. */
      readonly overdue: boolean;
    };

/** A row of the summary, from the type's definition. */
export interface CardDetail {
  /** Id of the row in the type's definition. */
  readonly id: string;
  /** True if the row is shown even if the record has no value. */
  readonly isAlwaysShown: boolean;
  readonly value: FactValue | undefined;
  /** Pointer of the element, also if it is missing. */
  readonly pointer: string;
}

/** Lists the facts of a record as of `today` (YYYY-MM-DD). A type without a definition has none. */
export function listDetails(root: NodeAtPointer, type: string, today: string): CardDetail[] {
  if (!isResourceType(type)) return [];
  const { facts, summary } = definitionOf(type);
  const status = textAt(getChild(root, ...summary.status.split('.')));
  const contained = containedOf(root);
  return facts.map((row) => ({
    id: row.id,
    isAlwaysShown: row.isShownWithoutValue ?? false,
    value: [row.path]
      .flat()
      .map((path) => factAt(listElements(root, path), row, { status, today, contained }))
      .find(Boolean),
    pointer: formatPointer([row.path].flat()[0]?.split('.').slice(0, 1) ?? []),
  }));
}

/** Returns the elements at a dotted path, including list items. */
function listElements(root: NodeAtPointer, path: string): NodeAtPointer[] {
  const keys = path.split('.');
  const lastKey = keys.pop() ?? '';
  const parents = keys.reduce<NodeAtPointer[]>(
    (elements, key) => elements.flatMap((element) => listItems(getChild(element, key))),
    [root],
  );
  return parents.map((parent) => getChild(parent, lastKey));
}

interface FactContext {
  readonly status: string;
  readonly today: string;
  readonly contained: Contained;
}

function factAt(
  elements: readonly NodeAtPointer[],
  { format: kind, statusesWithFutureEnd = [] }: FactRow,
  { status, today, contained }: FactContext,
): FactValue | undefined {
  switch (kind) {
    case 'status':
    case 'code':
    case 'date': {
      const text = elements.map(textAt).find(Boolean);
      return text === undefined ? undefined : { kind, text };
    }
    case 'concepts': {
      const concepts = elements.flatMap((element) => conceptsAt(element));
      return concepts.length === 0 ? undefined : { kind, concepts };
    }
    case 'references': {
      const references = elements.flatMap((element) => referencesAt(element, contained));
      return references.length === 0 ? undefined : { kind, references };
    }
    case 'period': {
      const period = elements.map((element) => periodAt(element, today)).find(Boolean);
      return (
        period && {
          kind,
          period,
          overdue: statusesWithFutureEnd.includes(status) && period.overdueDays !== undefined,
        }
      );
    }
  }
}
