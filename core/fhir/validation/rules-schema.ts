import { conformance, type Rule } from '../../types/definition/rule.ts';

/** What the generated tables of elements tell; visit.ts and forms.ts report by these. */
export const schemaRules = [
  {
    id: 'resource-type',
    ...conformance,
    code: 'invalid',
    text: 'The resourceType is not the one that is expected here; correct it or use the other address.',
    about: 'value',
  },
  {
    id: 'schema-type',
    ...conformance,
    code: 'value',
    text: 'The element has the wrong JSON type; write it in the form that FHIR gives it.',
  },
  {
    id: 'schema-primitive',
    ...conformance,
    code: 'value',
    text: 'The value does not have the form of its data type; correct it.',
    about: 'value',
  },
  {
    id: 'date-time-zone',
    ...conformance,
    code: 'value',
    text: 'A time needs seconds and a zone, such as T09:30:00Z or T09:30:00+02:00; complete it.',
    about: 'value',
  },
  {
    id: 'schema-code',
    ...conformance,
    code: 'code-invalid',
    text: 'The code is not one of those that FHIR allows here; choose one of them {}.',
    about: 'value',
  },
  {
    id: 'schema-required',
    severity: 'error',
    category: 'completeness',
    code: 'required',
    text: 'The mandatory element {} is missing; add it.',
    flagged: true,
  },
  {
    id: 'schema-unknown',
    ...conformance,
    code: 'structure',
    text: 'FHIR R4 knows no such element here; correct its name, move it or remove it.',
    flagged: true,
  },
  {
    id: 'depth',
    ...conformance,
    code: 'too-long',
    text: 'The record nests too deeply from here on; flatten it.',
  },
] as const satisfies readonly Rule[];

export type SchemaRuleId = (typeof schemaRules)[number]['id'];
