/**
 * FHIR R4's primitive types (datatypes.html) as JSON schemas. HL7's own are weak: some lack anchors, `date` allows a
 * time, and `\S` of JavaScript refuses a no-break space that FHIR allows. Every pattern here is matched in linear time.
 */
export type Schema = Readonly<Record<string, unknown>>;

const year = '(?!0000)[0-9]{4}';
const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12][0-9]|3[01])';
// R4 sets no end to the fraction; R5 sets one, at nanoseconds.
const time = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?';
const zone = '(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))';
const black = '[^\\t\\n\\v\\f\\r ]';

// The greatest length is the rule string-length's: ajv's own keyword needs a helper module.
const text: Schema = { type: 'string', pattern: '[^]' };
const oid = 'urn:oid:[0-2](?:\\.(?:0|[1-9][0-9]*))+';
// "OIDs SHALL be expressed as urn:oid": what begins so is one.
const uri: Schema = { type: 'string', pattern: `^(?:(?!urn:oid:)${black}+|${oid})$` };

function whole(minimum: number): Schema {
  return { type: 'integer', minimum, maximum: 2 ** 31 - 1 };
}

function shape(pattern: string): Schema {
  return { type: 'string', pattern: `^${pattern}$` };
}

export const primitives: Readonly<Record<string, Schema>> = {
  boolean: { type: 'boolean' },
  integer: whole(-(2 ** 31)),
  unsignedInt: whole(0),
  positiveInt: whole(1),
  decimal: { type: 'number' },
  string: text,
  markdown: text,
  // Its content is judged by the rules txt-1 and txt-2.
  xhtml: { type: 'string' },
  uri,
  url: uri,
  canonical: uri,
  oid: shape(oid),
  uuid: shape('urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'),
  id: shape('[A-Za-z0-9.-]{1,64}'),
  // "No leading or trailing whitespace, no whitespace other than single spaces."
  code: shape(`${black}+(?: ${black}+)*`),
  date: shape(`${year}(?:-${month}(?:-${day})?)?`),
  dateTime: shape(`${year}(?:-${month}(?:-${day}(?:T${time}${zone})?)?)?`),
  instant: shape(`${year}-${month}-${day}T${time}${zone}`),
  time: shape(time),
  // Groups of four are counted by the rule base64-length: a pattern would be quadratic in white space.
  base64Binary: { type: 'string', pattern: '^[A-Za-z0-9+/=\\s]+$' },
};
