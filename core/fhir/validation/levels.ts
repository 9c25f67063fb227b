import type { Finding } from './finding.ts';
import { rules } from './rules.ts';

export const validationLevels = ['off', 'standard', 'strict'] as const;
export type ValidationLevel = (typeof validationLevels)[number];

/** Rules whose errors the level `standard` stores and flags rather than refuses. */
const flagged: ReadonlySet<string> = new Set(rules.filter((rule) => rule.flagged).map(({ id }) => id));
/** Inside a contained resource; what is wrong with its place in the record is told at the resource itself. */
const insideContained = /^\w+\.contained\[\d+\]./;

/** The findings for which a level refuses a record (rows 13 and 13b); warnings never do. */
export function refusals<T extends Pick<Finding, 'rule' | 'severity' | 'expression'>>(
  findings: readonly T[],
  level: ValidationLevel,
): T[] {
  switch (level) {
    case 'off':
      return [];
    case 'standard':
      return findings.filter(
        ({ severity, rule, expression }) =>
          severity === 'error' && !flagged.has(rule) && !insideContained.test(expression),
      );
    case 'strict':
      return findings.filter(({ severity }) => severity === 'error');
  }
}
