import { conformance, type Rule } from '../../types/definition/rule.ts';

/** Rules of the generated element tables. visit.ts reports them. */
export const schemaRules = [
  {
    id: 'resource-type',
    ...conformance,
    code: 'invalid',
    text: 'Unexpected resourceType. Correct it, or use the address for this type.',
    subject: 'value',
  },
  {
    id: 'schema-type',
    ...conformance,
    code: 'value',
    text: 'Wrong JSON type. Use the type FHIR requires here.',
  },
  {
    id: 'schema-primitive',
    ...conformance,
    code: 'value',
    text: 'Not a valid value for this data type.',
    subject: 'value',
  },
  {
    id: 'date-time-zone',
    ...conformance,
    code: 'value',
    text: 'A time needs seconds and a time zone, such as T09:30:00Z or T09:30:00+02:00.',
    subject: 'value',
  },
  {
    id: 'schema-code',
    ...conformance,
    code: 'code-invalid',
    text: 'This code isn’t allowed. Choose one of the allowed codes {name}.',
    subject: 'value',
  },
  {
    id: 'schema-required',
    severity: 'error',
    category: 'completeness',
    code: 'required',
    text: 'The required element {name} is missing.',
    flagged: true,
  },
  {
    id: 'schema-unknown',
    ...conformance,
    code: 'structure',
    text: 'Unknown element. Rename, move or remove it.',
    flagged: true,
  },
  {
    id: 'depth',
    ...conformance,
    code: 'too-long',
    text: 'The record is nested too deeply from here on.',
  },
] as const satisfies readonly Rule[];

export type SchemaRuleId = (typeof schemaRules)[number]['id'];
