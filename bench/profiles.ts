/**
 * What profiles cost: `node bench/profiles.ts [--out FILE]`. The time of the processor for one record by US Core and IPS, as
 * they are published, beside R4's own rules. Exit code 1 where the target is missed. On a machine without the packages
 * nothing is measured, which is said.
 */
import { parseArgs } from 'node:util';
import { libraryOf } from '../core/fhir/profiles/library.ts';
import { judgeBy, nothingBeside } from '../core/fhir/profiles/judge-by.ts';
import { exampleOf, hasPackage, packageFiles, packageSet } from '../core/fhir/profiles/testing/packages.ts';
import type { ResourceType } from '../core/fhir/resource.ts';
import { validate } from '../core/fhir/validation/validate.ts';
import type { JsonObject } from '../core/json/node.ts';
import { scan } from '../core/json/scan.ts';
import { conditions, performancePage, writeSection } from '../scripts/document.ts';
import { median } from './measure.ts';
import { markdownTable, sayReached } from './table.ts';

/** How many times as long as R4's rules a profile takes, at most. */
const most = 3;

/** Characters of the large record. */
const large = 173_000;

const grouped = new Intl.NumberFormat('en');

const carePlan = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-careplan';
const composition = 'http://hl7.org/fhir/uv/ips/StructureDefinition/Composition-uv-ips';

/** Each is measured so often, in turn with what it is compared with; the middle one counts. */
const rounds = 11;

/** Milliseconds of the processor for one call. */
function costOf(work: () => unknown, times: number): number {
  const before = process.cpuUsage();
  for (let n = 0; n < times; n += 1) work();
  return process.cpuUsage(before).user / 1000 / times;
}

interface Figures {
  readonly what: string;
  /** Milliseconds by the profile, and by R4's rules. */
  readonly profile: number;
  readonly rules: number;
}

function measure(name: string, profile: string, text: string, times: number): Figures {
  const root = scan(text).root as JsonObject;
  const type = (JSON.parse(text) as { readonly resourceType: ResourceType }).resourceType;
  const library = libraryOf(packageSet(name));
  const costs = Array.from({ length: rounds }, () => ({
    profile: costOf(() => judgeBy([profile], root, type, library, nothingBeside), times),
    rules: costOf(() => validate(root, type, { today: '2026-01-01' }), times),
  }));
  return {
    what: `${type}, ${name}, ${grouped.format(text.length)} characters`,
    profile: median(costs.map((one) => one.profile)),
    rules: median(costs.map((one) => one.rules)),
  };
}

function isReached({ profile, rules }: Figures): boolean {
  return profile / rules <= most;
}

function tableOf(all: readonly Figures[]): string {
  return markdownTable(
    ['', 'Profile', 'R4', 'Times', 'Target', 'Reached'],
    all.map((one) => [
      one.what,
      ...[one.profile, one.rules].map((milliseconds) => `${milliseconds.toFixed(3)} ms`),
      (one.profile / one.rules).toFixed(2),
      `≤ ${most}`,
      sayReached(isReached(one)),
    ]),
  );
}

function sectionOf(table: string, command: string): string {
  return `What a profile costs beside R4's own rules: the time of the processor for one record that is read already, by the
CarePlan of three versions of US Core and the Composition of IPS 1.1.0, as they are published. The median of ${rounds} rounds in
turn; the last record is the one before it with its sections over and over. Made by \`npm run bench:profiles\`; the code
is in \`bench/\`.

${table}

${conditions()}
- Node ${process.versions.node}
- Command: \`${command}\`
`;
}

/** The head of a published document. */
function headOf(name: string): Record<string, unknown> {
  const document = packageFiles(name).get('package/example/Bundle-IPS-examples-Bundle-01.json') ?? '{}';
  const { entry } = JSON.parse(document) as {
    readonly entry: { readonly resource: Record<string, unknown> }[];
  };
  return entry[0]?.resource ?? {};
}

/** The same with further sections of the same kind, until it is large. */
function enlarged(head: Record<string, unknown>): string {
  const sections = head.section as unknown[];
  const all = [...sections];
  while (JSON.stringify({ ...head, section: all }).length < large) all.push(...sections);
  return JSON.stringify({ ...head, section: all });
}

const names = ['us-core-311', 'us-core-610', 'us-core-800', 'ips-110'];
const { values } = parseArgs({ options: { out: { type: 'string' } } });
if (names.every(hasPackage)) {
  const head = headOf('ips-110');
  const all = [
    ...names
      .slice(0, 3)
      .map((name) => measure(name, carePlan, exampleOf(name, 'CarePlan-colonoscopy.json'), 2000)),
    measure('ips-110', composition, JSON.stringify(head), 1000),
    measure('ips-110', composition, enlarged(head), 20),
  ];
  const table = tableOf(all);
  process.stdout.write(`${table}\n`);
  if (values.out !== undefined) {
    const command = ['npx node bench/profiles.ts', ...process.argv.slice(2)].join(' ');
    await writeSection(values.out, performancePage, 'Profiles', sectionOf(table, command));
  }
  if (!all.every(isReached)) process.exitCode = 1;
} else process.stdout.write('Not run: the published packages are not on this machine.\n');
