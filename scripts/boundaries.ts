/**
 * Defines the allowed imports. `node scripts/boundaries.ts` checks every import, including type imports and
 * `import()`. It fails on an import that the table does not allow, on a cycle, and on an unresolved import,
 * which cannot be checked.
 */
import {
  cruise,
  type IAllowedRuleType,
  type ICruiseResult,
  type IForbiddenRuleType,
} from 'dependency-cruiser';
import { root } from './bundles.ts';

/** A folder, a file, `folder/*.ts` for the files directly in it, `node:` for Node's modules, `npm:NAME` for a package. */
type Target = string;

interface Row {
  readonly from: Target;
  readonly to: readonly Target[];
  /** The row applies to each folder directly below `from`. Those folders do not import each other. */
  readonly eachFolder?: true;
}

function listFolders(folder: string, names: string): readonly Target[] {
  return names.split(' ').map((name) => `${folder}/${name}`);
}

/** Targets that every part of the product may import. */
const core = [...listFolders('core', 'text json types fhir derive app api'), 'npm:valibot'];
const pagePackages = (
  '@mantine/core @mantine/hooks @monaco-editor/react @tabler/icons-react @tanstack/react-query ' +
  '@tanstack/react-virtual d3-scale dompurify marked modern-tar monaco-editor react react-dom'
)
  .split(' ')
  .map((name) => `npm:${name}`);

/** The contract of a store: the files directly in the folder, not the engine below it. */
const store = 'server/store/*.ts';
/** The engine of a data folder. */
const engine = 'server/store/sqlite';
/** Modules that choose the engine: the start of a server, and commands on the file of the records. */
const engineUsers = [
  'server/start.ts',
  'server/audit-key.ts',
  ...listFolders('server/commands', 'backup-command.ts command-place.ts token-command.ts verify-command.ts'),
];
/** Modules that load the shared edition. They import nothing of it but types in any other way. */
const sharedDoors = [
  'server/serve.ts',
  'server/find/find-worker.ts',
  ...listFolders('server/commands', 'command-place.ts migrate-command.ts move-command.ts'),
];
/** Folders of the server without the engines. */
const serverFolders = [
  ...listFolders(
    'server',
    'access background backups bulk-data damage demo erasures fhir find gateway http import packages remote sqlite threads validation workspace',
  ),
  store,
];

/** The fuses, which the packaging sets and the program reads, and a program with fuses. */
const fuses = ['main/fuses.ts', 'main/testing/fake-program.ts'];
const anyPackage = ['node:', 'npm:*'];

/**
 * The table. A folder may import itself, the folders below it, and the targets of its row. A file or folder
 * with its own row may import those targets in addition.
 */
const table: readonly Row[] = [
  { from: 'core/text', to: [] },
  { from: 'core/json', to: ['core/text', 'npm:valibot'] },
  { from: 'core/types', to: [...listFolders('core', 'text json'), 'npm:valibot'] },
  { from: 'core/fhir', to: [...listFolders('core', 'text json types'), 'npm:valibot'] },
  { from: 'core/derive', to: [...listFolders('core', 'text json types fhir'), 'npm:valibot'] },
  { from: 'core/app', to: [...listFolders('core', 'text json types fhir derive'), 'npm:valibot'] },
  { from: 'core/api', to: core },
  {
    from: 'core/import',
    to: [...listFolders('core', 'text json fhir app'), 'npm:saxes', 'npm:pako', 'npm:@zip.js/zip.js'],
  },
  // Separate from the other core folders: a module that does not evaluate must not load the engine.
  { from: 'core/fhirpath', to: [...listFolders('core', 'text json app'), 'npm:fhirpath'] },

  // The worker and the composition of a server, next to the command line.
  { from: 'server/*.ts', to: [...core, ...serverFolders, 'server/commands', 'node:'] },
  {
    from: 'server/commands',
    to: [...core, 'core/import', ...serverFolders, 'server/*.ts', 'node:', 'npm:commander'],
  },
  { from: 'server/access', to: [...core, 'node:'] },
  { from: 'server/threads', to: [...core, 'node:'] },
  // The contract, which every engine fulfills. It imports none.
  { from: store, to: [...core, 'node:'] },
  { from: 'server/sqlite', to: [...core, store, 'server/threads', 'node:'] },
  { from: 'server/sqlite/sqlite.ts', to: ['npm:better-sqlite3'] },
  { from: engine, to: [...core, store, 'server/sqlite', 'server/threads', 'node:'] },
  ...engineUsers.map((from) => ({ from, to: [engine] })),
  {
    from: 'server/fhir',
    to: [...core, ...listFolders('server/store', 'store.ts issue-query.ts documents.ts'), 'node:'],
  },
  { from: 'server/background', to: [store, 'node:'] },
  { from: 'server/backups', to: [...core, store, ...listFolders('server', 'background sqlite'), 'node:'] },
  { from: 'server/workspace', to: [...core, 'server/access', store, 'server/sqlite', 'node:'] },
  {
    from: 'server/damage',
    to: [...core, ...listFolders('server', 'background fhir sqlite workspace'), store, 'node:'],
  },
  {
    from: 'server/erasures',
    to: [...core, ...listFolders('server', 'fhir sqlite workspace'), store, 'node:'],
  },
  {
    from: 'server/find',
    to: [...core, store, ...listFolders('server', 'background sqlite threads'), 'node:'],
  },
  {
    from: 'server/gateway',
    to: [
      ...core,
      'server/access/private-file.ts',
      'server/memory-budget.ts',
      'server/threads',
      'node:',
      'npm:oauth4webapi',
    ],
  },
  {
    from: 'server/validation',
    to: [
      ...core,
      ...listFolders('server', 'background fhir threads workspace memory-budget.ts'),
      store,
      'node:',
    ],
  },
  { from: 'server/validation/check-worker.ts', to: ['core/fhirpath'] },
  { from: 'server/validation/profile-worker.ts', to: ['core/fhirpath'] },
  {
    from: 'server/remote',
    to: [
      ...core,
      ...listFolders('server', 'background fhir gateway sqlite threads workspace log-lines.ts'),
      store,
      'node:',
    ],
  },
  {
    from: 'server/bulk-data',
    to: [
      ...core,
      'core/import',
      ...listFolders('server', 'access fhir gateway import remote workspace log-lines.ts'),
      store,
      'node:',
    ],
  },
  {
    from: 'server/packages',
    to: [
      ...core,
      store,
      'server/sqlite/sync.ts',
      'server/memory-budget.ts',
      'server/threads',
      'node:',
      'npm:modern-tar',
    ],
  },
  { from: 'server/demo', to: core },
  { from: 'server/import', to: [...core, 'core/import', 'server/demo', 'server/fhir', store, 'node:'] },
  {
    from: 'server/http',
    to: [
      ...core,
      'core/import',
      ...listFolders(
        'server',
        'access background backups bulk-data damage erasures fhir find gateway import packages remote validation workspace',
      ),
      ...listFolders('server', 'listener.ts log-lines.ts memory-budget.ts settings.ts'),
      store,
      'node:',
    ],
  },
  { from: 'server/http/metrics.ts', to: ['npm:prom-client'] },
  { from: 'server/http/page.ts', to: ['npm:express'] },

  // The shared edition builds on everything else. Its doors load it when it is used.
  { from: 'server/shared', to: [...core, 'server', 'node:'] },
  ...sharedDoors.map((from) => ({ from, to: ['server/shared'] })),
  { from: 'server/shared/postgres/connection.ts', to: ['npm:pg'] },
  { from: 'server/shared/postgres/pools.ts', to: ['npm:pg'] },
  { from: 'server/shared/postgres/driver-errors.ts', to: ['npm:pg'] },
  { from: 'server/shared/postgres/pools.ts', to: ['npm:pgpass'] },
  { from: 'server/shared/openid/openid.ts', to: ['npm:openid-client'] },

  // Starts the server by its file path.
  { from: 'main', to: [...core, 'node:', 'npm:electron'] },
  { from: 'main/fuses.ts', to: ['npm:@electron/fuses'] },

  { from: 'renderer/ui', to: [...core, ...pagePackages] },
  { from: 'renderer/platform', to: [...core, 'renderer/ui', ...pagePackages] },
  {
    from: 'renderer/features',
    eachFolder: true,
    to: [...core, 'renderer/ui', 'renderer/platform', ...pagePackages],
  },
  { from: 'renderer/features/data', to: ['core/import'] },
  { from: 'renderer/features/bulk/compute-evaluate.ts', to: ['core/fhirpath', 'npm:fhirpath'] },
  { from: 'renderer/features/bulk/compute.worker.ts', to: ['core/fhirpath'] },
  {
    from: 'renderer/app',
    to: [...core, 'renderer/ui', 'renderer/platform', 'renderer/features', ...pagePackages],
  },
  { from: 'renderer/*.tsx', to: ['renderer/app', 'renderer/ui', ...pagePackages] },

  // Tooling may use the modules in scripts.
  { from: 'scripts', to: [...core, 'server', ...fuses, 'package.json', ...anyPackage] },
  { from: 'e2e', to: [...core, 'server', 'scripts', ...fuses, ...anyPackage] },
  { from: 'bench', to: [...core, 'server', 'scripts', 'e2e', 'package.json', ...anyPackage] },
  { from: 'bench/page/bare', to: ['renderer/platform'] },
  { from: 'faults', to: [...core, 'server', 'scripts', 'bench', ...anyPackage] },
  // Runs a bulk edit as the page does.
  { from: 'faults/bulk-run.ts', to: ['renderer/features/bulk'] },
  { from: 'faults/real-records-mended.long.test.ts', to: ['renderer/features/bulk'] },
  { from: 'bench/mend-run.ts', to: ['renderer/features/bulk'] },
  { from: 'mutants', to: ['scripts', ...anyPackage] },
  // Users copy the examples, so they must not depend on this repository.
  { from: 'examples', to: anyPackage },
];

const shipped = ['core', 'server', 'main', 'renderer'];
const tooling = ['scripts', 'e2e', 'bench', 'faults', 'mutants', 'examples'];

/** Returns patterns of the tests of a part of the product and of their helpers. */
function listTestPatterns(part: string): string[] {
  return [`^${part}/.*[.]test[.]tsx?$`, `^${part}/testing/`, `^${part}/.*/testing/`, `^${part}/conformance/`];
}

function escapeDots(path: string): string {
  return path.replaceAll('.', '[.]');
}

/** Returns a regular expression for paths below the root. */
function toPattern(target: Target): string {
  if (target === 'npm:*') return '^node_modules/';
  if (target.startsWith('npm:')) return `^node_modules/(@types/)?${escapeDots(target.slice(4))}/`;
  if (target.includes('*')) return `^${escapeDots(target).replace('*', '[^/]+')}$`;
  return /[.]\w+$/.test(target) ? `^${escapeDots(target)}$` : `^${target}/`;
}

function toRules({ from, to, eachFolder }: Row): IAllowedRuleType[] {
  const path = eachFolder ? `^${from}/([^/]+)/` : toPattern(from);
  const ownPattern = eachFolder ? `^${from}/$1/` : toPattern(from);
  const paths = to.filter((target) => target !== 'node:').map(toPattern);
  return [
    { from: { path }, to: { path: [ownPattern, ...paths] } },
    ...(to.includes('node:') ? [{ from: { path }, to: { dependencyTypes: ['core' as const] } }] : []),
  ];
}

/** A test may also import its whole part of the product, and any package. */
const allowedToTests = shipped.flatMap((part): IAllowedRuleType[] => {
  const from = { path: listTestPatterns(part) };
  return [
    { from, to: { path: [`^${part}/`, '^core/', '^node_modules/'] } },
    { from, to: { dependencyTypes: ['core'] } },
  ];
});

const tests = shipped.flatMap(listTestPatterns);
const severity = 'error';

const forbidden: IForbiddenRuleType[] = [
  { name: 'not-resolved', severity, from: {}, to: { couldNotResolve: true } },
  { name: 'cycle', severity, from: {}, to: { circular: true } },
  {
    name: 'shared-edition-at-start',
    severity,
    from: { pathNot: ['^server/shared/', ...tooling.map(toPattern), ...tests] },
    to: { path: '^server/shared/', dynamic: false, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'test-helper',
    severity,
    from: { path: shipped.map(toPattern), pathNot: tests },
    to: { path: tests },
  },
];

/** Returns the forbidden imports, each as `rule: from -> to`. */
export async function findViolations(
  folder: string,
  parts = [...shipped, ...tooling],
): Promise<readonly string[]> {
  const { output } = await cruise(parts, {
    baseDir: folder,
    validate: true,
    ruleSet: {
      forbidden,
      allowed: [...table.flatMap(toRules), ...allowedToTests],
      allowedSeverity: 'error',
    },
    // Includes type imports.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default', 'require'],
    },
  });
  return (output as ICruiseResult).summary.violations.map(
    ({ rule, from, to, cycle }) =>
      `${rule.name}: ${from} -> ${cycle ? cycle.map(({ name }) => name).join(' -> ') : to}`,
  );
}

if (import.meta.main) {
  const violations = await findViolations(root);
  for (const violation of violations) console.error(violation);
  if (violations.length > 0) process.exitCode = 1;
}
