import { describe, expect, test } from 'vitest';
import { compileProfile } from './compile.ts';
import { discriminatorOf } from './discriminator-path.ts';
import { libraryOf } from './library.ts';
import type { ElementPlan } from './plan.ts';
import { element, structure } from './testing/profiles.ts';
import { setOf } from './testing/sets.ts';

const url = 'http://ward.example/fhir/StructureDefinition/plan';
const anyCount = [0, '*'] as const;
const zeroOrOne = [0, '1'] as const;
const r4 = { isInvariant: () => false, isBound: () => false };

function compile(elements: readonly ReturnType<typeof element>[], members: object = {}) {
  return compileProfile({ ...structure(url, 'CarePlan', elements), ...members }, r4);
}

function childOf(plan: ElementPlan | undefined, name: string): ElementPlan | undefined {
  return plan?.children.find((child) => child.name === name);
}

describe('a profile', () => {
  test('is named by its URL with version, and by its id or the end of its URL', () => {
    expect(compile([])).toMatchObject({
      canonical: `${url}|1.0.0`,
      id: 'plan',
      type: 'CarePlan',
      unsupported: [],
    });
    expect(compile([], { version: undefined, id: undefined })).toMatchObject({ canonical: url, id: 'plan' });
    expect(compile([], { id: 'own' })).toMatchObject({ id: 'own' });
  });

  test('has no plan if it is invalid', () => {
    expect(compileProfile({ url }, r4)).toBeUndefined();
    expect(compileProfile(undefined, r4)).toBeUndefined();
  });

  test('has only rules that R4 lacks', () => {
    const root = compile([
      element('CarePlan.title', 0, '1', zeroOrOne),
      element('CarePlan.status', 1, '1', [1, '1']),
      element('CarePlan.note', 0, '*', anyCount),
      element('CarePlan.period', 1, '1', zeroOrOne),
      element('CarePlan.goal', 0, '3', anyCount),
      element('CarePlan.created', 0, '0', zeroOrOne),
    ])?.root;
    const readLimits = (name: string) => {
      const plan = childOf(root, name);
      return [plan?.min, plan?.max, plan?.isActive];
    };
    expect(readLimits('title')).toEqual([0, Infinity, false]);
    expect(readLimits('status')).toEqual([0, Infinity, false]);
    expect(readLimits('note')).toEqual([0, Infinity, false]);
    expect(readLimits('period')).toEqual([1, Infinity, true]);
    expect(readLimits('goal')).toEqual([0, 3, true]);
    expect(readLimits('created')).toEqual([0, 0, true]);
    expect(root?.active.map(({ name }) => name)).toEqual(['period', 'goal', 'created']);
  });

  test.each([
    [{ fixedString: 'a' }, { fixed: 'a' }],
    [{ patternCoding: { code: 'a' } }, { pattern: { code: 'a' } }],
    [{ minValueDate: '2020' }, { minValue: '2020' }],
    [{ maxValueInteger: 3 }, { maxValue: 3 }],
    [{ maxLength: 3 }, { maxLength: 3 }],
    [{ fixedness: 'a' }, { fixed: undefined, isActive: false }],
    [{ mustSupport: true }, { isActive: false }],
    [{ binding: { strength: 'required' } }, { binding: undefined }],
    [{ binding: { strength: 'preferred', valueSet: 'x' } }, { binding: undefined }],
    [
      { binding: { strength: 'extensible', valueSet: 'x' } },
      { binding: { strength: 'extensible', valueSet: 'x' }, isActive: true },
    ],
    [
      {
        type: [
          { code: 'Extension', profile: ['http://x/a', 'http://hl7.org/fhir/StructureDefinition/Extension'] },
        ],
      },
      { types: [{ code: 'Extension', profiles: ['http://x/a'], targets: [] }], isTyped: true },
    ],
    [
      { type: [{ code: 'Reference', targetProfile: ['http://hl7.org/fhir/StructureDefinition/Resource'] }] },
      { types: [{ code: 'Reference', profiles: [], targets: [] }], isTyped: false },
    ],
    [
      {
        type: [
          {
            code: 'Reference',
            targetProfile: ['http://x/a', 'http://hl7.org/fhir/StructureDefinition/Goal|4.0.1'],
          },
        ],
      },
      {
        types: [
          {
            targets: [
              { canonical: 'http://x/a', isOfR4: false },
              { canonical: 'http://hl7.org/fhir/StructureDefinition/Goal|4.0.1', isOfR4: true },
            ],
          },
        ],
      },
    ],
    [
      { slicing: { discriminator: [], rules: 'odd' } },
      { slicing: { discriminators: [], ordered: false, rules: 'open' } },
    ],
    [{ slicing: { rules: 'openAtEnd', ordered: true } }, { slicing: { ordered: true, rules: 'openAtEnd' } }],
  ])('compiles an element with %j', (members, expected) => {
    expect(
      childOf(compile([element('CarePlan.title', 0, '1', zeroOrOne, members)])?.root, 'title'),
    ).toMatchObject(expected);
  });

  test('separates the slices of an element from its children', () => {
    const root = compile([
      element('CarePlan.identifier', 0, '*', anyCount),
      element('CarePlan.identifier:own', 0, '*', anyCount),
      element('CarePlan.identifier:own.value', 1, '1', zeroOrOne),
      element('CarePlan.activity.detail', 1, '1', zeroOrOne),
    ])?.root;
    const identifier = childOf(root, 'identifier');
    expect(identifier?.children).toEqual([]);
    expect(identifier?.slices.map(({ sliceName, children }) => [sliceName, children.length])).toEqual([
      ['own', 1],
    ]);
    expect(root?.children.map(({ name }) => name)).toEqual(['identifier']);
  });

  test('reports a slice of a slice once, without its children', () => {
    const unsupported = compile([
      element('CarePlan.identifier', 0, '*', anyCount),
      element('CarePlan.identifier:a', 0, '*', anyCount),
      element('CarePlan.identifier:a/b', 0, '*', anyCount),
      element('CarePlan.identifier:a/b.value', 0, '1', zeroOrOne),
    ])?.unsupported;
    expect(unsupported).toEqual([
      {
        element: 'CarePlan.identifier:a/b',
        needs: expect.objectContaining({ messageCode: 'needs.reslicing' }),
      },
    ]);
  });
});

test.each([
  ['$this', []],
  ['', []],
  [
    'code.coding',
    [
      { kind: 'name', name: 'code' },
      { kind: 'name', name: 'coding' },
    ],
  ],
  ['$this.code', [{ kind: 'name', name: 'code' }]],
  [
    "extension('http://x').value",
    [
      { kind: 'extension', url: 'http://x' },
      { kind: 'name', name: 'value' },
    ],
  ],
  ['extension("http://x")', [{ kind: 'extension', url: 'http://x' }]],
  [
    'value.ofType(Quantity)',
    [
      { kind: 'name', name: 'value' },
      { kind: 'type', type: 'Quantity' },
    ],
  ],
  ['as(Quantity)', [{ kind: 'type', type: 'Quantity' }]],
  ['resolve()', []],
  ['entry.resolve()', [{ kind: 'name', name: 'entry' }]],
  ['resolve().code', undefined],
  ['resolve().resolve()', undefined],
  [' $this.resolve() ', []],
  ['code.first()', undefined],
  ['code[0]', undefined],
  ['.code', undefined],
])('parses the path %j of a discriminator', (path, steps) => {
  const discriminator = discriminatorOf('value', path);
  expect(discriminator.steps).toEqual(steps);
  expect(discriminator.resolves).toBe(/resolve\(\)\s*$/.test(path));
});

test.each(['entry..resolve()', '.resolve()'])('rejects the path %j, in which a step is missing', (path) => {
  expect(discriminatorOf('value', path).steps).toBeUndefined();
});

describe('a library', () => {
  test('compiles a profile once, and knows the type of each', () => {
    const library = libraryOf(setOf([structure(url, 'CarePlan', [])]));
    expect(library.profile(url)).toBe(library.profile(url));
    expect(library.profile('http://none')).toBeUndefined();
    expect(library.typeOf(url)).toBe('CarePlan');
    expect(library.typeOf(url)).toBe('CarePlan');
    expect(library.typeOf('http://hl7.org/fhir/StructureDefinition/Goal|4.0.1')).toBe('Goal');
    expect(library.typeOf('http://none/StructureDefinition/Goal')).toBeUndefined();
  });

  test.each([
    ['is of no type', { type: 7 }],
    ['has an element without an id', { type: 'CarePlan', snapshot: { element: [{ path: 'CarePlan' }] } }],
  ])('reports a profile that %s', (_description, members) => {
    const odd = { resourceType: 'StructureDefinition', url, version: '1', ...members };
    expect(libraryOf(setOf([odd])).profile(url)).toEqual({
      canonical: url,
      id: url,
      type: '',
      root: undefined,
      unsupported: [
        {
          element: '',
          needs: expect.objectContaining({ messageCode: 'needs.definition' }),
        },
      ],
    });
  });
});
