/**
 * Third resource type, not supported by the product. scripts/third-type.long.test.ts adds this file to
 * core/types of a copy of the sources and runs all tests that cover every type there.
 */
import { has, type PlainObject, type ReportFinding, type Rule } from '../definition/rule.ts';
import type { TypeDefinition } from '../definition/type-definition.ts';

const rules = [
  {
    id: 'gol-1',
    severity: 'error',
    category: 'conformance',
    code: 'invariant',
    text: 'The target has a detail but no measure. Add it.',
    appliesTo: ['Goal_Target'],
    check: (target: PlainObject, report: ReportFinding) => {
      const detailed = Object.keys(target).some((name) => /^_?detail[A-Z]/.test(name));
      if (detailed && !has(target, 'measure')) report();
    },
  },
  {
    id: 'achieved-while-proposed',
    severity: 'warning',
    category: 'plausibility',
    code: 'business-rule',
    text: 'The goal is only proposed, but has an achievement status. Correct one.',
    appliesTo: ['Goal'],
    check: (goal: PlainObject, report: ReportFinding) => {
      if (goal.lifecycleStatus === 'proposed' && has(goal, 'achievementStatus')) report();
    },
  },
] as const satisfies readonly Rule[];

export const goal = {
  name: 'Goal',
  defaultTitle: 'Goal',
  summary: {
    status: 'lifecycleStatus',
    title: ['description', 'category'],
    subject: 'subject',
    date: ['startDate', 'statusDate'],
  },
  parameterNumbers: {
    subject: 1000,
    patient: 1000,
    identifier: 1001,
    'lifecycle-status': 1002,
    'achievement-status': 1003,
    category: 1004,
    'start-date': 1005,
    'target-date': 1006,
    _profile: 1007,
    _security: 1008,
    _source: 1009,
    _tag: 1010,
  },
  sort: { 'start-date': 'date', 'lifecycle-status': 'status' },
  filters: ['lifecycle-status', 'start-date'],
  columns: [
    { id: 'priority', path: 'priority', format: 'names', isInitiallyVisible: true },
    { id: 'targets', path: 'target', format: 'count' },
  ],
  facts: [
    { id: 'status', path: 'lifecycleStatus', format: 'status', isShownWithoutValue: true },
    { id: 'achievement', path: 'achievementStatus', format: 'concepts' },
    { id: 'description', path: 'description', format: 'concepts', isShownWithoutValue: true },
    { id: 'subject', path: 'subject', format: 'references', isShownWithoutValue: true },
    { id: 'start', path: ['startDate', 'statusDate'], format: 'date' },
    { id: 'due', path: 'target.dueDate', format: 'date' },
    { id: 'addresses', path: 'addresses', format: 'references' },
  ],
  newRecord: {
    elements: { lifecycleStatus: 'proposed', description: { text: '' }, subject: { reference: '' } },
    questions: [
      { id: 'patient', pointer: '/subject/reference', kind: 'subject' },
      { id: 'goal', pointer: '/description/text', kind: 'text' },
    ],
  },
  enteredInError: 'entered-in-error',
  rules,
} as const satisfies TypeDefinition;
