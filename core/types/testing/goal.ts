/**
 * A third resource type. It is not offered: scripts/third-type.long.test.ts puts this file into core/types of a copy of the
 * sources, where nothing else is changed, and runs there what is written over all types.
 */
import { has, type Members, type Report, type Rule } from '../definition/rule.ts';
import type { TypeDefinition } from '../definition/type-definition.ts';

const rules = [
  {
    id: 'gol-1',
    severity: 'error',
    category: 'conformance',
    code: 'invariant',
    text: 'The target has a detail but does not say what is measured; add its measure.',
    on: ['Goal_Target'],
    check: (target: Members, report: Report) => {
      const detailed = Object.keys(target).some((name) => /^_?detail[A-Z]/.test(name));
      if (detailed && !has(target, 'measure')) report();
    },
  },
  {
    id: 'achieved-while-proposed',
    severity: 'warning',
    category: 'plausibility',
    code: 'business-rule',
    text: 'The goal is only proposed but its achievement is told; say whether it was accepted.',
    on: ['Goal'],
    check: (goal: Members, report: Report) => {
      if (goal.lifecycleStatus === 'proposed' && has(goal, 'achievementStatus')) report();
    },
  },
] as const satisfies readonly Rule[];

export const goal = {
  name: 'Goal',
  plural: 'Goals',
  calledMany: 'Goals',
  called: 'Goal',
  summary: {
    status: 'lifecycleStatus',
    title: ['description', 'category'],
    subject: 'subject',
    date: ['startDate', 'statusDate'],
  },
  parameters: {
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
    { id: 'priority', label: 'Priority', path: 'priority', as: 'names', shownAtFirst: true },
    { id: 'targets', label: 'Targets', path: 'target', as: 'count' },
  ],
  facts: [
    { label: 'Status', path: 'lifecycleStatus', as: 'status', always: true },
    { label: 'Achievement', path: 'achievementStatus', as: 'concepts' },
    { label: 'Description', path: 'description', as: 'concepts', always: true },
    { label: 'Subject', path: 'subject', as: 'references', always: true },
    { label: 'Start', path: ['startDate', 'statusDate'], as: 'date' },
    { label: 'Due', path: 'target.dueDate', as: 'date' },
    { label: 'Addresses', path: 'addresses', as: 'references' },
  ],
  begin: {
    elements: { lifecycleStatus: 'proposed', description: { text: '' }, subject: { reference: '' } },
    asks: [
      { label: 'Patient', pointer: '/subject/reference', as: 'subject' },
      { label: 'Goal', pointer: '/description/text', as: 'text' },
    ],
  },
  enteredInError: 'entered-in-error',
  rules,
} as const satisfies TypeDefinition;
