import type { Finding } from './finding.ts';
import type { ValidationLevel } from './levels.ts';
import { rules } from './rules.ts';

/** Rules whose errors the level `standard` stores and flags. */
const flaggedRules: ReadonlySet<string> = new Set(rules.filter((rule) => rule.flagged).map(({ id }) => id));
/** An element inside a contained resource. Errors of the resource as a whole are outside it. */
const insideContained = /^\w+\.contained\[\d+\]./;

/** Returns the findings for which a level rejects a record (rows 13 and 13b). Never rejects a warning. */
export function listRejections<T extends Pick<Finding, 'rule' | 'severity' | 'expression'>>(
  findings: readonly T[],
  level: ValidationLevel,
): T[] {
  switch (level) {
    case 'off':
      return [];
    case 'standard':
      return findings.filter(
        ({ severity, rule, expression }) =>
          severity === 'error' && !flaggedRules.has(rule) && !insideContained.test(expression),
      );
    case 'strict':
      return findings.filter(({ severity }) => severity === 'error');
  }
}
