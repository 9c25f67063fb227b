import { dayMs, timeSpan } from './definition/dates.ts';
import {
  has,
  isPlainObject,
  reportIf,
  type PlainObject,
  type ReportFinding,
  type Rule,
  type RuleContext,
} from './definition/rule.ts';
import type { TypeDefinition } from './definition/type-definition.ts';

const overdueDays = 180;

/**
 * Returns the midnight (UTC) from which a plan is overdue, in milliseconds; Infinity if the plan is closed or has no
 * end.
 */
function getOverdueMs({ status, period }: PlainObject): number {
  if ((status !== 'draft' && status !== 'active') || !isPlainObject(period)) return Infinity;
  const end = timeSpan(period.end);
  return end ? (Math.floor(end.endMs / dayMs) + 1 + overdueDays) * dayMs : Infinity;
}

const rules = [
  {
    id: 'cpl-3',
    severity: 'error',
    category: 'conformance',
    code: 'invariant',
    text: 'The activity has both a detail and a reference. Keep one.',
    appliesTo: ['CarePlan_Activity'],
    check: reportIf((activity) => has(activity, 'detail') && has(activity, 'reference')),
  },
  {
    id: 'completed-without-end',
    severity: 'warning',
    category: 'completeness',
    code: 'business-rule',
    text: 'The plan is completed, but its period has no end.',
    appliesTo: ['CarePlan'],
    check: reportIf(
      ({ status, period }) => status === 'completed' && !(isPlainObject(period) && has(period, 'end')),
    ),
  },
  {
    id: 'plan-overdue',
    severity: 'warning',
    category: 'plausibility',
    code: 'business-rule',
    text: `The plan is still open, but its period ended more than ${overdueDays} days ago. Close or extend it.`,
    subject: 'value',
    appliesTo: ['CarePlan'],
    check: (plan: PlainObject, report: ReportFinding, { today }: RuleContext) => {
      const todaySpan = timeSpan(today);
      if (todaySpan && todaySpan.startMs >= getOverdueMs(plan)) report(['period', 'end']);
    },
    nextChangeAt: (plan: PlainObject, { today }: RuleContext) => {
      const todaySpan = timeSpan(today);
      const overdueMs = getOverdueMs(plan);
      return todaySpan && todaySpan.startMs < overdueMs && overdueMs !== Infinity ? overdueMs : undefined;
    },
  },
] as const satisfies readonly Rule[];

export const carePlan = {
  name: 'CarePlan',
  defaultTitle: 'Care plan',
  summary: {
    status: 'status',
    intent: 'intent',
    title: [
      'title',
      'category',
      'activity.detail.code',
      'activity.detail.description',
      'activity.reference.display',
      'activity.outcomeCodeableConcept',
      'description',
    ],
    subject: 'subject',
    encounter: 'encounter',
    date: ['period.start', 'created'],
    end: 'period.end',
  },
  // Permanent numbers in the index, unique over all types.
  parameterNumbers: {
    subject: 1,
    patient: 1,
    encounter: 2,
    identifier: 3,
    status: 4,
    category: 5,
    date: 6,
    intent: 7,
    'activity-code': 17,
    'activity-date': 18,
    'activity-reference': 19,
    'based-on': 20,
    'care-team': 21,
    condition: 22,
    goal: 23,
    'instantiates-canonical': 24,
    'instantiates-uri': 25,
    'part-of': 26,
    performer: 27,
    replaces: 28,
    _profile: 29,
    _security: 30,
    _source: 31,
    _tag: 32,
  },
  sort: { date: 'date', status: 'status' },
  filters: ['status', 'category', 'intent', 'date', '_source', '_tag', '_profile'],
  columns: [
    { id: 'activities', path: 'activity', format: 'count', isInitiallyVisible: true },
    { id: 'doNotPerform', path: 'activity', format: 'negated', isAlwaysExported: true },
    { id: 'goals', path: 'goal', format: 'count' },
    { id: 'category', path: 'category', format: 'names' },
    { id: 'intent', path: 'intent', format: 'code' },
    { id: 'author', path: ['author', 'contributor'], format: 'names' },
    { id: 'careTeam', path: 'careTeam', format: 'names' },
    { id: 'addresses', path: 'addresses', format: 'names' },
    { id: 'created', path: 'created', format: 'date' },
  ],
  needsSubject: true,
  readingView: 'plan',
  relations: {
    refersTo: [
      { parameter: 'based-on', member: 'basedOn' },
      { parameter: 'replaces', member: 'replaces' },
      { parameter: 'part-of', member: 'partOf' },
    ],
    replaces: { parameter: 'replaces' },
    currentStatuses: ['active', 'on-hold'],
    overlap: {
      status: 'active',
      category: 'category',
      date: 'date',
      // US Core's category of all care plans, and SNOMED CT's code for a care plan.
      ignoredCategories: ['assess-plan', '734163000'],
    },
  },
  facts: [
    { id: 'status', path: 'status', format: 'status', isShownWithoutValue: true },
    { id: 'intent', path: 'intent', format: 'code', isShownWithoutValue: true },
    { id: 'subject', path: 'subject', format: 'references', isShownWithoutValue: true },
    { id: 'encounter', path: 'encounter', format: 'references' },
    {
      id: 'period',
      path: 'period',
      format: 'period',
      isShownWithoutValue: true,
      statusesWithFutureEnd: ['draft', 'active', 'on-hold'],
    },
    { id: 'created', path: 'created', format: 'date' },
    { id: 'author', path: 'author', format: 'references' },
    { id: 'category', path: 'category', format: 'concepts' },
    { id: 'careTeam', path: 'careTeam', format: 'references' },
    { id: 'addresses', path: 'addresses', format: 'references' },
  ],
  newRecord: {
    elements: { status: 'draft', intent: 'plan', subject: { reference: '' } },
    questions: [{ id: 'patient', pointer: '/subject/reference', kind: 'subject' }],
  },
  enteredInError: 'entered-in-error',
  rules,
} as const satisfies TypeDefinition;
