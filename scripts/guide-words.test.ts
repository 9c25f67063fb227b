import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const readFiles = (pattern: string) => globSync(pattern).map((file) => readFileSync(file, 'utf8'));
/** All texts of the interface. */
const interfaceText = [...readFiles('renderer/ui/text/*.ts'), ...readFiles('core/app/commands.ts')].join(
  '\n',
);
/** Labels in the guide: its bold and capitalized texts. */
const names = new Set(
  readFiles('docs/guide/*.md').flatMap((page) =>
    [...page.matchAll(/\*\*(\p{Lu}[^*]+)\*\*/gu)].map(([, name = '']) => name.replaceAll('\n', ' ')),
  ),
);

test('uses only labels of the interface', () => {
  expect(names.size).toBeGreaterThan(30);
  const knownNames = [...names].filter((name) => {
    // Counts and choices are not part of a static label.
    const [fixed = ''] = name.split(/ version| …|\d/);
    return [`'${fixed}`, `\`${fixed}`].some((start) => interfaceText.includes(start));
  });
  expect([...names].filter((name) => !knownNames.includes(name))).toEqual([]);
});
