import { plainGrain, type MergeGrain } from '../json/merge-grain.ts';
import { stringMember, type JsonNode } from '../json/node.ts';
import { rowsOf } from './element-rows.ts';
import { typeOfRow } from './element-type.ts';
import type { ElementRow, ElementRows } from './validation/generated/element-table.js';

/** Types whose parts belong together: a mix of both sides could be false. */
const atomicTypes = new Set(
  (
    'Quantity Age Count Distance Duration MoneyQuantity SimpleQuantity Money Coding CodeableConcept Identifier ' +
    'Reference Period Range Ratio SampledData Timing Attachment Annotation HumanName Address ContactPoint Signature ' +
    'Narrative Dosage Expression'
  ).split(' '),
);

/** A value that comes from one side as a whole. */
const wholeGrain: MergeGrain = { ...plainGrain, isWhole: () => true };

/**
 * The grain of a merge of two versions of a resource. A choice of types is one value. A primitive with its id and
 * extensions is one value (FHIR R4 json.html#primitive). An element that R4 does not define merges member by member.
 */
export const resourceGrain: MergeGrain = {
  isWhole: (values) => areDifferent(values, 'resourceType'),
  placeOf: (key, owners) => typeGrain(resourceTypeOf(owners)).placeOf(key, owners),
  member: (key, owners) => typeGrain(resourceTypeOf(owners)).member(key, owners),
};

const typeGrains = new Map<string, MergeGrain>();

function typeGrain(type: string): MergeGrain {
  const cachedGrain = typeGrains.get(type);
  if (cachedGrain) return cachedGrain;
  const rows = rowsOf(type);
  const grain = rows ? createTypeGrain(type, rows) : plainGrain;
  typeGrains.set(type, grain);
  return grain;
}

function createTypeGrain(type: string, rows: ElementRows): MergeGrain {
  const choices = new Set(Object.values(rows).flatMap(({ choice }) => choice ?? []));
  const placeOf = (key: string) => {
    const name = key.replace(/^_/, '');
    const row = rowOf(rows, name);
    const choice = row ? row.choice : unknownChoice(choices, name);
    if (choice !== undefined) return `${choice}[x]`;
    return row && typeOfRow(row).primitive ? name : key;
  };
  return {
    // A value of an extension depends on the extension's url.
    isWhole: (values) => atomicTypes.has(type) || (type === 'Extension' && areDifferent(values, 'url')),
    placeOf,
    member: (key) => {
      const row = rowOf(rows, key);
      if (placeOf(key) !== key) return wholeGrain;
      if (!row) return plainGrain;
      return row.type === 'Contained' ? resourceGrain : typeGrain(row.type);
    },
  };
}

function rowOf(rows: ElementRows, name: string): ElementRow | undefined {
  return Object.hasOwn(rows, name) ? rows[name] : undefined;
}

/** Returns the choice that a name belongs to by its form: `value` for `valueInteger64` of R5. */
function unknownChoice(choices: ReadonlySet<string>, name: string): string | undefined {
  return [...choices].find((choice) => name.startsWith(choice) && /^[A-Z]/.test(name.slice(choice.length)));
}

function resourceTypeOf(owners: readonly JsonNode[]): string {
  return stringMember(owners[0], 'resourceType') ?? '';
}

function areDifferent(values: readonly JsonNode[], name: string): boolean {
  return new Set(values.map((value) => stringMember(value, name))).size > 1;
}
