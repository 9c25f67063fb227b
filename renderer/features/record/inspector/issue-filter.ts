import type { Issue } from '../../../../core/fhir/judgement.ts';

/** The issues that hold every word of the filter, in whatever is shown of them; case does not count. */
export function matching(issues: readonly Issue[], filter: string): readonly Issue[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return issues;
  return issues.filter(({ text, expression, rule, category, severity }) => {
    const shown = `${text} ${expression} ${rule} ${category} ${severity}`.toLowerCase();
    return words.every((word) => shown.includes(word));
  });
}
