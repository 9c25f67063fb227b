import type { OpenIssue } from '../../../../core/app/profile-issues.ts';
import type { Issue } from '../../../../core/fhir/text-validation.ts';

/** Returns the issues whose visible text contains every word of the filter, ignoring case. */
export function matching(issues: readonly Issue[], filter: string): readonly Issue[] {
  return filterItems(issues, filter, ({ text, expression, rule, category, severity, profile = '' }) =>
    [text, expression, rule, category, severity, profile].join(' '),
  );
}

/** Returns the undecided rules whose visible text contains every word of the filter. */
export function matchingOpen(open: readonly OpenIssue[], filter: string): readonly OpenIssue[] {
  return filterItems(open, filter, ({ text, expression, profile }) => [text, expression, profile].join(' '));
}

function filterItems<Item>(
  items: readonly Item[],
  filter: string,
  toText: (item: Item) => string,
): readonly Item[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter((item) => words.every((word) => toText(item).toLowerCase().includes(word)));
}
