import { renamed, replaced } from '../../json/edit.ts';
import { member } from '../../json/node.ts';
import { scan } from '../../json/scan.ts';
import { keepOne, remove } from './element-fixes.ts';
import { never, type Fix } from './fix.ts';

/** The greatest alone becomes the value itself. */
function rename(rule: string, from: string, to: string): Fix {
  return {
    rule,
    words: `Write ${from} as ${to}`,
    none: `Only who wrote the timing knows its ${to}.`,
    ways: ({ root, tokens }) => [
      { id: rule, words: `Rename ${from} to ${to}`, root: renamed(root, [...tokens, from], to) },
    ],
  };
}

/** Takes the sign away; the digits stay as they are written. */
function positive(rule: string, name: string): Fix {
  const words = `Take the sign of ${name} away`;
  return {
    rule,
    words,
    none: 'Only who wrote the timing knows the value.',
    ways: ({ root, tokens, node }) => {
      const value = member(node, name);
      if (value?.kind !== 'number' || !value.source.startsWith('-')) return [];
      return [{ id: rule, words, root: replaced(root, [...tokens, name], scan(value.source.slice(1)).root) }];
    },
  };
}

/** Fixes of when and how often something is done (FHIR R4 datatypes.html#Timing). */
export const timingFixes: readonly Fix[] = [
  never('tim-1', 'Only who wrote the timing knows the unit of its duration.'),
  never('tim-2', 'Only who wrote the timing knows the unit of its interval.'),
  positive('tim-4', 'duration'),
  positive('tim-5', 'period'),
  rename('tim-6', 'periodMax', 'period'),
  rename('tim-7', 'durationMax', 'duration'),
  rename('tim-8', 'countMax', 'count'),
  {
    rule: 'tim-9',
    words: 'Remove the offset',
    none: 'Only who wrote the timing knows what the offset is counted from.',
    ways: remove('tim-9', 'Remove the offset', ['offset']),
  },
  {
    rule: 'tim-10',
    words: 'Keep one of the two times',
    none: 'Only who wrote the timing knows which time is right.',
    ways: keepOne('tim-10', ['timeOfDay', 'when']),
  },
];
