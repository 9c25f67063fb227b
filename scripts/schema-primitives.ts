/**
 * Defines FHIR R4's primitive types (datatypes.html) as JSON schemas. HL7's schemas are weak: some lack
 * anchors, `date` allows a time, and `\S` of JavaScript rejects a no-break space that FHIR allows. Every
 * pattern here matches in linear time.
 */
export type Schema = Readonly<Record<string, unknown>>;

const year = '(?!0000)[0-9]{4}';
const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12][0-9]|3[01])';
// R4 does not limit the fraction. R5 limits it to nanoseconds.
const time = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?';
const zone = '(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))';
const nonSpace = '[^\\t\\n\\v\\f\\r ]';

// The rule string-length checks the maximum length, because ajv's keyword needs a helper module.
const text: Schema = { type: 'string', pattern: '[^]' };
const oid = 'urn:oid:[0-2](?:\\.(?:0|[1-9][0-9]*))+';
// "OIDs SHALL be expressed as urn:oid", so a text with that start must be an OID.
const uri: Schema = { type: 'string', pattern: `^(?:(?!urn:oid:)${nonSpace}+|${oid})$` };

function createInteger(minimum: number): Schema {
  return { type: 'integer', minimum, maximum: 2 ** 31 - 1 };
}

function createPattern(pattern: string): Schema {
  return { type: 'string', pattern: `^${pattern}$` };
}

export const primitives: Readonly<Record<string, Schema>> = {
  boolean: { type: 'boolean' },
  integer: createInteger(-(2 ** 31)),
  unsignedInt: createInteger(0),
  positiveInt: createInteger(1),
  decimal: { type: 'number' },
  string: text,
  markdown: text,
  // The rules txt-1 and txt-2 validate its content.
  xhtml: { type: 'string' },
  uri,
  url: uri,
  canonical: uri,
  oid: createPattern(oid),
  uuid: createPattern('urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'),
  id: createPattern('[A-Za-z0-9.-]{1,64}'),
  // "No leading or trailing whitespace, no whitespace other than single spaces."
  code: createPattern(`${nonSpace}+(?: ${nonSpace}+)*`),
  date: createPattern(`${year}(?:-${month}(?:-${day})?)?`),
  dateTime: createPattern(`${year}(?:-${month}(?:-${day}(?:T${time}${zone})?)?)?`),
  instant: createPattern(`${year}-${month}-${day}T${time}${zone}`),
  time: createPattern(time),
  // The rule base64-length counts groups of four. A pattern would be quadratic in white space.
  base64Binary: { type: 'string', pattern: '^[A-Za-z0-9+/=\\s]+$' },
};
