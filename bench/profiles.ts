/**
 * What profiles cost: `node bench/profiles.ts`. The time of the processor for one record by US Core and IPS, as they are
 * published, beside R4's own rules; and for a large record, as an editor judges it behind a key. Exit code 1 where a target
 * is missed. On a machine without the packages nothing is measured, which is said.
 */
import { libraryOf } from '../core/fhir/profiles/library.ts';
import { judgeBy, nothingBeside } from '../core/fhir/profiles/judge-by.ts';
import { exampleOf, hasPackage, packageFiles, packageSet } from '../core/fhir/profiles/testing/packages.ts';
import type { ResourceType } from '../core/fhir/resource.ts';
import { validate } from '../core/fhir/validation/validate.ts';
import type { JsonObject } from '../core/json/node.ts';
import { scan } from '../core/json/scan.ts';

/** How many times as long as R4's rules a profile takes, and milliseconds of a large record, at most. */
const most = { times: 3, milliseconds: 50 };

/** Characters of the large record. */
const large = 173_000;

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

function middleOf(all: readonly number[]): number {
  return all.toSorted((left, right) => left - right)[Math.floor(all.length / 2)] ?? 0;
}

function measure(name: string, profile: string, text: string, times: number): boolean {
  const root = scan(text).root as JsonObject;
  const type = (JSON.parse(text) as { readonly resourceType: ResourceType }).resourceType;
  const library = libraryOf(packageSet(name));
  const costs = Array.from({ length: rounds }, () => ({
    profile: costOf(() => judgeBy([profile], root, type, library, nothingBeside), times),
    rules: costOf(() => validate(root, type, { today: '2026-01-01' }), times),
  }));
  const byProfile = middleOf(costs.map((one) => one.profile));
  const byRules = middleOf(costs.map((one) => one.rules));
  const ratio = byProfile / byRules;
  const isLarge = text.length >= large;
  const reached = isLarge ? byProfile + byRules < most.milliseconds : ratio < most.times;
  const told = [
    name,
    `${text.length} characters`,
    `profile ${byProfile.toFixed(3)} ms`,
    `R4 ${byRules.toFixed(3)} ms`,
  ];
  process.stdout.write(`${told.join(', ')}, ${ratio.toFixed(2)} times: ${reached ? 'reached' : 'missed'}\n`);
  return reached;
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
if (names.every(hasPackage)) {
  const head = headOf('ips-110');
  const reached = [
    ...names
      .slice(0, 3)
      .map((name) => measure(name, carePlan, exampleOf(name, 'CarePlan-colonoscopy.json'), 2000)),
    measure('ips-110', composition, JSON.stringify(head), 1000),
    measure('ips-110', composition, enlarged(head), 20),
  ];
  if (reached.includes(false)) process.exitCode = 1;
} else process.stdout.write('Not run: the published packages are not on this machine.\n');
