/** Packages built by the tests: valid and hostile ones. */
import { gzipSync } from 'node:zlib';
import { packTar, type TarHeader } from 'modern-tar';

export const profileUrl = 'https://ward.example/StructureDefinition/ward-plan';

type Files = Readonly<Record<string, unknown>>;

const element = (path: string, changes: object = {}) => ({ id: path, path, min: 0, max: '*', ...changes });

/** A profile on CarePlan: a title that must be there, a category in two slices, a status to be supported. */
export const profile = {
  resourceType: 'StructureDefinition',
  url: profileUrl,
  version: '1.2.0',
  name: 'WardPlan',
  title: 'Ward plan',
  status: 'active',
  kind: 'resource',
  abstract: false,
  type: 'CarePlan',
  baseDefinition: 'http://hl7.org/fhir/StructureDefinition/CarePlan',
  derivation: 'constraint',
  snapshot: {
    element: [
      element('CarePlan'),
      element('CarePlan.status', {
        min: 1,
        max: '1',
        mustSupport: true,
        short: 'Where the plan stands',
        binding: { strength: 'required', valueSet: 'http://hl7.org/fhir/ValueSet/request-status' },
      }),
      element('CarePlan.title', { min: 1, max: '1', mustSupport: true, short: 'What the ward calls it' }),
      element('CarePlan.category', {
        short: 'Which kind of plan',
        slicing: { discriminator: [{ type: 'pattern', path: '$this' }], rules: 'open' },
      }),
      element('CarePlan.category', { id: 'CarePlan.category:Ward', sliceName: 'Ward', max: '1' }),
      element('CarePlan.category.coding', { id: 'CarePlan.category:Ward.coding', min: 1 }),
      element('CarePlan.category', { id: 'CarePlan.category:Home', sliceName: 'Home', max: '1' }),
      element('CarePlan.goal', { max: '0' }),
      element('CarePlan.intent', {
        min: 1,
        max: '1',
        binding: { strength: 'extensible', valueSet: 'https://ward.example/ValueSet/intents|1.0' },
      }),
    ],
  },
};

export const valueSet = {
  resourceType: 'ValueSet',
  url: 'https://ward.example/ValueSet/intents',
  version: '1.0',
  status: 'active',
  compose: {
    include: [
      { system: 'http://snomed.info/sct', filter: [{ property: 'concept', op: 'is-a', value: '1' }] },
      { system: 'https://ward.example/intents' },
    ],
  },
};

export const codeSystem = {
  resourceType: 'CodeSystem',
  url: 'https://ward.example/intents',
  version: '1.0',
  status: 'active',
  content: 'complete',
  concept: [{ code: 'plan', display: 'Plan' }],
};

export function manifest(changes: object = {}): object {
  return {
    name: 'ward.example.plans',
    version: '1.2.0',
    title: 'Plans of the ward',
    fhirVersions: ['4.0.1'],
    dependencies: { 'hl7.fhir.r4.core': '4.0.1', 'hl7.terminology.r4': '5.0.0' },
    ...changes,
  };
}

/** The files of a sound package, by their paths. */
export function packageFiles(changes: object = {}): Files {
  return {
    'package/package.json': manifest(changes),
    'package/StructureDefinition-ward-plan.json': profile,
    'package/ValueSet-intents.json': valueSet,
    'package/CodeSystem-intents.json': codeSystem,
    'package/SearchParameter-x.json': { resourceType: 'SearchParameter', url: 'https://ward.example/x' },
    'package/example/CarePlan-a.json': { resourceType: 'CarePlan' },
  };
}

/** Returns an uncompressed archive. A text is added unchanged, any other value as JSON. */
export async function tarOf(files: Files, furtherHeaders: readonly TarHeader[] = []): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, content]) => {
    const body = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
    return { header: { name, size: body.length, type: 'file' as const }, data: body };
  });
  return Buffer.from(await packTar([...entries, ...furtherHeaders.map((header) => ({ header }))]));
}

/** The same as packages are published. */
export async function tgzOf(
  files: Files = packageFiles(),
  furtherHeaders: readonly TarHeader[] = [],
): Promise<Buffer> {
  return gzipSync(await tarOf(files, furtherHeaders), { level: 1 });
}
