import { equal } from '../../json/equal.ts';
import { member, stringMember, type JsonObject } from '../../json/node.ts';
import { tryScan } from '../../json/scan.ts';
import type { OutcomeIssue } from '../outcome.ts';
import type { ResourceType } from '../resource.ts';
import { findingOf, issueOfFinding, type Finding } from './finding.ts';
import { ruleOf } from './rules.ts';

/** Elements that do not affect the narrative. The server sets id and meta. */
const ignoredNames = new Set(['text', 'language', 'meta', 'id']);

/**
 * Returns true if content changed and the generated narrative did not.
 *
 * Its status is `generated`, it is equal in both versions, and another element differs (FHIR R4
 * narrative.html).
 */
export function narrativeStale(before: JsonObject, after: JsonObject): boolean {
  const text = member(after, 'text');
  const earlier = member(before, 'text');
  if (stringMember(text, 'status') !== 'generated' || !text || !earlier || !equal(text, earlier))
    return false;
  const names = new Set([...before.members, ...after.members].map(({ key }) => key));
  return [...names].some((name) => {
    if (ignoredNames.has(name)) return false;
    const [earlierValue, laterValue] = [member(before, name), member(after, name)];
    return !earlierValue || !laterValue || !equal(earlierValue, laterValue);
  });
}

/** Returns the warning that a save would leave a generated narrative stale. Returns nothing for an invalid text. */
export function staleIssues(type: ResourceType, before: string, after: string): readonly OutcomeIssue[] {
  const [earlierRecord, laterRecord] = [tryScan(before).root, tryScan(after).root];
  if (earlierRecord?.kind !== 'object' || laterRecord?.kind !== 'object') return [];
  return findStaleNarrative(earlierRecord, laterRecord, type).map(issueOfFinding);
}

/** Returns the warning that a change of content makes the generated narrative stale (row 52). */
export function findStaleNarrative(before: JsonObject, after: JsonObject, type: ResourceType): Finding[] {
  return narrativeStale(before, after) ? [staleNarrative(type)] : [];
}

/** Returns the warning that a record's generated narrative is out of date. */
export function staleNarrative(type: ResourceType): Finding {
  return findingOf(ruleOf('narrative-stale'), type, ['text']);
}
