/**
 * Who may import whom. `node scripts/boundaries.ts` checks every import, type imports and `import()` included. It fails on
 * an import that is not in the table, on a cycle, and on an import that cannot be resolved: what it cannot see, it cannot
 * check.
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
  /** The row holds for each folder directly below `from`, which does not import its siblings. */
  readonly each?: true;
}

function below(folder: string, names: string): readonly Target[] {
  return names.split(' ').map((name) => `${folder}/${name}`);
}

/** What every part of the product may import. */
const core = [...below('core', 'text json types fhir derive app api'), 'npm:valibot'];
const packagesOfPage = (
  '@mantine/core @mantine/hooks @monaco-editor/react @tabler/icons-react @tanstack/react-query ' +
  '@tanstack/react-virtual d3-scale dompurify marked modern-tar monaco-editor react react-dom'
)
  .split(' ')
  .map((name) => `npm:${name}`);
/** What the packaging sets and the program reads, and a program that has them. */
const fuses = ['main/fuses.ts', 'main/testing/fake-program.ts'];
const anyPackage = ['node:', 'npm:*'];

/**
 * The table. A folder may import itself, the folders below it, and what its row names; everything else is refused. A
 * file or folder with a row of its own may import that on top.
 */
const table: readonly Row[] = [
  { from: 'core/text', to: [] },
  { from: 'core/json', to: ['core/text', 'npm:valibot'] },
  { from: 'core/types', to: [...below('core', 'text json'), 'npm:valibot'] },
  { from: 'core/fhir', to: [...below('core', 'text json types'), 'npm:valibot'] },
  { from: 'core/derive', to: [...below('core', 'text json types fhir'), 'npm:valibot'] },
  { from: 'core/app', to: [...below('core', 'text json types fhir derive'), 'npm:valibot'] },
  { from: 'core/api', to: core },
  // Apart from the rest of the core, so that who does not evaluate loads no engine.
  { from: 'core/fhirpath', to: [...below('core', 'text json app'), 'npm:fhirpath'] },

  // The worker, and the assembly of a server; beside it the command line.
  { from: 'server/*.ts', to: [...core, 'server', 'node:'] },
  { from: 'server/commands', to: [...core, 'server', 'node:', 'npm:commander'] },
  { from: 'server/access', to: [...core, 'node:'] },
  { from: 'server/store', to: [...core, 'node:'] },
  { from: 'server/store/sqlite/sqlite.ts', to: ['npm:better-sqlite3'] },
  { from: 'server/store/postgres/connection.ts', to: ['npm:pg'] },
  { from: 'server/store/postgres/pools.ts', to: ['npm:pg'] },
  { from: 'server/store/postgres/faults.ts', to: ['npm:pg'] },
  { from: 'server/store/postgres/password.ts', to: ['npm:pgpass'] },
  { from: 'server/fhir', to: [...core, 'server/store/store.ts', 'server/store/issue-query.ts', 'node:'] },
  { from: 'server/backups', to: [...core, 'server/store', 'node:'] },
  { from: 'server/workspace', to: [...core, 'server/access', 'server/store', 'node:'] },
  { from: 'server/damage', to: [...core, ...below('server', 'backups fhir store workspace'), 'node:'] },
  { from: 'server/erasures', to: [...core, 'server/fhir', 'server/store', 'server/workspace', 'node:'] },
  { from: 'server/find', to: [...core, 'server/store', 'node:'] },
  {
    from: 'server/gateway',
    to: [...core, 'server/access/private-file.ts', 'server/memory-budget.ts', 'node:', 'npm:oauth4webapi'],
  },
  {
    from: 'server/judge',
    to: [...core, ...below('server', 'backups fhir store workspace memory-budget.ts'), 'node:'],
  },
  { from: 'server/openid', to: [...core, 'server/access', 'node:', 'npm:openid-client'] },
  { from: 'server/judge/check-thread.ts', to: ['core/fhirpath'] },
  { from: 'server/judge/profile-thread.ts', to: ['core/fhirpath'] },
  {
    from: 'server/remote',
    to: [...core, ...below('server', 'fhir gateway store workspace log-lines.ts'), 'node:'],
  },
  { from: 'server/move', to: [...core, 'server/store', 'server/workspace', 'node:'] },
  {
    from: 'server/packages',
    to: [...core, 'server/store', 'server/memory-budget.ts', 'node:', 'npm:modern-tar'],
  },
  { from: 'server/demo', to: core },
  { from: 'server/import', to: [...core, 'server/demo', 'server/fhir', 'server/store', 'node:'] },
  {
    from: 'server/http',
    to: [
      ...core,
      ...below('server', 'access backups damage erasures fhir find gateway import judge openid packages'),
      ...below('server', 'remote store workspace listener.ts log-lines.ts memory-budget.ts settings.ts'),
      ...['node:', 'npm:express'],
    ],
  },
  { from: 'server/http/metrics.ts', to: ['npm:prom-client'] },

  // It starts the server by its file path.
  { from: 'main', to: [...core, 'node:', 'npm:electron'] },
  { from: 'main/fuses.ts', to: ['npm:@electron/fuses'] },

  { from: 'renderer/ui', to: [...core, ...packagesOfPage] },
  { from: 'renderer/platform', to: [...core, 'renderer/ui', ...packagesOfPage] },
  {
    from: 'renderer/features',
    each: true,
    to: [...core, 'renderer/ui', 'renderer/platform', ...packagesOfPage],
  },
  { from: 'renderer/features/bulk/compute-evaluate.ts', to: ['core/fhirpath', 'npm:fhirpath'] },
  { from: 'renderer/features/bulk/compute.worker.ts', to: ['core/fhirpath'] },
  {
    from: 'renderer/app',
    to: [...core, 'renderer/ui', 'renderer/platform', 'renderer/features', ...packagesOfPage],
  },
  { from: 'renderer/*.tsx', to: ['renderer/app', 'renderer/ui', ...packagesOfPage] },

  // Tooling shares what is in scripts.
  { from: 'scripts', to: [...core, 'server', ...fuses, 'package.json', ...anyPackage] },
  { from: 'e2e', to: [...core, 'server', 'scripts', ...fuses, ...anyPackage] },
  { from: 'bench', to: [...core, 'server', 'scripts', 'e2e', 'package.json', ...anyPackage] },
  { from: 'bench/page/bare', to: ['renderer/platform'] },
  { from: 'faults', to: [...core, 'server', 'scripts', 'bench', ...anyPackage] },
  // It works a run as the page does.
  { from: 'faults/bulk-run.ts', to: ['renderer/features/bulk'] },
  { from: 'faults/real-records-mended.long.test.ts', to: ['renderer/features/bulk'] },
  { from: 'bench/mend-run.ts', to: ['renderer/features/bulk'] },
  { from: 'mutants', to: ['scripts', ...anyPackage] },
  // What others copy knows nothing of this repository.
  { from: 'examples', to: anyPackage },
];

const shipped = ['core', 'server', 'main', 'renderer'];
const tooling = ['scripts', 'e2e', 'bench', 'faults', 'mutants', 'examples'];

/** Tests of a part of the product, and the helpers that only tests import. */
function testsOf(part: string): string[] {
  return [`^${part}/.*[.]test[.]tsx?$`, `^${part}/testing/`, `^${part}/.*/testing/`, `^${part}/conformance/`];
}

function escaped(path: string): string {
  return path.replaceAll('.', '[.]');
}

/** A regular expression over paths below the root. */
function pathOf(target: Target): string {
  if (target === 'npm:*') return '^node_modules/';
  if (target.startsWith('npm:')) return `^node_modules/(@types/)?${escaped(target.slice(4))}/`;
  if (target.includes('*')) return `^${escaped(target).replace('*', '[^/]+')}$`;
  return /[.]\w+$/.test(target) ? `^${escaped(target)}$` : `^${target}/`;
}

function allowedBy({ from, to, each }: Row): IAllowedRuleType[] {
  const path = each ? `^${from}/([^/]+)/` : pathOf(from);
  const own = each ? `^${from}/$1/` : pathOf(from);
  const paths = to.filter((target) => target !== 'node:').map(pathOf);
  return [
    { from: { path }, to: { path: [own, ...paths] } },
    ...(to.includes('node:') ? [{ from: { path }, to: { dependencyTypes: ['core' as const] } }] : []),
  ];
}

/** A test may also import its whole part of the product, and any package. */
const allowedToTests = shipped.flatMap((part): IAllowedRuleType[] => {
  const from = { path: testsOf(part) };
  return [
    { from, to: { path: [`^${part}/`, '^core/', '^node_modules/'] } },
    { from, to: { dependencyTypes: ['core'] } },
  ];
});

const tests = shipped.flatMap(testsOf);
const severity = 'error';

const forbidden: IForbiddenRuleType[] = [
  { name: 'not-resolved', severity, from: {}, to: { couldNotResolve: true } },
  { name: 'cycle', severity, from: {}, to: { circular: true } },
  {
    name: 'test-helper',
    severity,
    from: { path: shipped.map(pathOf), pathNot: tests },
    to: { path: tests },
  },
];

/** The imports that are not allowed, each as `rule: from -> to`. */
export async function violationsIn(
  folder: string,
  parts = [...shipped, ...tooling],
): Promise<readonly string[]> {
  const { output } = await cruise(parts, {
    baseDir: folder,
    validate: true,
    ruleSet: {
      forbidden,
      allowed: [...table.flatMap(allowedBy), ...allowedToTests],
      allowedSeverity: 'error',
    },
    // Type imports count too.
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
  const violations = await violationsIn(root);
  for (const violation of violations) console.error(violation);
  if (violations.length > 0) process.exitCode = 1;
}
