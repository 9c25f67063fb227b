import { equal } from '../../json/equal.ts';
import { member, stringMember, type JsonObject } from '../../json/node.ts';
import { tryScan } from '../../json/scan.ts';
import type { OutcomeIssue } from '../outcome.ts';
import type { ResourceType } from '../resource.ts';
import { findingOf, issueOfFinding, type Finding } from './finding.ts';
import { ruleOf } from './rules.ts';

/** What changes without the narrative's having to follow; id and meta are the server's. */
const apart = new Set(['text', 'language', 'meta', 'id']);

/**
 * Whether a change of content left a generated narrative behind: its status is `generated`, it is the same in both
 * versions, and an element that it may tell of is not (FHIR R4 narrative.html).
 */
export function narrativeStale(before: JsonObject, after: JsonObject): boolean {
  const text = member(after, 'text');
  const earlier = member(before, 'text');
  if (stringMember(text, 'status') !== 'generated' || !text || !earlier || !equal(text, earlier))
    return false;
  const names = new Set([...before.members, ...after.members].map(({ key }) => key));
  return [...names].some((name) => {
    if (apart.has(name)) return false;
    const [was, is] = [member(before, name), member(after, name)];
    return !was || !is || !equal(was, is);
  });
}

/** Returns the warning that a save of a text would leave its generated narrative behind; none for what is no record. */
export function staleIssues(type: ResourceType, before: string, after: string): readonly OutcomeIssue[] {
  const [was, is] = [tryScan(before).root, tryScan(after).root];
  if (was?.kind !== 'object' || is?.kind !== 'object') return [];
  return findStaleNarrative(was, is, type).map(issueOfFinding);
}

/** Returns the warning of a generated narrative that a change of content leaves behind (row 52); none elsewhere. */
export function findStaleNarrative(before: JsonObject, after: JsonObject, type: ResourceType): Finding[] {
  return narrativeStale(before, after) ? [staleNarrative(type)] : [];
}

/** Returns the warning that a record's generated narrative is out of date. */
export function staleNarrative(type: ResourceType): Finding {
  return findingOf(ruleOf('narrative-stale'), type, ['text']);
}
