import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (pattern: string) => globSync(pattern).map((file) => readFileSync(file, 'utf8'));
/** All words of the interface, as they are written. */
const words = [...read('renderer/ui/text/*.ts'), ...read('core/app/commands.ts')].join('\n');
/** What the guide prints bold and writes large: the names of what is on the screen. */
const names = new Set(
  read('docs/guide/*.md').flatMap((page) =>
    [...page.matchAll(/\*\*(\p{Lu}[^*]+)\*\*/gu)].map(([, name = '']) => name.replaceAll('\n', ' ')),
  ),
);

test('what the guide names is on the screen under that name', () => {
  expect(names.size).toBeGreaterThan(30);
  const known = [...names].filter((name) => {
    // What is counted or chosen stands there only once it is known.
    const [fixed = ''] = name.split(/ version| …|\d/);
    return [`'${fixed}`, `\`${fixed}`].some((begin) => words.includes(begin));
  });
  expect([...names].filter((name) => !known.includes(name))).toEqual([]);
});
