import type { OutcomeIssue } from '../outcome.ts';
import { kindOfFinding } from './finding.ts';
import { refusals, type ValidationLevel } from './levels.ts';

/** What a save of a text would meet: issues as `$validate` answers them. */
export interface Verdict {
  /** Errors for which the save would be refused. */
  readonly refused: readonly OutcomeIssue[];
  /** Errors that do not refuse it: the version before has them too, or the level tolerates them. */
  readonly tolerated: readonly OutcomeIssue[];
  readonly warnings: readonly OutcomeIssue[];
}

/**
 * Judges the outcome of `$validate` on a text by that on the version before it, as the server will (the ratchet: an
 * error that was there already does not refuse).
 */
export function verdictOf(
  after: readonly OutcomeIssue[],
  before: readonly OutcomeIssue[],
  level: ValidationLevel,
): Verdict {
  const errors = after.filter(({ severity }) => severity === 'error' || severity === 'fatal');
  const known = new Set(before.map(identityOf));
  const added = errors.filter((issue) => !known.has(identityOf(issue)));
  const judged = added.map((issue) => ({
    ...{ issue, rule: ruleOf(issue), severity: 'error' as const },
    expression: issue.expression?.[0] ?? '',
  }));
  const refused = refusals(judged, level).map(({ issue }) => issue);
  return {
    refused,
    tolerated: errors.filter((issue) => !refused.includes(issue)),
    warnings: after.filter(({ severity }) => severity === 'warning'),
  };
}

/** The rule's id, which begins an issue's diagnostics. */
function ruleOf({ diagnostics = '' }: OutcomeIssue): string {
  return diagnostics.split(':')[0] ?? '';
}

function identityOf(issue: OutcomeIssue): string {
  const rule = ruleOf(issue);
  return [kindOfFinding(rule, issue.diagnostics), ...(issue.expression ?? [])].join(' ');
}
