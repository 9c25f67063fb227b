import { has, type Members, type Report, type Rule, type Surroundings } from '../../types/definition/rule.ts';
import { resourceNames } from './generated/record-schema.js';

const id = '[A-Za-z0-9.-]{1,64}';
const typedLiteral = new RegExp(`^(?:https?://[^?#]*/)?([A-Z][A-Za-z]+)/${id}(?:/_history/${id})?$`);
const longestLiteral = 4096;
const known = new Set(resourceNames);

/** The resource type that a literal names, where it has the form of a RESTful reference (FHIR R4 references.html). */
function literalType(literal: unknown): string | undefined {
  if (typeof literal !== 'string' || literal.length > longestLiteral) return undefined;
  const type = typedLiteral.exec(literal)?.[1];
  return type !== undefined && known.has(type) ? type : undefined;
}

export const referenceRules = [
  {
    id: 'ref-1',
    severity: 'error',
    category: 'conformance',
    code: 'invariant',
    text: 'The reference names a contained resource that is not there; add it or correct the reference.',
    on: ['Reference'],
    check: ({ reference }: Members, report: Report, { contained }: Surroundings) => {
      if (typeof reference !== 'string' || !reference.startsWith('#') || reference === '#') return;
      if (!contained.has(reference.slice(1))) report(['reference']);
    },
  },
  {
    id: 'reference-target',
    severity: 'error',
    category: 'conformance',
    code: 'value',
    text: 'The reference names a type of resource that FHIR does not allow here; refer to another one.',
    on: ['Reference'],
    check: ({ reference }: Members, report: Report, { targets }: Surroundings) => {
      if (!targets) return;
      const type = literalType(reference);
      if (type !== undefined && !targets.includes(type))
        report(['reference'], `one of ${targets.join(', ')}`);
    },
  },
  {
    id: 'reference-empty',
    severity: 'warning',
    category: 'completeness',
    code: 'business-rule',
    text: 'The reference has neither a literal, an identifier nor a display; say what it refers to.',
    on: ['Reference'],
    check: (reference: Members, report: Report) => {
      const told = ['reference', 'identifier', 'display', 'extension'].some((name) => has(reference, name));
      if (!told && Object.keys(reference).length > 0) report();
    },
  },
] as const satisfies readonly Rule[];
