import { without } from '../../json/edit.ts';
import { stringMember } from '../../json/node.ts';
import { locate } from '../../json/pointer.ts';
import { retext } from './element-fixes.ts';
import { textOf, type Fix, type FixPlace, type Way } from './fix.ts';

/** The narrative of a finding on it or on its div: what was generated can be generated again. */
function removeGenerated(rule: string) {
  return ({ root, tokens }: FixPlace): readonly Way[] => {
    const narrative = tokens.at(-1) === 'div' ? tokens.slice(0, -1) : tokens;
    if (stringMember(locate(root, narrative), 'status') !== 'generated') return [];
    return [{ id: rule, words: 'Remove the generated narrative', root: without(root, narrative) }];
  };
}

/** Fixes of the text for readers. */
export const narrativeFixes: readonly Fix[] = [
  {
    rule: 'txt-1',
    words: 'Remove generated narratives that break the rules',
    none: 'A person wrote this narrative; removing a part of it could change what it says.',
    ways: removeGenerated('txt-1'),
  },
  {
    rule: 'txt-2',
    words: 'Remove generated narratives that show nothing',
    none: 'Only its author knows what the narrative was to say.',
    ways: removeGenerated('txt-2'),
  },
  {
    rule: 'narrative-namespace',
    words: 'Declare the namespace',
    none: 'The narrative does not begin with a div.',
    ways: (place) => [
      retext(
        place,
        'narrative-namespace',
        textOf(place.node)?.replace(/^(\s*<div)(?=[\s>])/, '$1 xmlns="http://www.w3.org/1999/xhtml"'),
        'Declare the XHTML namespace',
      ),
    ],
  },
  {
    rule: 'narrative-stale',
    words: 'Remove generated narratives that are out of date',
    none: 'A person wrote this narrative; only a person can say whether it still holds.',
    ways: removeGenerated('narrative-stale'),
  },
];
