import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes } from '../core/api/contract.ts';
import { contractTables } from './api-docs.ts';

const page = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8');
/** Prettier aligns tables and escapes; what they say is the same. */
const plain = (text: string) =>
  text
    .replace(/\\/g, '')
    .replace(/\s+|-{2,}/g, ' ')
    .replace(/ ?\| ?/g, '|');

test('docs/api.md says what the tables say (npm run docs writes it anew)', () => {
  for (const paragraph of contractTables().split('\n\n'))
    expect(plain(page)).toContain(plain(paragraph).trim());
});

test('docs/api.md has an example of each operation', () => {
  for (const { operation } of routes) expect(page).toContain(`### ${operation}\n`);
});
