import { dayLength, timeSpan } from './definition/dates.ts';
import {
  has,
  isMembers,
  reportIf,
  type Members,
  type Report,
  type Rule,
  type Surroundings,
} from './definition/rule.ts';
import type { TypeDefinition } from './definition/type-definition.ts';

const overdueDays = 180;

/** The first midnight (UTC) on which a plan is overdue; never for one that is not open, or has no end. */
function overdueFrom({ status, period }: Members): number {
  if ((status !== 'draft' && status !== 'active') || !isMembers(period)) return Infinity;
  const end = timeSpan(period.end);
  return end ? (Math.floor(end.last / dayLength) + 1 + overdueDays) * dayLength : Infinity;
}

const rules = [
  {
    id: 'cpl-3',
    severity: 'error',
    category: 'conformance',
    code: 'invariant',
    text: 'The activity has both a detail and a reference; keep one of them.',
    on: ['CarePlan_Activity'],
    check: reportIf((activity) => has(activity, 'detail') && has(activity, 'reference')),
  },
  {
    id: 'completed-without-end',
    severity: 'warning',
    category: 'completeness',
    code: 'business-rule',
    text: 'The plan is completed but its period has no end; add it.',
    on: ['CarePlan'],
    check: reportIf(
      ({ status, period }) => status === 'completed' && !(isMembers(period) && has(period, 'end')),
    ),
  },
  {
    id: 'plan-overdue',
    severity: 'warning',
    category: 'plausibility',
    code: 'business-rule',
    text: `The plan is open although its period ended more than ${overdueDays} days ago; close it or extend it.`,
    about: 'value',
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
] as const satisfies readonly Rule[];

export const carePlan = {
  name: 'CarePlan',
  plural: 'CarePlans',
  called: 'Care plan',
  calledMany: 'Care plans',
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
  parameters: {
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
    { id: 'activities', label: 'Activities', path: 'activity', as: 'count', shownAtFirst: true },
    { id: 'doNotPerform', label: 'doNotPerform', path: 'activity', as: 'negated', exportedAlways: true },
    { id: 'goals', label: 'Goals', path: 'goal', as: 'count' },
    { id: 'category', label: 'Category', path: 'category', as: 'names' },
    { id: 'intent', label: 'Intent', path: 'intent', as: 'code' },
    { id: 'author', label: 'Author', path: ['author', 'contributor'], as: 'names' },
    { id: 'careTeam', label: 'Care team', path: 'careTeam', as: 'names' },
    { id: 'addresses', label: 'Addresses', path: 'addresses', as: 'names' },
    { id: 'created', label: 'Created', path: 'created', as: 'date' },
  ],
  needsSubject: true,
  readAs: 'plan',
  relations: {
    refersTo: [
      { parameter: 'based-on', member: 'basedOn' },
      { parameter: 'replaces', member: 'replaces' },
      { parameter: 'part-of', member: 'partOf' },
    ],
    replaces: { parameter: 'replaces' },
    current: ['active', 'on-hold'],
    overlap: { status: 'active', category: 'category', date: 'date', general: ['assess-plan', '734163000'] },
  },
  facts: [
    { label: 'Status', path: 'status', as: 'status', always: true },
    { label: 'Intent', path: 'intent', as: 'code', always: true },
    { label: 'Subject', path: 'subject', as: 'references', always: true },
    { label: 'Encounter', path: 'encounter', as: 'references' },
    {
      label: 'Period',
      path: 'period',
      as: 'period',
      always: true,
      openWhile: ['draft', 'active', 'on-hold'],
    },
    { label: 'Created', path: 'created', as: 'date' },
    { label: 'Author', path: 'author', as: 'references' },
    { label: 'Category', path: 'category', as: 'concepts' },
    { label: 'Care team', path: 'careTeam', as: 'references' },
    { label: 'Addresses', path: 'addresses', as: 'references' },
  ],
  begin: {
    elements: { status: 'draft', intent: 'plan', subject: { reference: '' } },
    asks: [{ label: 'Patient', pointer: '/subject/reference', as: 'subject' }],
  },
  enteredInError: 'entered-in-error',
  rules,
} as const satisfies TypeDefinition;
