import { renameMember, replaceNode } from '../../json/edit.ts';
import { member } from '../../json/node.ts';
import { scan } from '../../json/scan.ts';
import { createExclusiveOptions, createNamedRemoval } from './element-fixes.ts';
import { createUnfixable, type Fix } from './fix.ts';

/** Creates a fix that renames a maximum without its value, such as `periodMax` without `period`, to the value. */
function createRenameFix(rule: string, from: string, to: string): Fix {
  return {
    rule,
    label: `Rename ${from} to ${to}`,
    reasonWithoutOptions: `Only the author knows ${to}.`,
    listOptions: ({ root, tokens }) => [
      { id: rule, label: `Rename ${from} to ${to}`, fixedRoot: renameMember(root, [...tokens, from], to) },
    ],
  };
}

/** Creates a fix that removes the minus sign of a number and preserves its digits. */
function createSignFix(rule: string, name: string): Fix {
  const label = `Remove the minus sign from ${name}`;
  return {
    rule,
    label,
    reasonWithoutOptions: 'Only the author knows the value.',
    listOptions: ({ root, tokens, node }) => {
      const value = member(node, name);
      if (value?.kind !== 'number' || !value.source.startsWith('-')) return [];
      return [
        {
          id: rule,
          label,
          fixedRoot: replaceNode(root, [...tokens, name], scan(value.source.slice(1)).root),
        },
      ];
    },
  };
}

/** Fixes for Timing elements (FHIR R4 datatypes.html#Timing). */
export const timingFixes: readonly Fix[] = [
  createUnfixable('tim-1', 'Only the author knows the unit of the duration.'),
  createUnfixable('tim-2', 'Only the author knows the unit of the interval.'),
  createSignFix('tim-4', 'duration'),
  createSignFix('tim-5', 'period'),
  createRenameFix('tim-6', 'periodMax', 'period'),
  createRenameFix('tim-7', 'durationMax', 'duration'),
  createRenameFix('tim-8', 'countMax', 'count'),
  {
    rule: 'tim-9',
    label: 'Remove offset',
    reasonWithoutOptions: 'Only the author knows what the offset refers to.',
    listOptions: createNamedRemoval({ id: 'tim-9', name: 'offset', path: ['offset'] }),
  },
  {
    rule: 'tim-10',
    label: 'Keep either timeOfDay or when',
    reasonWithoutOptions: 'Only the author knows which one is right.',
    listOptions: createExclusiveOptions('tim-10', ['timeOfDay', 'when']),
  },
];
