import { METHODS } from 'node:http';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { routes } from '../core/api/contract.ts';
import type * as RouteTable from '../core/api/contract.ts';
import { PreferenceChange } from '../core/app/preferences.ts';
import { startTestServer } from '../server/testing/test-server.ts';
import { formatContract } from './api-docs.ts';
import { appSections, signInSection } from './app-addresses.ts';

const registeredRoutes = vi.hoisted((): RouteTable.RoutePattern[] => []);
vi.mock('../core/api/contract.ts', async (original) => {
  const routeTableModule = await original<typeof RouteTable>();
  return {
    ...routeTableModule,
    routeTable: <Route extends RouteTable.RoutePattern>(table: readonly Route[]) => {
      registeredRoutes.push(...table);
      return routeTableModule.routeTable(table);
    },
  };
});

const page = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8');
/** Removes the differences that the formatter makes: aligned tables and escapes. */
const normalize = (text: string) =>
  text
    .replace(/\\/g, '')
    .replace(/\s+|-{2,}/g, ' ')
    .replace(/ ?\| ?/g, '|');

test('keeps the tables of docs/api.md up to date (written by npm run docs)', () => {
  for (const paragraph of formatContract().split('\n\n'))
    expect(normalize(page)).toContain(normalize(paragraph).trim());
});

test('has an example of each operation in docs/api.md', () => {
  for (const { operation } of routes) expect(page).toContain(`### ${operation}\n`);
});

test('documents exactly the addresses under /app that a server has', async () => {
  const server = await startTestServer();
  await server.remove();
  const paths = Map.groupBy(
    registeredRoutes.filter(({ path }) => path.startsWith('/app/')),
    ({ path }) => path.replace(/:(\w+)/g, '{$1}'),
  );
  const served = [...paths].flatMap(([path, routesOfPath]) => {
    const methods = new Set(routesOfPath.map(({ method }) => method));
    return METHODS.every((method) => methods.has(method))
      ? [`any ${path}`]
      : [...methods].map((method) => `${method} ${path}`);
  });
  const documentedKeys = [signInSection, ...appSections].flatMap(({ rows }) =>
    Object.keys(rows).map((key) => key.replace(/ \d+$/, '')),
  );
  expect(documentedKeys.sort()).toEqual(served.sort());
});

test('documents each preference and each of its listed values', () => {
  const documentation = appSections.flatMap(({ rows }) => rows['GET /app/preferences 200'] ?? []).join();
  const [, { entries }] = PreferenceChange.pipe;
  for (const [name, { wrapped }] of Object.entries(entries)) {
    expect(documentation).toContain(`\`${name}\``);
    for (const value of 'options' in wrapped ? wrapped.options : [])
      if (typeof value !== 'object')
        expect(documentation).toContain(typeof value === 'string' ? `\`${value}\`` : `${value}`);
  }
});
