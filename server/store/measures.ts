import type { FindingChange } from '../../core/app/measures.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { StandingFindings } from './issue-query.ts';

/** Days for which counts of ended findings are stored. */
export const retentionDays = 400;

/** Findings with the same start that ended on a day, by its number. */
export interface ClosedFindings extends Omit<StandingFindings, 'waived'> {
  readonly endDay: number;
}

/** Compares findings at the ends of two days, from the open findings and the findings that ended. */
export function changesOf(
  openFindings: readonly StandingFindings[],
  endedFindings: readonly ClosedFindings[],
  firstDay: number,
  lastDay: number,
): FindingChange[] {
  const changes = new Map<string, { -readonly [Name in keyof FindingChange]: FindingChange[Name] }>();
  const openWithoutEnd = openFindings.map((finding) => ({ ...finding, endDay: Infinity }));
  for (const finding of [...openWithoutEnd, ...endedFindings.map((finding) => ({ ...finding, waived: 0 }))]) {
    const [wasOpen, isOpen] = [
      finding.since <= firstDay && finding.endDay > firstDay,
      finding.since <= lastDay && finding.endDay > lastDay,
    ];
    if (!wasOpen && !isOpen) continue;
    const key = `${finding.rule} ${finding.type}`;
    const type: ResourceType = finding.type;
    const change = changes.get(key) ?? {
      rule: finding.rule,
      type,
      new: 0,
      resolved: 0,
      persisting: 0,
      waived: 0,
    };
    if (isOpen) change.waived += finding.waived;
    change[wasOpen && isOpen ? 'persisting' : isOpen ? 'new' : 'resolved'] += finding.findings;
    changes.set(key, change);
  }
  return [...changes.values()];
}
