import { expect, test } from 'vitest';
import { profileIssuesOf } from './profile-issues.ts';

const found = {
  rule: 'profile/ward-plan#CarePlan.period.start/min',
  severity: 'error',
  category: 'completeness',
  text: 'ward-plan: CarePlan.period.start is missing: at least 1.',
  expression: 'CarePlan.period',
  pointer: '/period',
  profile: 'http://ward.example/ward-plan|1.0.0',
} as const;
const open = {
  profile: 'http://ward.example/ward-plan|1.0.0',
  element: 'CarePlan.category',
  expression: 'CarePlan.category[0]',
  pointer: '/category/0',
  needs: 'CodeSystem http://snomed.info/sct',
};
const text = '{"resourceType":"CarePlan","period":{"end":"2026"}}';

test('a finding of a profile stands at the characters of its element', () => {
  const issues = profileIssuesOf('CarePlan', text, { findings: [found], undecided: [], absent: [] });
  expect(issues).toEqual({ found: [{ ...found, start: 27, end: 35 }], open: [] });
  expect(text.slice(27, 35)).toBe('"period"');
});

test('what is undecided, and a profile that is not at hand, say what is missing', () => {
  const absent = 'http://x.example/absent';
  expect(
    profileIssuesOf('CarePlan', text, { findings: [], undecided: [open], absent: [absent] }).open,
  ).toMatchObject([
    {
      text: 'No profile of this address on a CarePlan is at hand: nothing was judged by it.',
      pointer: '/meta/profile',
      needs: absent,
    },
    {
      text: 'Not decidable here: CarePlan.category needs CodeSystem http://snomed.info/sct.',
      pointer: '/category/0',
      needs: 'CodeSystem http://snomed.info/sct',
    },
  ]);
});

test('a text that is no JSON any more keeps what is undecided, and points at nothing', () => {
  const issues = profileIssuesOf('CarePlan', '{"resourceType"', {
    findings: [found],
    undecided: [open],
    absent: [],
  });
  expect([issues.found, issues.open.length]).toEqual([[], 1]);
});

test('what was found in the text before stands at the same elements', () => {
  const plan = (...names: readonly string[]) =>
    JSON.stringify({ activity: names.map((description) => ({ detail: { description } })) });
  const swim = { ...found, expression: 'CarePlan.activity[1].detail', pointer: '/activity/1/detail' };
  const told = { findings: [swim], undecided: [], absent: [] };
  const moved = plan('Swim');
  expect(profileIssuesOf('CarePlan', moved, told, plan('Walk', 'Swim')).found).toMatchObject([
    {
      expression: 'CarePlan.activity[0].detail',
      pointer: '/activity/0/detail',
      start: moved.indexOf('"detail"'),
    },
  ]);
  expect(profileIssuesOf('CarePlan', plan('Walk'), told, plan('Walk', 'Swim')).found).toEqual([]);
});
