/** Scope of a rebuild, and the derived rows within it. Pure, for every engine. */
import { isPartOf, rulesPart, sortPart, type Derivation } from '../../core/derive/derivations.ts';
import {
  listRetainedIssues,
  dayOf,
  deriveIssues,
  indexRows,
  noIndex,
  type DerivedRows,
} from '../../core/derive/derive.ts';
import { isFoundElsewhere, type IssueRow } from '../../core/fhir/issue-row.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { keyNumber } from '../../core/fhir/search-parameters.ts';
import type { JsonObject } from '../../core/json/node.ts';
import type { Scope } from './index-tables.ts';

/** The rows to rebuild, for records of one type. */
export interface TypeScope extends Scope {
  readonly sort: boolean;
  /** Index keys of the rows. Undefined for all. */
  readonly keys?: ReadonlySet<string>;
}

/** All rows, including rows of removed parameters. */
export const allRows: TypeScope = { index: true, sort: true, issues: true, hasKey: () => true };

/** Only the findings of rules. */
export const findingsOnly: TypeScope = { index: false, sort: false, issues: true, hasKey: () => false };

/** Only the index rows. Sort keys are written with the record. */
export const indexAlone: TypeScope = { ...allRows, sort: false, issues: false };

export const noRows: TypeScope = { ...findingsOnly, issues: false };

/** Returns the scope of each type that has one of these parts. */
export function scopesOf(
  parts: ReadonlySet<string>,
  derivations: readonly Derivation[],
): ReadonlyMap<ResourceType, TypeScope> {
  const scopes = new Map<ResourceType, TypeScope>();
  for (const type of resourceTypes) {
    const typeParts = derivations.map(({ name }) => name).filter((name) => isPartOf(name, type));
    const requestedParts = typeParts.filter((part) => parts.has(part));
    if (requestedParts.length === 0) continue;
    const [sort, rules] = [sortPart(type), rulesPart(type)];
    const keys = new Set(requestedParts.filter((part) => part !== sort && part !== rules));
    const numbers = new Set<unknown>([...keys].map(keyNumber));
    scopes.set(
      type,
      requestedParts.length === typeParts.length
        ? allRows
        : {
            index: keys.size > 0,
            sort: parts.has(sort),
            issues: parts.has(rules),
            keys,
            hasKey: (key) => numbers.has(key),
          },
    );
  }
  return scopes;
}

interface RederiveOptions {
  readonly scope: TypeScope;
  /** Existing issues of the record. */
  readonly existingIssues: readonly IssueRow[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Derives the rows of a record within the scope. Issues that do not come from the text stay. */
export function rederive(
  type: ResourceType,
  root: JsonObject,
  { scope, existingIssues, now }: RederiveOptions,
): DerivedRows {
  const index = scope.index || scope.sort ? indexRows(type, root, scope.keys) : noIndex;
  if (!scope.issues) return { index, issues: [] };
  const validation = deriveIssues(type, root, { today: dayOf(now) });
  return { ...validation, index, issues: [...validation.issues, ...listRetainedIssues(existingIssues)] };
}

/**
 * Combines the issues of a version's text with the current issues found elsewhere. The current issues may have changed
 * since the version was created.
 */
export function mergeForeignIssues(
  issues: readonly IssueRow[],
  existingIssues: readonly IssueRow[],
): IssueRow[] {
  return [...issues.filter((issue) => !isFoundElsewhere(issue)), ...existingIssues.filter(isFoundElsewhere)];
}
