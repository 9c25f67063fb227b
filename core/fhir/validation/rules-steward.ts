import { dayLength, timeSpan } from './dates.ts';
import { has, isMembers, list, type Members, type Report, type Rule, type Surroundings } from './finding.ts';

const overdueDays = 180;

/** The first midnight (UTC) on which a plan is overdue; never for one that is not open, or has no end. */
function overdueFrom({ status, period }: Members): number {
  if ((status !== 'draft' && status !== 'active') || !isMembers(period)) return Infinity;
  const end = timeSpan(period.end);
  return end ? (Math.floor(end.last / dayLength) + 1 + overdueDays) * dayLength : Infinity;
}

/** What a data steward looks into; nothing of this refuses a record. */
export const stewardRules = [
  {
    id: 'final-without-attester',
    severity: 'warning',
    category: 'completeness',
    code: 'business-rule',
    text: 'The document is final but nobody attests it; add an attester.',
    on: ['Composition'],
    check: (composition: Members, report: Report) => {
      if (composition.status === 'final' && list(composition.attester).length === 0) report();
    },
  },
  {
    id: 'final-without-section',
    severity: 'warning',
    category: 'completeness',
    code: 'business-rule',
    text: 'The document is final but has no section; add one.',
    on: ['Composition'],
    check: (composition: Members, report: Report) => {
      if (composition.status === 'final' && list(composition.section).length === 0) report();
    },
  },
  {
    id: 'completed-without-end',
    severity: 'warning',
    category: 'completeness',
    code: 'business-rule',
    text: 'The plan is completed but its period has no end; add it.',
    on: ['CarePlan'],
    check: ({ status, period }: Members, report: Report) => {
      if (status === 'completed' && !(isMembers(period) && has(period, 'end'))) report();
    },
  },
  {
    id: 'plan-overdue',
    severity: 'warning',
    category: 'plausibility',
    code: 'business-rule',
    text: `The plan is open although its period ended more than ${overdueDays} days ago; close it or extend it.`,
    on: ['CarePlan'],
    check: (plan: Members, report: Report, { today }: Surroundings) => {
      const now = timeSpan(today);
      if (now && now.first >= overdueFrom(plan)) report(['period', 'end']);
    },
    changes: (plan: Members, { today }: Surroundings) => {
      const now = timeSpan(today);
      const from = overdueFrom(plan);
      return now && now.first < from && from !== Infinity ? from : undefined;
    },
  },
  {
    id: 'section-without-text',
    severity: 'warning',
    category: 'completeness',
    code: 'business-rule',
    text: 'The section has entries but no text for a reader; add a narrative.',
    on: ['Composition_Section'],
    check: (section: Members, report: Report) => {
      if (!has(section, 'text') && has(section, 'entry')) report();
    },
  },
] as const satisfies readonly Rule[];
