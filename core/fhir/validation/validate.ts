import type { JsonObject } from '../../json/node.ts';
import type { ResourceType } from '../resource.ts';
import { arrange } from './arrange.ts';
import { findingOf, mostFindings, type Finding } from './finding.ts';
import { ruleOf } from './rules.ts';
import { visit } from './visit.ts';

export interface ValidateOptions {
  /** A date (YYYY-MM-DD): what is overdue depends on it. */
  readonly today: string;
  /** Where it stops; {@link mostFindings} where absent. */
  readonly most?: number;
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
 * Judges a record by FHIR R4's definitions, their invariants and the steward's rules. Never throws; the findings are in
 * document order, at most one for each rule and element, those on a missing element at its parent. Where there are
 * more than `most`, the first says so.
 */
export function judgeRecord(
  record: JsonObject,
  type: ResourceType,
  { today, most = mostFindings }: ValidateOptions,
): Judged {
  // One more than is told: so it is known whether there are more.
  const { findings, judgeAgain } = visit(record, type, today, most + 1);
  const arranged = arrange(findings, record);
  return {
    findings:
      arranged.length > most
        ? [findingOf(ruleOf('stopped'), type, []), ...arranged.slice(0, most)]
        : arranged,
    ...(judgeAgain !== undefined && { judgeAgain }),
  };
}

/** The findings of {@link judgeRecord} alone. */
export function validate(record: JsonObject, type: ResourceType, options: ValidateOptions): Finding[] {
  return judgeRecord(record, type, options).findings;
}

/**
 * Returns the findings of a version that a later one is compared with. It is validated further: if the later version
 * mends some of very many, those that come into view behind them are old.
 */
export function validateBaseline(record: JsonObject, type: ResourceType, today: string): Finding[] {
  return validate(record, type, { today, most: 10 * mostFindings });
}
