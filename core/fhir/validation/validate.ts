import type { JsonObject } from '../../json/node.ts';
import type { ResourceType } from '../resource.ts';
import { arrange } from './arrange.ts';
import { findingOf, maxFindings, type Finding } from './finding.ts';
import { ruleOf } from './rules.ts';
import { visit } from './visit.ts';

export interface ValidateOptions {
  /** Calendar date (YYYY-MM-DD) that decides which dates are overdue. */
  readonly today: string;
  /** Maximum number of findings. Defaults to {@link maxFindings}. */
  readonly maxFindings?: number;
}

/** The findings of one validation and the instant until which they hold. */
export interface ValidationResult {
  readonly findings: Finding[];
  /**
   * First midnight (UTC, ms since 1970) at which the findings change with the calendar. Absent if they never
   * change.
   */
  readonly revalidateAtMs?: number;
}

/**
 * Validates a record against R4, its invariants and the custom rules. Never throws.
 *
 * @param options.today - Calendar date (YYYY-MM-DD) that decides which dates are overdue.
 * @param options.maxFindings - Count; the first finding reports a truncated list.
 * @returns Findings in document order, one per rule and element. A missing element is reported at its parent.
 * @see FHIR R4 validation.html
 */
export function validateRecord(
  record: JsonObject,
  type: ResourceType,
  { today, maxFindings: limit = maxFindings }: ValidateOptions,
): ValidationResult {
  // Requests one extra finding to detect a truncated list.
  const { findings, revalidateAtMs } = visit(record, type, today, limit + 1);
  const arranged = arrange(findings, record);
  return {
    findings:
      arranged.length > limit
        ? [findingOf(ruleOf('stopped'), type, []), ...arranged.slice(0, limit)]
        : arranged,
    ...(revalidateAtMs !== undefined && { revalidateAtMs }),
  };
}

/** Returns only the findings of {@link validateRecord}. */
export function validate(record: JsonObject, type: ResourceType, options: ValidateOptions): Finding[] {
  return validateRecord(record, type, options).findings;
}

/**
 * Returns the findings of a baseline version. Its limit is higher: if the later version corrects some of very
 * many findings, the newly visible ones are old.
 */
export function validateBaseline(record: JsonObject, type: ResourceType, today: string): Finding[] {
  return validate(record, type, { today, maxFindings: 10 * maxFindings });
}
