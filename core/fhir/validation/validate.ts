import type { JsonObject } from '../../json/node.ts';
import type { ResourceType } from '../resource.ts';
import { arrange } from './arrange.ts';
import type { Finding } from './finding.ts';
import { schemaFindings } from './schema-findings.ts';
import { visit } from './visit.ts';

export interface ValidateOptions {
  /** A date (YYYY-MM-DD): what is overdue depends on it. */
  readonly today: string;
}

/** What is wrong with a record, and how long that holds. */
export interface Judged {
  readonly findings: Finding[];
  /**
   * The first midnight (UTC, milliseconds since 1970) at which the findings differ by the calendar alone; absent where
   * they never do.
   */
  readonly judgeAgain?: number;
}

/**
 * Judges a record by FHIR R4's schema, its invariants and the steward's rules. Never throws; the findings are in
 * document order, at most one for each rule and element, those on a missing element at its parent.
 */
export function judgeRecord(record: JsonObject, type: ResourceType, { today }: ValidateOptions): Judged {
  const { value, findings, judgeAgain } = visit(record, type, today);
  return {
    findings: arrange([...schemaFindings(value, type), ...findings], record),
    ...(judgeAgain !== undefined && { judgeAgain }),
  };
}

/** The findings of {@link judgeRecord} alone. */
export function validate(record: JsonObject, type: ResourceType, options: ValidateOptions): Finding[] {
  return judgeRecord(record, type, options).findings;
}
