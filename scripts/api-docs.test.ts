import { METHODS } from 'node:http';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { routes } from '../core/api/contract.ts';
import type * as RouteTable from '../core/api/route-table.ts';
import { PreferenceChange } from '../core/app/preferences.ts';
import { startTestServer } from '../server/testing/test-server.ts';
import { contractTables } from './api-docs.ts';
import { appSections, signInSection } from './app-addresses.ts';

const compiled = vi.hoisted((): RouteTable.Routed[] => []);
vi.mock('../core/api/route-table.ts', async (original) => {
  const real = await original<typeof RouteTable>();
  return {
    ...real,
    routeTable: <Route extends RouteTable.Routed>(table: readonly Route[]) => {
      compiled.push(...table);
      return real.routeTable(table);
    },
  };
});

const page = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8');
/** The formatter aligns tables and escapes; what they say is the same. */
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

test('the page has a row for each address under /app that a server has, and for no other', async () => {
  const server = await startTestServer();
  await server.remove();
  const paths = Map.groupBy(
    compiled.filter(({ path }) => path.startsWith('/app/')),
    ({ path }) => path.replace(/:(\w+)/g, '{$1}'),
  );
  const served = [...paths].flatMap(([path, own]) => {
    const methods = new Set(own.map(({ method }) => method));
    return METHODS.every((method) => methods.has(method))
      ? [`any ${path}`]
      : [...methods].map((method) => `${method} ${path}`);
  });
  const told = [signInSection, ...appSections].flatMap(({ rows }) =>
    Object.keys(rows).map((key) => key.replace(/ \d+$/, '')),
  );
  expect(told.sort()).toEqual(served.sort());
});

test('the page names each preference, and each value where there is a list of them', () => {
  const told = appSections.flatMap(({ rows }) => rows['GET /app/preferences 200'] ?? []).join();
  const [, { entries }] = PreferenceChange.pipe;
  for (const [name, { wrapped }] of Object.entries(entries)) {
    expect(told).toContain(`\`${name}\``);
    for (const value of 'options' in wrapped ? wrapped.options : [])
      if (typeof value !== 'object')
        expect(told).toContain(typeof value === 'string' ? `\`${value}\`` : `${value}`);
  }
});
