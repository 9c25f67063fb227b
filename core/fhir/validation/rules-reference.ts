import {
  conformance,
  has,
  invariant,
  reportIf,
  type Members,
  type Report,
  type Rule,
  type Surroundings,
} from '../../types/definition/rule.ts';
import { isR4Type } from '../r4-names.ts';

const id = '[A-Za-z0-9.-]{1,64}';
const typed = `([A-Z][A-Za-z]+)/${id}(?:/_history/${id})?`;
const typedLiteral = new RegExp(`^(?:https?://[^?#]*/)?${typed}$`);
const relativeLiteral = new RegExp(`^${typed}$`);
const longestLiteral = 4096;
/** What a type may be written as: its name, or the canonical of its definition. */
const definitions = 'http://hl7.org/fhir/StructureDefinition/';
/** A conditional reference (FHIR R4 http.html#trules). */
const conditional = /^([A-Z][A-Za-z]+)\?./;
/** Only with an authority or as a urn: `Patient:1` and `localhost:80/Patient/1` have schemes by RFC 3986 alone. */
const absolute = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]|file:\/\/\/.|urn:[a-z0-9][a-z0-9-]+:.)/i;
const urnForms: Readonly<Record<string, RegExp>> = {
  'urn:uuid:': /^urn:uuid:[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
  'urn:oid:': /^urn:oid:[0-2](?:\.(?:0|[1-9][0-9]*))+$/,
};

/** The resource type that a literal names, where it has the form of a RESTful reference (FHIR R4 references.html). */
function literalType(literal: unknown): string | undefined {
  if (typeof literal !== 'string' || literal.length > longestLiteral) return undefined;
  const type = typedLiteral.exec(literal)?.[1];
  return type !== undefined && isR4Type(type) ? type : undefined;
}

/** The type of what a reference names: by its literal, or by the resource that it names in the record. */
function targetType(literal: unknown, { contained }: Surroundings): string | undefined {
  if (typeof literal !== 'string' || !literal.startsWith('#')) return literalType(literal);
  const type = contained.get(literal.slice(1));
  return type !== undefined && isR4Type(type) ? type : undefined;
}

/** The R4 type that `Reference.type` names; undefined for a logical model, and for what is none. */
function saidType(type: unknown): string | undefined {
  if (typeof type !== 'string') return undefined;
  const name = type.startsWith(definitions) ? type.slice(definitions.length) : type;
  return isR4Type(name) ? name : undefined;
}

/**
 * Returns true for a literal of an allowed form: an absolute URL or urn, `#id`, `Type/id` with or without a version, and
 * `Type?query`, with types of R4 (FHIR R4 references.html#literal).
 */
export function isReferenceLiteral(literal: string): boolean {
  if (/\s/.test(literal)) return false;
  if (literal.startsWith('#')) return true;
  const urn = Object.keys(urnForms).find((start) => literal.startsWith(start));
  if (urn !== undefined) return urnForms[urn]?.test(literal) === true;
  const type = (relativeLiteral.exec(literal) ?? conditional.exec(literal))?.[1];
  return type === undefined ? absolute.test(literal) : isR4Type(type);
}

export const referenceRules = [
  {
    id: 'ref-1',
    ...invariant,
    text: 'The reference names a contained resource that is not there; add it or correct the reference.',
    about: 'value',
    on: ['Reference'],
    check: reportIf(
      ({ reference }, { contained }) =>
        typeof reference === 'string' && /^#./s.test(reference) && !contained.has(reference.slice(1)),
      'reference',
    ),
  },
  {
    id: 'canonical-fragment',
    ...invariant,
    text: 'The canonical address names a contained resource that is not there; add it or correct the address.',
    about: 'value',
    flagged: true,
    on: ['canonical'],
    check: reportIf(
      (canonical: string, { contained }) => canonical.startsWith('#') && !contained.has(canonical.slice(1)),
    ),
  },
  {
    id: 'reference-literal',
    severity: 'warning',
    category: 'conformance',
    code: 'value',
    text: 'The reference has not the form of an address: Type/id, a whole URL, urn:uuid: or urn:oid:; correct it.',
    about: 'value',
    on: ['Reference'],
    // An empty text is a finding of its own, and a fragment with white space is the rule ref-1's.
    check: reportIf(
      ({ reference }) =>
        typeof reference === 'string' &&
        reference !== '' &&
        !reference.startsWith('#') &&
        !isReferenceLiteral(reference),
      'reference',
    ),
  },
  {
    id: 'reference-type',
    ...conformance,
    code: 'value',
    text: 'The type of the reference is not that of the resource that it names; correct one of them.',
    about: 'value',
    flagged: true,
    on: ['Reference'],
    check: (element: Members, report: Report, at: Surroundings) => {
      const said = saidType(element.type);
      const is = targetType(element.reference, at);
      if (said !== undefined && is !== undefined && said !== is) report(['type'], `expected ${is}`);
    },
  },
  {
    id: 'reference-target',
    ...conformance,
    code: 'value',
    text: 'The reference names a type of resource that FHIR does not allow here; refer to another one.',
    about: 'value',
    on: ['Reference'],
    check: ({ reference, type: said }: Members, report: Report, at: Surroundings) => {
      const { targets } = at;
      if (!targets) return;
      const type = targetType(reference, at);
      const other = type === undefined ? saidType(said) : undefined;
      if (type !== undefined && !targets.includes(type))
        report(['reference'], `one of ${targets.join(', ')}`);
      if (other !== undefined && !targets.includes(other)) report(['type'], `one of ${targets.join(', ')}`);
    },
  },
  {
    id: 'reference-empty',
    severity: 'warning',
    category: 'completeness',
    code: 'business-rule',
    text: 'The reference has neither a literal, an identifier nor a display; say what it refers to.',
    on: ['Reference'],
    check: reportIf((reference) => {
      const told = ['reference', 'identifier', 'display', 'extension'].some((name) => has(reference, name));
      return !told && Object.keys(reference).length > 0;
    }),
  },
] as const satisfies readonly Rule[];
