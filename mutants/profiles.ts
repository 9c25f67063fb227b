import type { Mutant, NamedTest } from './mutant.ts';

const walk = 'core/fhir/profiles/walk.ts';
const slicing = 'core/fhir/profiles/slicing.ts';
const whole: NamedTest = {
  file: 'core/fhir/profiles/whole.test.ts',
  title: 'each break of it is found, and what only leaves an open slice is in order',
};
const plans: NamedTest = {
  file: 'core/fhir/profiles/judge-by.test.ts',
  title: 'a plan with %s is found, at its element and nowhere else',
};
const undecided: NamedTest = {
  file: 'core/fhir/profiles/judge-by.test.ts',
  title: 'what needs more than is at hand is neither passed nor broken',
};
const referred: NamedTest = {
  file: 'server/judge/profiles.test.ts',
  title:
    'what a record refers to is judged where it is at hand, and the record anew when it comes, changes and goes',
};

/** Judging by profiles: what is broken is found, and what cannot be told is neither passed nor broken. */
export const profileMutants: readonly Mutant[] = [
  {
    mechanism: 'profiles: what is mandatory is missed where it is missing',
    file: walk,
    text: "if (found.length < min) report.add('min', plan, parent, String(min));",
    test: whole,
  },
  {
    mechanism: 'profiles: what stands too often is found',
    file: walk,
    text: "if (found.length > max) report.add('max', plan, found[max] ?? parent, String(max));",
    test: whole,
  },
  {
    mechanism: 'profiles: a fixed value is the very value',
    file: walk,
    text: 'plan.fixed !== undefined && !isFixed(node, plan.fixed)',
    instead: 'false',
    test: whole,
  },
  {
    mechanism: 'profiles: a pattern is held',
    file: walk,
    text: 'plan.pattern !== undefined && !holdsPattern(node, plan.pattern)',
    instead: 'false',
    test: whole,
  },
  {
    mechanism: 'profiles: a slice that is mandatory is missed',
    file: slicing,
    text: "if (most < min) report.add('min', slice, parent, String(min));",
    instead: 'if (most < min) return;',
    test: whole,
  },
  {
    mechanism: 'profiles: a slice has a maximum',
    file: slicing,
    text: "if (sure.length > max) report.add('max', slice, sure[max] ?? parent, String(max));",
    instead: 'if (sure.length > max) return;',
    test: whole,
  },
  {
    mechanism: 'profiles: closed slices let nothing else in',
    file: slicing,
    text: "else report.add('closed', plan, item);",
    instead: 'else continue;',
    test: whole,
  },
  {
    mechanism: 'profiles: ordered slices stand in their order',
    file: slicing,
    text: 'if (ordered) inOrder(plan, found, places, parent, report);',
    test: plans,
  },
  {
    mechanism: 'profiles: an invariant that does not hold is found',
    file: walk,
    text: 'if (held === false) report.addBroken(plan, constraint, item);',
    instead: 'if (held === false) return;',
    test: plans,
  },
  {
    mechanism: 'profiles: a required value set takes its codes alone',
    file: walk,
    text: "if (bound.is === 'out' && strength === 'required') report.add('code', plan, item, valueSet);",
    test: plans,
  },
  {
    mechanism: 'profiles: a code below another is told by its code system',
    file: 'core/fhir/terminology/membership.ts',
    text: 'codes.find(code) === value || codes.isBelow(code, value)',
    instead: 'codes.find(code) === value',
    test: { file: 'core/fhir/terminology/membership.test.ts', title: '%s: %j, %s' },
  },
  {
    mechanism: 'profiles: a code system that is not at hand decides nothing',
    file: walk,
    text: "if (bound.is === 'undecided') report.open(plan, item, bound.needs);",
    test: undecided,
  },
  {
    mechanism: 'profiles: what is referred to and not at hand breaks nothing',
    file: walk,
    text: 'if (!answers.includes(undefined)) report.add(',
    instead: 'if (answers.length > 0) report.add(',
    test: undecided,
  },
  {
    mechanism: 'profiles: references are followed to what is kept beside the records',
    file: 'server/judge/profile-thread.ts',
    text: 'if (references.size > 0) return { wanted: [], references: [...references] };',
    test: referred,
  },
  {
    mechanism: 'profiles: records are judged anew when what they refer to is another',
    file: 'server/judge/profiles.ts',
    text: 'return isOther;',
    instead: 'return false;',
    test: referred,
  },
  {
    mechanism: 'profiles: a record of another server refers to nothing that is kept here',
    file: 'server/judge/profiles.ts',
    text: 'another ? undefined : ',
    test: {
      file: 'server/judge/profiles.test.ts',
      title: 'a record of another server refers to nothing that is kept here',
    },
  },
  {
    mechanism: 'profiles: a place among the companions is never given again',
    file: 'server/store/sqlite/sqlite-companions.ts',
    text: '1 + max((SELECT coalesce(max(pk), 0) FROM companion), (SELECT coalesce(max(seq), 0) FROM audit))',
    instead: '1 + (SELECT coalesce(max(pk), 0) FROM companion)',
    test: {
      file: 'server/store/sqlite/contract.test.ts',
      from: 'server/store/testing/contract-companions.ts',
      title: 'the stamp is another whenever there are others, and the same where nothing was kept or removed',
    },
  },
];
