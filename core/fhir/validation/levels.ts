import { identity, type Finding } from './finding.ts';

export const validationLevels = ['off', 'standard', 'strict'] as const;
export type ValidationLevel = (typeof validationLevels)[number];

/** Errors that the level `standard` stores and flags rather than refuses. */
const tolerated = new Set(['schema-required', 'schema-unknown']);

/** The findings for which a level refuses a record; warnings never do. */
export function refusals<T extends Pick<Finding, 'rule' | 'severity'>>(
  findings: readonly T[],
  level: ValidationLevel,
): T[] {
  switch (level) {
    case 'off':
      return [];
    case 'standard':
      return findings.filter(({ severity, rule }) => severity === 'error' && !tolerated.has(rule));
    case 'strict':
      return findings.filter(({ severity }) => severity === 'error');
  }
}

/** The ratchet: the findings of `after` that `before` does not have, compared by rule and element. */
export function added(after: readonly Finding[], before: readonly Finding[]): Finding[] {
  const known = new Set(before.map(identity));
  return after.filter((finding) => !known.has(identity(finding)));
}
