import { limits } from '../api/contract.ts';
import { searchParameters, type SearchParameter } from '../api/parameters.ts';
import { member, stringMember, type JsonNode } from '../json/node.ts';
import { FhirError } from './outcome.ts';
import { parseReference, type LiteralReference } from './reference.ts';
import { isFhirId, type ResourceType } from './resource.ts';

export type ReferenceElement = 'subject' | 'encounter';

/** One reference condition: the element points at any of these targets. */
export interface ReferenceTerm {
  readonly element: ReferenceElement;
  readonly anyOf: readonly LiteralReference[];
  /** Literals that name a type must name this one; those that name none (`urn:uuid:x`) may match. */
  readonly target?: string;
}

/** Where a page starts: behind this record in the order of lastUpdated, newest first, then id. */
export interface Cursor {
  readonly lastUpdated: string;
  readonly id: string;
}

/** A search that has been understood: all terms hold, of each term any value. */
export interface SearchCriteria {
  readonly type: ResourceType;
  readonly references: readonly ReferenceTerm[];
  readonly ids: readonly (readonly string[])[];
  readonly count?: number;
  readonly after?: Cursor;
  /** The pairs that were used, for the `self` link. */
  readonly used: readonly (readonly [name: string, value: string])[];
}

/** One index row of a record: its element points at `target`. */
export interface ReferenceRow {
  readonly element: ReferenceElement;
  readonly target: LiteralReference;
}

/** The index rows of a record, for each reference parameter's element. */
export function referenceRows(record: JsonNode): ReferenceRow[] {
  return (['subject', 'encounter'] as const).flatMap((element) => {
    const literal = stringMember(member(record, element), 'reference');
    const target = literal === undefined ? undefined : parseReference(literal);
    return target ? [{ element, target }] : [];
  });
}

/**
 * Reads the query of a search.
 *
 * @throws FhirError `not-accepted` for an unknown parameter, `value` for one without a usable value, `required` for a
 *   CarePlan search that names no subject.
 */
export function readCriteria(
  type: ResourceType,
  pairs: readonly (readonly [name: string, value: string])[],
): SearchCriteria {
  const references: ReferenceTerm[] = [];
  const ids: string[][] = [];
  let count: number | undefined;
  let after: Cursor | undefined;
  for (const [name, value] of pairs) {
    const parameter = known(name, type);
    if (value.trim() === '') throw badValue(name, 'has no value');
    switch (parameter.kind) {
      case 'reference':
        references.push(referenceTerm(parameter, value));
        break;
      case 'id':
        ids.push(alternatives(value).filter(isFhirId));
        break;
      case 'number':
        count = readCount(name, value);
        break;
      case 'cursor':
        after = readCursor(value);
        break;
    }
  }
  if (type === 'CarePlan' && ids.length === 0 && !references.some(({ element }) => element === 'subject')) {
    throw new FhirError('required', {
      text: 'A search for CarePlans names the patient: send subject.',
      location: 'http.subject',
    });
  }
  return { type, references, ids, used: pairs, ...(count && { count }), ...(after && { after }) };
}

function known(name: string, type: ResourceType): SearchParameter {
  const offered = searchParameters.filter((parameter) => parameter.types.includes(type));
  const found = offered.find((parameter) => parameter.name === name);
  if (found) return found;
  throw new FhirError('not-accepted', {
    text: `This search parameter is not known here. ${type} takes ${offered.map((one) => one.name).join(', ')}.`,
    location: `http.${name.slice(0, 64)}`,
  });
}

function referenceTerm(parameter: SearchParameter, value: string): ReferenceTerm {
  const anyOf = alternatives(value).map((literal) => {
    const reference = parseReference(literal);
    if (!reference) throw badValue(parameter.name, 'names no id');
    return reference;
  });
  const { element = 'subject', target } = parameter;
  return { element, anyOf, ...(target !== undefined && { target }) };
}

/** Values joined by commas; `\,` stands for a comma (FHIR R4 search.html#escaping). */
function alternatives(value: string): string[] {
  return value.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ',').trim());
}

function readCount(name: string, value: string): number {
  if (!/^[0-9]{1,9}$/.test(value) || Number(value) === 0)
    throw badValue(name, 'must be a whole number from 1');
  return Math.min(Number(value), limits.page);
}

const cursorForm = /^([0-9TZ:.-]{24})_([A-Za-z0-9.-]{1,64})$/;

function readCursor(value: string): Cursor {
  const [, lastUpdated, id] = cursorForm.exec(value) ?? [];
  if (lastUpdated === undefined || id === undefined) throw badValue('_cursor', 'must come from a next link');
  return { lastUpdated, id };
}

/** The value of `_cursor` that starts a page behind this record. */
export function formatCursor({ lastUpdated, id }: Cursor): string {
  return `${lastUpdated}_${id}`;
}

function badValue(name: string, what: string): FhirError {
  return new FhirError('value', { text: `The search parameter ${name} ${what}.`, location: `http.${name}` });
}
