import type { FindingChange } from '../../core/app/measures.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { StandingFindings } from './issue-query.ts';

/** Days for which ended findings are counted apart. */
export const keptDays = 400;

/** Findings of one beginning that ended on a day, by its number. */
export interface Ended extends Omit<StandingFindings, 'waived'> {
  readonly ended: number;
}

/** What became of findings between the ends of two days, of those that stand and of those that `gone` says have ended. */
export function changesOf(
  standing: readonly StandingFindings[],
  gone: readonly Ended[],
  from: number,
  to: number,
): FindingChange[] {
  const changes = new Map<string, { -readonly [Name in keyof FindingChange]: FindingChange[Name] }>();
  const standingStill = standing.map((each) => ({ ...each, ended: Infinity }));
  for (const one of [...standingStill, ...gone.map((each) => ({ ...each, waived: 0 }))]) {
    const [then, now] = [one.since <= from && one.ended > from, one.since <= to && one.ended > to];
    if (!then && !now) continue;
    const key = `${one.rule} ${one.type}`;
    const type: ResourceType = one.type;
    const change = changes.get(key) ?? {
      rule: one.rule,
      type,
      new: 0,
      resolved: 0,
      persisting: 0,
      waived: 0,
    };
    if (now) change.waived += one.waived;
    change[then && now ? 'persisting' : now ? 'new' : 'resolved'] += one.findings;
    changes.set(key, change);
  }
  return [...changes.values()];
}
