import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from './boundaries.ts';

type Form = 'import' | 'import()' | 'import type';
type Sample = readonly [module: string, imports: string, form?: Form];

/** Imports that the table forbids. */
const forbiddenImports: readonly Sample[] = [
  ['core/json/a.ts', 'core/fhir/a.ts'],
  ['core/api/a.ts', 'bench/a.ts'],
  ['core/api/b.ts', 'server/commands/flags.ts', 'import()'],
  ['renderer/ui/a.ts', 'renderer/features/search/a.ts'],
  ['renderer/ui/b.ts', 'renderer/app/a.ts'],
  ['renderer/platform/a.ts', 'renderer/features/search/a.ts'],
  ['server/fhir/a.ts', 'node_modules/express/index.js'],
  ['server/fhir/b.ts', 'server/http/a.ts'],
  ['server/fhir/c.ts', 'server/sqlite/open-database.ts'],
  ['server/gateway/a.ts', 'server/http/a.ts'],
  ['server/gateway/b.ts', 'server/workspace/a.ts'],
  ['renderer/features/patch/a.ts', 'renderer/features/search/a.ts'],
  ['renderer/features/patch/b.ts', 'renderer/features/search/a.ts', 'import()'],
  ['server/store/a.ts', 'server/http/a.ts', 'import type'],
  ['server/store/b.ts', 'node_modules/better-sqlite3/index.js'],
  ['server/store/c.ts', 'server/store/sqlite/a.ts', 'import type'],
  ['server/store/d.ts', 'server/sqlite/a.ts'],
  ['server/sqlite/b.ts', 'server/store/sqlite/a.ts'],
  ['server/http/d.ts', 'server/store/sqlite/a.ts'],
  ['server/workspace/a.ts', 'server/store/sqlite/a.ts', 'import type'],
  ['server/assembly.ts', 'server/store/sqlite/a.ts'],
  ['server/http/e.ts', 'server/shared/a.ts', 'import()'],
  ['server/listener.ts', 'server/shared/a.ts', 'import type'],
  ['core/app/a.ts', 'node_modules/express/index.js'],
  ['server/http/c.ts', 'node_modules/express/index.js'],
  ['server/http/b.ts', 'server/testing/a.ts'],
  ['renderer/ui/c.ts', 'main/a.ts'],
  ['main/b.ts', 'server/commands/flags.ts'],
  ['scripts/a.ts', 'e2e/a.ts'],
  ['elsewhere/a.ts', 'core/json/b.ts'],
];

/** Imports that the table allows. */
const allowedImports: readonly Sample[] = [
  ['core/fhir/b.ts', 'core/json/b.ts'],
  ['core/app/b.ts', 'node_modules/valibot/index.js'],
  ['server/http/page.ts', 'node_modules/express/index.js'],
  ['server/sqlite/sqlite.ts', 'node_modules/better-sqlite3/index.js'],
  ['server/http/c.test.ts', 'server/testing/a.ts'],
  ['server/store/sqlite/b.ts', 'server/store/a.ts'],
  ['server/start.ts', 'server/store/sqlite/a.ts'],
  ['server/serve.ts', 'server/shared/a.ts', 'import()'],
  ['server/shared/b.ts', 'server/http/f.ts'],
  ['renderer/features/patch/c.ts', 'renderer/features/patch/parts/a.ts'],
  ['renderer/features/patch/d.ts', 'renderer/ui/d.ts', 'import()'],
  ['renderer/app/b.ts', 'renderer/features/patch/e.ts', 'import()'],
  ['bench/b.ts', 'e2e/a.ts', 'import type'],
];

let folder: string;
let violations: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-boundaries-'));
  for (const [, imports] of [...forbiddenImports, ...allowedImports]) writeModule(imports, 'export {};');
  for (const [module, imports, form] of [...forbiddenImports, ...allowedImports])
    writeModule(module, formatImport(module, imports, form));
  writeModule('server/find/find-worker.ts', "import '../shared/a.ts';");
  writeModule('core/json/lost.ts', "import './nowhere.ts';");
  writeModule('core/json/one.ts', "export type { Other } from './other.ts';\nexport type One = 1;");
  writeModule('core/json/other.ts', "export type { One } from './one.ts';\nexport type Other = 2;");
  violations = await findViolations(folder, ['.']);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function writeModule(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}

function formatImport(module: string, imports: string, form: Form = 'import'): string {
  const [, name] = /^node_modules\/([^/]+)/.exec(imports) ?? [];
  const path = relative(dirname(module), imports);
  const specifier = name ?? (path.startsWith('.') ? path : `./${path}`);
  if (form === 'import()') return `export const later = () => import('${specifier}');`;
  return `${form} * as other from '${specifier}';\nexport { other };`;
}

test.each(forbiddenImports)('forbids %s to import %s', (module, imports) => {
  expect(violations).toContain(`not-in-allowed: ${module} -> ${imports}`);
});

test('otherwise reports only a cycle of types, an unresolved import and the shared edition loaded at start', () => {
  const otherViolations = violations.filter(
    (line) => !forbiddenImports.some(([module]) => line.includes(` ${module} `)),
  );
  expect(otherViolations.toSorted()).toEqual([
    'cycle: core/json/one.ts -> core/json/other.ts -> core/json/one.ts',
    'not-in-allowed: core/json/lost.ts -> ./nowhere.ts',
    'not-resolved: core/json/lost.ts -> ./nowhere.ts',
    'shared-edition-at-start: server/find/find-worker.ts -> server/shared/a.ts',
  ]);
});
