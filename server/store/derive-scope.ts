/** Which rows of a record are made anew, and what they are then; pure, for every engine. */
import { isPartOf, rulesPart, sortPart, type Derivation } from '../../core/derive/derivations.ts';
import { carried, dayOf, deriveIssues, type Derived } from '../../core/derive/derive.ts';
import { indexRows, noIndex } from '../../core/fhir/index-rows.ts';
import { isFoundElsewhere, type IssueRow } from '../../core/fhir/issue-row.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { keyNumber } from '../../core/fhir/search-parameters.ts';
import type { JsonObject } from '../../core/json/node.ts';
import type { Scope } from './index-tables.ts';

/** Which rows of a type's records are made anew. */
export interface TypeScope extends Scope {
  readonly sort: boolean;
  /** The index keys whose rows are made; undefined for all. */
  readonly keys?: ReadonlySet<string>;
}

/** All rows of a record, also those of parameters that are no more. */
export const everything: TypeScope = { index: true, sort: true, issues: true, hasKey: () => true };

/** What the rules alone say. */
export const rulesAlone: TypeScope = { index: false, sort: false, issues: true, hasKey: () => false };

/** What searches look at, but for what sorts a record, which is written with it. */
export const indexAlone: TypeScope = { ...everything, sort: false, issues: false };

export const nothing: TypeScope = { ...rulesAlone, issues: false };

/** The scope of each type that some of these parts are of. */
export function scopesOf(
  parts: ReadonlySet<string>,
  derivations: readonly Derivation[],
): ReadonlyMap<ResourceType, TypeScope> {
  const scopes = new Map<ResourceType, TypeScope>();
  for (const type of resourceTypes) {
    const own = derivations.map(({ name }) => name).filter((name) => isPartOf(name, type));
    const wanted = own.filter((part) => parts.has(part));
    if (wanted.length === 0) continue;
    const [sort, rules] = [sortPart(type), rulesPart(type)];
    const keys = new Set(wanted.filter((part) => part !== sort && part !== rules));
    const numbers = new Set<unknown>([...keys].map(keyNumber));
    scopes.set(
      type,
      wanted.length === own.length
        ? everything
        : {
            ...{ index: keys.size > 0, sort: parts.has(sort), issues: parts.has(rules) },
            keys,
            hasKey: (key) => numbers.has(key),
          },
    );
  }
  return scopes;
}

interface Anew {
  readonly scope: TypeScope;
  /** The issues that stand. */
  readonly standing: readonly IssueRow[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a record gives as far as the scope reaches; issues that it does not tell by itself stay as they stand. */
export function derivedAnew(type: ResourceType, root: JsonObject, { scope, standing, now }: Anew): Derived {
  const index = scope.index || scope.sort ? indexRows(type, root, scope.keys) : noIndex;
  if (!scope.issues) return { index, issues: [] };
  const judged = deriveIssues(type, root, { today: dayOf(now) });
  return { ...judged, index, issues: [...judged.issues, ...carried(standing)] };
}

/** What a version tells by itself, with what is found elsewhere as it stands: it may be another than when the version was made. */
export function withElsewhere(issues: readonly IssueRow[], standing: readonly IssueRow[]): IssueRow[] {
  return [...issues.filter((issue) => !isFoundElsewhere(issue)), ...standing.filter(isFoundElsewhere)];
}
