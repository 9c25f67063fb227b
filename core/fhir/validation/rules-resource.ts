import {
  conformance,
  has,
  invariant,
  isPlainObject,
  list,
  reportIf,
  type PlainObject,
  type ReportFinding,
  type Rule,
  type RuleContext,
} from '../../types/definition/rule.ts';
import { isR4Type } from '../r4-names.ts';

const id = '[A-Za-z0-9.-]{1,64}';
const typedPattern = `([A-Z][A-Za-z]+)/${id}(?:/_history/${id})?`;
const typedLiteral = new RegExp(`^(?:https?://[^?#]*/)?${typedPattern}$`);
const relativeLiteral = new RegExp(`^${typedPattern}$`);
const maxLiteralLength = 4096;
/** Base of the canonical form of a type name. */
const definitions = 'http://hl7.org/fhir/StructureDefinition/';
/** A conditional reference (FHIR R4 http.html#trules). */
const conditional = /^([A-Z][A-Za-z]+)\?./;
/** Requires an authority or a urn: `Patient:1` and `localhost:80/Patient/1` also have schemes by RFC 3986. */
const absolute = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]|file:\/\/\/.|urn:[a-z0-9][a-z0-9-]+:.)/i;
const urnForms: Readonly<Record<string, RegExp>> = {
  'urn:uuid:': /^urn:uuid:[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
  'urn:oid:': /^urn:oid:[0-2](?:\.(?:0|[1-9][0-9]*))+$/,
};

/** Returns the resource type in a literal of RESTful form (FHIR R4 references.html). */
function literalType(literal: unknown): string | undefined {
  if (typeof literal !== 'string' || literal.length > maxLiteralLength) return undefined;
  const type = typedLiteral.exec(literal)?.[1];
  return type !== undefined && isR4Type(type) ? type : undefined;
}

/** Returns the type of a reference's target, from the literal or from the contained resource. */
function targetType(literal: unknown, { contained }: RuleContext): string | undefined {
  if (typeof literal !== 'string' || !literal.startsWith('#')) return literalType(literal);
  const type = contained.get(literal.slice(1));
  return type !== undefined && isR4Type(type) ? type : undefined;
}

/** Returns the R4 type in `Reference.type`; undefined for a logical model or an unknown type. */
function readDeclaredType(type: unknown): string | undefined {
  if (typeof type !== 'string') return undefined;
  const name = type.startsWith(definitions) ? type.slice(definitions.length) : type;
  return isR4Type(name) ? name : undefined;
}

/**
 * Returns true for a literal of an allowed form (FHIR R4 references.html#literal).
 *
 * Allowed are an absolute URL or urn, `#id`, `Type/id` with or without a version, and `Type?query`, with
 * types of R4.
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
    text: 'The reference points to a contained resource that doesn’t exist.',
    subject: 'value',
    appliesTo: ['Reference'],
    check: reportIf(
      ({ reference }, { contained }) =>
        typeof reference === 'string' && /^#./s.test(reference) && !contained.has(reference.slice(1)),
      'reference',
    ),
  },
  {
    id: 'canonical-fragment',
    ...invariant,
    text: 'The canonical URL points to a contained resource that doesn’t exist.',
    subject: 'value',
    flagged: true,
    appliesTo: ['canonical'],
    check: reportIf(
      (canonical: string, { contained }) => canonical.startsWith('#') && !contained.has(canonical.slice(1)),
    ),
  },
  {
    id: 'reference-literal',
    severity: 'warning',
    category: 'conformance',
    code: 'value',
    text: 'Not a valid reference. Use Type/id, a full URL, urn:uuid: or urn:oid:.',
    subject: 'value',
    appliesTo: ['Reference'],
    // The rule empty reports an empty text, and ref-1 a fragment with white space.
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
    text: 'The reference’s type doesn’t match its target.',
    subject: 'value',
    flagged: true,
    appliesTo: ['Reference'],
    check: (element: PlainObject, report: ReportFinding, context: RuleContext) => {
      const declaredType = readDeclaredType(element.type);
      const actualType = targetType(element.reference, context);
      if (declaredType !== undefined && actualType !== undefined && declaredType !== actualType)
        report(['type'], `expected ${actualType}`);
    },
  },
  {
    id: 'reference-target',
    ...conformance,
    code: 'value',
    text: 'References to this resource type aren’t allowed here.',
    subject: 'value',
    appliesTo: ['Reference'],
    check: ({ reference, type: declaredType }: PlainObject, report: ReportFinding, context: RuleContext) => {
      const { targets } = context;
      if (!targets) return;
      const type = targetType(reference, context);
      const otherType = type === undefined ? readDeclaredType(declaredType) : undefined;
      if (type !== undefined && !targets.includes(type))
        report(['reference'], `one of ${targets.join(', ')}`);
      if (otherType !== undefined && !targets.includes(otherType))
        report(['type'], `one of ${targets.join(', ')}`);
    },
  },
  {
    id: 'reference-empty',
    severity: 'warning',
    category: 'completeness',
    code: 'business-rule',
    text: 'The reference is empty. Add a reference, an identifier or a display.',
    appliesTo: ['Reference'],
    check: reportIf((reference) => {
      const hasContent = ['reference', 'identifier', 'display', 'extension'].some((name) =>
        has(reference, name),
      );
      return !hasContent && Object.keys(reference).length > 0;
    }),
  },
] as const satisfies readonly Rule[];

/** Reports each contained resource that `isBroken` selects. */
function eachContained(
  record: PlainObject,
  report: ReportFinding,
  isBroken: (resource: PlainObject) => boolean,
  childTokens: readonly string[] = [],
): void {
  list(record.contained).forEach((resource, index) => {
    if (isPlainObject(resource) && isBroken(resource)) report(['contained', index, ...childTokens]);
  });
}

/** Invariants of each record and of its contained resources (FHIR R4 domainresource.html). */
export const resourceRules = [
  {
    id: 'r4-invariant',
    ...invariant,
    text: 'The R4 constraint {name} fails.',
    flagged: true,
  },
  {
    id: 'r4-advice',
    severity: 'warning',
    category: 'conformance',
    code: 'invariant',
    text: 'The R4 best practice {name} is not followed.',
  },
  {
    id: 'dom-2',
    ...invariant,
    text: 'A contained resource contains another one. Move it to the record itself.',
    appliesTo: ['Record'],
    check: (record: PlainObject, report: ReportFinding) =>
      eachContained(record, report, (resource) => resource.contained !== undefined),
  },
  {
    id: 'dom-3',
    ...invariant,
    text: 'This contained resource is not referenced. Reference it or remove it.',
    appliesTo: ['Record'],
    check: (record: PlainObject, report: ReportFinding, { fragments }: RuleContext) =>
      eachContained(record, report, (resource) => {
        const id = typeof resource.id === 'string' ? resource.id.replace(/^#/, '') : '';
        // A fragment with the type before the id is malformed, and ref-1 reports it.
        const isReferenced =
          fragments.has(`#${id}`) || fragments.has(`#${String(resource.resourceType)}/${id}`);
        return !isReferenced && !refersToContainer(resource, 0);
      }),
  },
  {
    id: 'dom-4',
    ...invariant,
    text: 'A contained resource must not have meta.versionId or meta.lastUpdated.',
    appliesTo: ['Record'],
    check: (record: PlainObject, report: ReportFinding) =>
      eachContained(
        record,
        report,
        ({ meta }) => isPlainObject(meta) && (has(meta, 'versionId') || has(meta, 'lastUpdated')),
      ),
  },
  {
    id: 'dom-5',
    ...invariant,
    text: 'A contained resource must not have a security label. Set it on the record.',
    appliesTo: ['Record'],
    check: (record: PlainObject, report: ReportFinding) =>
      eachContained(record, report, ({ meta }) => isPlainObject(meta) && has(meta, 'security')),
  },
  {
    id: 'contained-type',
    ...conformance,
    code: 'structure',
    text: 'Unknown resource type.',
    subject: 'value',
    flagged: true,
    appliesTo: ['Contained'],
    check: reportIf(
      ({ resourceType }) => typeof resourceType === 'string' && !isR4Type(resourceType),
      'resourceType',
    ),
  },
  {
    id: 'contained-twice',
    ...conformance,
    code: 'structure',
    text: 'Two contained resources have the same id. Change one.',
    subject: 'repetition',
    flagged: true,
    appliesTo: ['Record'],
    check: (record: PlainObject, report: ReportFinding) => {
      const ids = new Set<unknown>();
      eachContained(
        record,
        report,
        ({ id }) => {
          const twice = typeof id === 'string' && ids.has(id);
          ids.add(id);
          return twice;
        },
        ['id'],
      );
    },
  },
] as const satisfies readonly Rule[];

/** Returns true if a value contains `#`, the reference to the containing record. */
function refersToContainer(value: unknown, depth: number): boolean {
  if (value === '#') return true;
  if (depth > 64 || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((child) => refersToContainer(child, depth + 1));
}
