import type { OpenIssue } from '../../../../core/app/profile-issues.ts';
import type { Issue } from '../../../../core/fhir/judgement.ts';

/** The issues that hold every word of the filter, in whatever is shown of them; case does not count. */
export function matching(issues: readonly Issue[], filter: string): readonly Issue[] {
  return holding(issues, filter, ({ text, expression, rule, category, severity, profile = '' }) =>
    [text, expression, rule, category, severity, profile].join(' '),
  );
}

/** The same of what is not decidable. */
export function matchingOpen(open: readonly OpenIssue[], filter: string): readonly OpenIssue[] {
  return holding(open, filter, ({ text, expression, profile }) => [text, expression, profile].join(' '));
}

function holding<One>(all: readonly One[], filter: string, shown: (one: One) => string): readonly One[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return all;
  return all.filter((one) => words.every((word) => shown(one).toLowerCase().includes(word)));
}
