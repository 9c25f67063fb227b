/**
 * Measures the cost of profiles: `node bench/profiles.ts [--out FILE]`. Compares the processor time for one
 * record by the published profiles of US Core and IPS with the time of R4's rules. Exit code 1 if the target is
 * missed. Without the packages, it only prints a message.
 */
import { parseArgs } from 'node:util';
import { libraryOf } from '../core/fhir/profiles/library.ts';
import { validateAgainst, emptyEnvironment } from '../core/fhir/profiles/validate-against.ts';
import { exampleOf, hasPackage, packageFiles, packageSet } from '../core/fhir/profiles/testing/packages.ts';
import type { ResourceType } from '../core/fhir/resource.ts';
import { validate } from '../core/fhir/validation/validate.ts';
import type { JsonObject } from '../core/json/node.ts';
import { scan } from '../core/json/scan.ts';
import { formatConditions, performancePage, writeSection } from '../scripts/document.ts';
import { median } from './measure.ts';
import { formatMarkdownTable, formatReached } from './table.ts';

/** Highest ratio of a profile's time to the time of R4's rules. */
const maxRatio = 3;

/** Characters of the large record. */
const largeLength = 173_000;

const numberFormat = new Intl.NumberFormat('en');

const carePlan = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-careplan';
const composition = 'http://hl7.org/fhir/uv/ips/StructureDefinition/Composition-uv-ips';

/** Number of measurements. They alternate with measurements of the rules, and the median counts. */
const rounds = 11;

/** Returns the processor time of a call in milliseconds. */
function measureCost(work: () => unknown, callCount: number): number {
  const usageBefore = process.cpuUsage();
  for (let call = 0; call < callCount; call += 1) work();
  return process.cpuUsage(usageBefore).user / 1000 / callCount;
}

interface Figures {
  readonly title: string;
  /** Milliseconds by the profile, and by R4's rules. */
  readonly profile: number;
  readonly rules: number;
}

function measure(name: string, profile: string, text: string, callCount: number): Figures {
  const root = scan(text).root as JsonObject;
  const type = (JSON.parse(text) as { readonly resourceType: ResourceType }).resourceType;
  const library = libraryOf(packageSet(name));
  const costs = Array.from({ length: rounds }, () => ({
    profile: measureCost(() => validateAgainst([profile], root, type, library, emptyEnvironment), callCount),
    rules: measureCost(() => validate(root, type, { today: '2026-01-01' }), callCount),
  }));
  return {
    title: `${type}, ${name}, ${numberFormat.format(text.length)} characters`,
    profile: median(costs.map((cost) => cost.profile)),
    rules: median(costs.map((cost) => cost.rules)),
  };
}

function isReached({ profile, rules }: Figures): boolean {
  return profile / rules <= maxRatio;
}

function formatTable(figures: readonly Figures[]): string {
  return formatMarkdownTable(
    ['', 'Profile', 'R4', 'Times', 'Target', 'Reached'],
    figures.map((figure) => [
      figure.title,
      ...[figure.profile, figure.rules].map((milliseconds) => `${milliseconds.toFixed(3)} ms`),
      (figure.profile / figure.rules).toFixed(2),
      `≤ ${maxRatio}`,
      formatReached(isReached(figure)),
    ]),
  );
}

function formatSection(table: string, command: string): string {
  return `Cost of a profile compared with R4's own rules: processor time for one parsed record, for the published
CarePlan profiles of three versions of US Core and the Composition profile of IPS 1.1.0. The figures are medians of
${rounds} alternating rounds. The last record is the previous one with its sections repeated. Made by \`npm run bench:profiles\`; the code
is in \`bench/\`.

${table}

${formatConditions()}
- Node ${process.versions.node}
- Command: \`${command}\`
`;
}

/** Returns the Composition of a published document. */
function readComposition(name: string): Record<string, unknown> {
  const document = packageFiles(name).get('package/example/Bundle-IPS-examples-Bundle-01.json') ?? '{}';
  const { entry } = JSON.parse(document) as {
    readonly entry: { readonly resource: Record<string, unknown> }[];
  };
  return entry[0]?.resource ?? {};
}

/** Repeats the sections of a Composition until it is large. */
function enlarge(document: Record<string, unknown>): string {
  const sections = document.section as unknown[];
  const allSections = [...sections];
  while (JSON.stringify({ ...document, section: allSections }).length < largeLength)
    allSections.push(...sections);
  return JSON.stringify({ ...document, section: allSections });
}

const names = ['us-core-311', 'us-core-610', 'us-core-800', 'ips-110'];
const { values } = parseArgs({ options: { out: { type: 'string' } } });
if (names.every(hasPackage)) {
  const document = readComposition('ips-110');
  const figures = [
    ...names
      .slice(0, 3)
      .map((name) => measure(name, carePlan, exampleOf(name, 'CarePlan-colonoscopy.json'), 2000)),
    measure('ips-110', composition, JSON.stringify(document), 1000),
    measure('ips-110', composition, enlarge(document), 20),
  ];
  const table = formatTable(figures);
  process.stdout.write(`${table}\n`);
  if (values.out !== undefined) {
    const command = ['npx node bench/profiles.ts', ...process.argv.slice(2)].join(' ');
    await writeSection(values.out, performancePage, 'Profiles', formatSection(table, command));
  }
  if (!figures.every(isReached)) process.exitCode = 1;
} else process.stdout.write('Not run: the published packages are not on this machine.\n');
