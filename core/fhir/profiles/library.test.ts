import { describe, expect, test } from 'vitest';
import { compileProfile } from './compile.ts';
import { discriminatorOf } from './discriminator-path.ts';
import { libraryOf } from './library.ts';
import type { ElementPlan } from './plan.ts';
import { element, structure } from './testing/profiles.ts';
import { setOf } from './testing/sets.ts';

const url = 'http://ward.example/fhir/StructureDefinition/plan';
const any = [0, '*'] as const;
const one = [0, '1'] as const;
const r4 = { isInvariant: () => false, isBound: () => false };

function compiled(elements: readonly ReturnType<typeof element>[], more: object = {}) {
  return compileProfile({ ...structure(url, 'CarePlan', elements), ...more }, r4);
}

function childOf(plan: ElementPlan | undefined, name: string): ElementPlan | undefined {
  return plan?.children.find((child) => child.name === name);
}

describe('a profile', () => {
  test('is called by its address with the version, and by its id or the end of its address', () => {
    expect(compiled([])).toMatchObject({
      canonical: `${url}|1.0.0`,
      id: 'plan',
      type: 'CarePlan',
      refused: [],
    });
    expect(compiled([], { version: undefined, id: undefined })).toMatchObject({ canonical: url, id: 'plan' });
    expect(compiled([], { id: 'own' })).toMatchObject({ id: 'own' });
  });

  test('that is none has no plan', () => {
    expect(compileProfile({ url }, r4)).toBeUndefined();
    expect(compileProfile(undefined, r4)).toBeUndefined();
  });

  test('says of an element only what R4 does not', () => {
    const root = compiled([
      element('CarePlan.title', 0, '1', one),
      element('CarePlan.status', 1, '1', [1, '1']),
      element('CarePlan.note', 0, '*', any),
      element('CarePlan.period', 1, '1', one),
      element('CarePlan.goal', 0, '3', any),
      element('CarePlan.created', 0, '0', one),
    ])?.root;
    const of = (name: string) => {
      const plan = childOf(root, name);
      return [plan?.min, plan?.max, plan?.isActive];
    };
    expect(of('title')).toEqual([0, Infinity, false]);
    expect(of('status')).toEqual([0, Infinity, false]);
    expect(of('note')).toEqual([0, Infinity, false]);
    expect(of('period')).toEqual([1, Infinity, true]);
    expect(of('goal')).toEqual([0, 3, true]);
    expect(of('created')).toEqual([0, 0, true]);
    expect(root?.active.map(({ name }) => name)).toEqual(['period', 'goal', 'created']);
  });

  test.each([
    [{ fixedString: 'a' }, { fixed: 'a' }],
    [{ patternCoding: { code: 'a' } }, { pattern: { code: 'a' } }],
    [{ minValueDate: '2020' }, { least: '2020' }],
    [{ maxValueInteger: 3 }, { most: 3 }],
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
  ])('that says %j of an element is compiled', (said, expected) => {
    expect(childOf(compiled([element('CarePlan.title', 0, '1', one, said)])?.root, 'title')).toMatchObject(
      expected,
    );
  });

  test('has the slices of an element beside what is below it', () => {
    const root = compiled([
      element('CarePlan.identifier', 0, '*', any),
      element('CarePlan.identifier:own', 0, '*', any),
      element('CarePlan.identifier:own.value', 1, '1', one),
      element('CarePlan.activity.detail', 1, '1', one),
    ])?.root;
    const identifier = childOf(root, 'identifier');
    expect(identifier?.children).toEqual([]);
    expect(identifier?.slices.map(({ sliceName, children }) => [sliceName, children.length])).toEqual([
      ['own', 1],
    ]);
    expect(root?.children.map(({ name }) => name)).toEqual(['identifier']);
  });

  test('refuses a slice of a slice once, whatever is below it', () => {
    const refused = compiled([
      element('CarePlan.identifier', 0, '*', any),
      element('CarePlan.identifier:a', 0, '*', any),
      element('CarePlan.identifier:a/b', 0, '*', any),
      element('CarePlan.identifier:a/b.value', 0, '1', one),
    ])?.refused;
    expect(refused).toEqual([
      { element: 'CarePlan.identifier:a/b', needs: 'it cannot be judged: re-slicing' },
    ]);
  });
});

test.each([
  ['$this', []],
  ['', []],
  [
    'code.coding',
    [
      { is: 'name', name: 'code' },
      { is: 'name', name: 'coding' },
    ],
  ],
  ['$this.code', [{ is: 'name', name: 'code' }]],
  [
    "extension('http://x').value",
    [
      { is: 'extension', url: 'http://x' },
      { is: 'name', name: 'value' },
    ],
  ],
  ['extension("http://x")', [{ is: 'extension', url: 'http://x' }]],
  [
    'value.ofType(Quantity)',
    [
      { is: 'name', name: 'value' },
      { is: 'type', type: 'Quantity' },
    ],
  ],
  ['as(Quantity)', [{ is: 'type', type: 'Quantity' }]],
  ['resolve()', []],
  ['entry.resolve()', [{ is: 'name', name: 'entry' }]],
  ['resolve().code', undefined],
  ['resolve().resolve()', undefined],
  [' $this.resolve() ', []],
  ['code.first()', undefined],
  ['code[0]', undefined],
  ['.code', undefined],
])('the path %j of a discriminator is taken apart', (path, steps) => {
  const read = discriminatorOf('value', path);
  expect(read.steps).toEqual(steps);
  expect(read.resolves).toBe(/resolve\(\)\s*$/.test(path));
});

test.each(['entry..resolve()', '.resolve()'])('the path %j leads nowhere, as a step is missing', (path) => {
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
  ])('refuses by a sentence a profile that %s', (_what, more) => {
    const odd = { resourceType: 'StructureDefinition', url, version: '1', ...more };
    expect(libraryOf(setOf([odd])).profile(url)).toEqual({
      ...{ canonical: url, id: url, type: '', root: undefined },
      refused: [
        {
          element: '',
          needs:
            'its definition cannot be read: it needs a url and a type, and each element an id and a path',
        },
      ],
    });
  });
});
