import { renameMember, replaceNode } from '../../json/edit.ts';
import { member } from '../../json/node.ts';
import { scan } from '../../json/scan.ts';
import { keepOne, removeNamed } from './element-fixes.ts';
import { createUnfixable, type Fix } from './fix.ts';

/** Renames a maximum that has no value beside it to the value. */
function rename(rule: string, from: string, to: string): Fix {
  return {
    rule,
    words: `Rename ${from} to ${to}`,
    noFixReason: `Only the author knows ${to}.`,
    listOptions: ({ root, tokens }) => [
      { id: rule, words: `Rename ${from} to ${to}`, root: renameMember(root, [...tokens, from], to) },
    ],
  };
}

/** Removes the sign and preserves the digits. */
function positive(rule: string, name: string): Fix {
  const words = `Remove the minus sign from ${name}`;
  return {
    rule,
    words,
    noFixReason: 'Only the author knows the value.',
    listOptions: ({ root, tokens, node }) => {
      const value = member(node, name);
      if (value?.kind !== 'number' || !value.source.startsWith('-')) return [];
      return [
        { id: rule, words, root: replaceNode(root, [...tokens, name], scan(value.source.slice(1)).root) },
      ];
    },
  };
}

/** Fixes of when and how often something is done (FHIR R4 datatypes.html#Timing). */
export const timingFixes: readonly Fix[] = [
  createUnfixable('tim-1', 'Only the author knows the unit of the duration.'),
  createUnfixable('tim-2', 'Only the author knows the unit of the interval.'),
  positive('tim-4', 'duration'),
  positive('tim-5', 'period'),
  rename('tim-6', 'periodMax', 'period'),
  rename('tim-7', 'durationMax', 'duration'),
  rename('tim-8', 'countMax', 'count'),
  {
    rule: 'tim-9',
    words: 'Remove offset',
    noFixReason: 'Only the author knows what the offset refers to.',
    listOptions: removeNamed('tim-9', 'offset', 'offset'),
  },
  {
    rule: 'tim-10',
    words: 'Keep either timeOfDay or when',
    noFixReason: 'Only the author knows which one is right.',
    listOptions: keepOne('tim-10', ['timeOfDay', 'when']),
  },
];
