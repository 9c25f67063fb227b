import { expect, test } from 'vitest';
import { profileIssuesOf } from './profile-issues.ts';

const profileFinding = {
  rule: 'profile/ward-plan#CarePlan.period.start/min',
  severity: 'error',
  category: 'completeness',
  text: 'ward-plan: CarePlan.period.start is missing (minimum: 1).',
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
  text: 'Not checked: CarePlan.category needs CodeSystem http://snomed.info/sct.',
  messageCode: 'needs.codeSystem',
  parameters: { system: 'http://snomed.info/sct', element: 'CarePlan.category' },
};
const text = '{"resourceType":"CarePlan","period":{"end":"2026"}}';

test('locates a profile finding at the characters of its element', () => {
  const issues = profileIssuesOf('CarePlan', text, { findings: [profileFinding], undecided: [], absent: [] });
  expect(issues).toEqual({ issues: [{ ...profileFinding, start: 27, end: 35 }], open: [] });
  expect(text.slice(27, 35)).toBe('"period"');
});

test('lists undecided requirements and a missing profile with their needs', () => {
  const missingProfile = 'http://x.example/absent';
  expect(
    profileIssuesOf('CarePlan', text, { findings: [], undecided: [open], absent: [missingProfile] }).open,
  ).toMatchObject([
    {
      messageCode: 'profile.absent',
      parameters: { type: 'CarePlan' },
      pointer: '/meta/profile',
      needs: missingProfile,
    },
    open,
  ]);
});

test('keeps undecided requirements and drops findings if the text is not JSON', () => {
  const issues = profileIssuesOf('CarePlan', '{"resourceType"', {
    findings: [profileFinding],
    undecided: [open],
    absent: [],
  });
  expect([issues.issues, issues.open.length]).toEqual([[], 1]);
});

test('follows findings of the previous text to their elements', () => {
  const plan = (...names: readonly string[]) =>
    JSON.stringify({ activity: names.map((description) => ({ detail: { description } })) });
  const swim = {
    ...profileFinding,
    expression: 'CarePlan.activity[1].detail',
    pointer: '/activity/1/detail',
  };
  const profileFindings = { findings: [swim], undecided: [], absent: [] };
  const currentText = plan('Swim');
  expect(
    profileIssuesOf('CarePlan', currentText, profileFindings, plan('Walk', 'Swim')).issues,
  ).toMatchObject([
    {
      expression: 'CarePlan.activity[0].detail',
      pointer: '/activity/0/detail',
      start: currentText.indexOf('"detail"'),
    },
  ]);
  expect(profileIssuesOf('CarePlan', plan('Walk'), profileFindings, plan('Walk', 'Swim')).issues).toEqual([]);
});
