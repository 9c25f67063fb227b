import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { member, type JsonNode, type JsonObject } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import { XmlElementReader } from './xml-elements.ts';
import { writeResourceAsJson } from './xml-json.ts';

/** Converts XML that arrives in chunks of so many characters. */
function convert(xml: string, chunkLength = xml.length): string {
  const reader = new XmlElementReader(1_000_000);
  const children = [];
  for (let start = 0; start < xml.length; start += chunkLength)
    children.push(...reader.feed(xml.slice(start, start + chunkLength)));
  children.push(...reader.end());
  if (!reader.root) throw new Error('No root');
  return writeResourceAsJson({ ...reader.root, children });
}

const plan = (content: string, attributes = '') =>
  `<CarePlan xmlns="http://hl7.org/fhir"${attributes}>${content}</CarePlan>`;

test.each([
  [
    'keeps the digits of a decimal',
    '<activity><detail><quantity><value value="1.50"/></quantity></detail></activity>',
    '"activity":[{"detail":{"quantity":{"value":1.50}}}]',
  ],
  [
    'writes numbers that JSON does not know as strings',
    '<activity><detail><quantity><value value="01"/></quantity></detail></activity>',
    '"activity":[{"detail":{"quantity":{"value":"01"}}}]',
  ],
  [
    'writes booleans',
    '<activity><detail><doNotPerform value="true"/></detail></activity>',
    '"activity":[{"detail":{"doNotPerform":true}}]',
  ],
  [
    'makes a list of one repeating element',
    '<basedOn><reference value="CarePlan/a"/></basedOn>',
    '"basedOn":[{"reference":"CarePlan/a"}]',
  ],
  [
    'keeps line feeds that are written as references',
    '<description value="a&#10;b"/>',
    '"description":"a\\nb"',
  ],
  [
    'aligns the extensions of repeating primitives',
    '<instantiatesUri value="a"/><instantiatesUri id="x"><extension url="u"><valueCode value="c"/></extension></instantiatesUri>',
    '"instantiatesUri":["a",null],"_instantiatesUri":[null,{"id":"x","extension":[{"url":"u","valueCode":"c"}]}]',
  ],
  [
    'writes contained resources',
    '<contained><Patient><id value="p"/></Patient></contained>',
    '"contained":[{"resourceType":"Patient","id":"p"}]',
  ],
  [
    'keeps elements that R4 does not have',
    '<context><reference value="Encounter/e"/></context><prohibited value="true"/>',
    '"context":{"reference":"Encounter/e"},"prohibited":"true"',
  ],
  ['leaves comments out', '<!-- a --><title value="t"/>', '"title":"t"'],
])('%s', (_, content, expected) => {
  for (const length of [1, 3, 1_000])
    expect(convert(plan(content), length)).toBe(`{"resourceType":"CarePlan",${expected}}`);
});

const div = '<div xmlns="http://www.w3.org/1999/xhtml">a <b>b</b>\n <!-- c --> &lt;&#160;<br /></div>';
test.each([
  ['a narrative as it is written', plan(`<text><status value="generated"/>${div}</text>`), div],
  [
    'a narrative with a prefix',
    plan(
      '<text><h:div class="x"><h:p>a</h:p><h:br/></h:div></text>',
      ' xmlns:h="http://www.w3.org/1999/xhtml"',
    ),
    '<div xmlns="http://www.w3.org/1999/xhtml" class="x"><p>a</p><br/></div>',
  ],
])('keeps %s', (_, xml, expected) => {
  for (const length of [1, 7, 1_000])
    expect((JSON.parse(convert(xml, length)) as { text: { div: string } }).text.div).toBe(expected);
});

test.each([
  ['a document type', `<!DOCTYPE a>${plan('')}`, /document type declaration at line 1/],
  ['an unknown entity', plan('<title value="&a;"/>'), /not well-formed at line 1, column/],
  ['text between elements', plan('\n<title value="a"/>b<b/>'), /text between elements at line 2/],
  [
    'an element of another namespace',
    plan('<a xmlns="urn:b"/>'),
    /element a at line 1 is not in the namespace/,
  ],
  ['a text without end', '<CarePlan xmlns="http://hl7.org/fhir">', /not well-formed/],
  ['too many levels', plan(`${'<a>'.repeat(300)}${'</a>'.repeat(300)}`), /nested in more than/],
  ['an element over the limit', plan(`<title value="${'a'.repeat(1_100_000)}"/>`), /larger than/],
])('rejects %s', (_, xml, message) => {
  for (const length of [100, xml.length]) expect(() => convert(xml, length)).toThrow(message);
});

/** Writes JSON as XML, for resources whose elements are those of R4 (R4 xml.html). */
function writeXml(
  name: string,
  value: JsonNode | undefined,
  extra: JsonNode | undefined,
  namespace = '',
): string {
  if (value?.kind === 'array' || extra?.kind === 'array') {
    const values = value?.kind === 'array' ? value.items : [];
    const extras = extra?.kind === 'array' ? extra.items : [];
    const count = Math.max(values.length, extras.length);
    return Array.from({ length: count }, (_, index) => writeXml(name, values[index], extras[index])).join('');
  }
  if (name === 'div' && value?.kind === 'string') return value.value;
  if (value?.kind === 'object') {
    const resourceType = member(value, 'resourceType');
    const content = writeContent(value);
    if (resourceType?.kind !== 'string') return `<${name}${content}</${name}>`;
    const resource = `<${resourceType.value}${namespace}${content}</${resourceType.value}>`;
    return name === '' ? resource : `<${name}>${resource}</${name}>`;
  }
  const text = value === undefined || value.kind === 'null' ? '' : ` value="${escape(leafText(value))}"`;
  return `<${name}${text}${extra?.kind === 'object' ? writeContent(extra) : '>'}</${name}>`;
}

/** Writes attributes, the end of the start tag, and the children. */
function writeContent(object: JsonObject): string {
  const isAttribute = (key: string) =>
    (key === 'id' ||
      (key === 'url' && member(object, 'resourceType') === undefined && isExtension(object))) &&
    member(object, 'resourceType') === undefined;
  const attributes = object.members.filter(({ key }) => isAttribute(key));
  const names = new Set(object.members.map(({ key }) => key.replace(/^_/, '')));
  const children = [...names].filter((key) => !isAttribute(key) && key !== 'resourceType');
  return `${attributes.map(({ key, value }) => ` ${key}="${escape(leafText(value))}"`).join('')}>${children
    .map((key) => writeXml(key, member(object, key), member(object, `_${key}`)))
    .join('')}`;
}

const isExtension = (object: JsonObject) =>
  object.members.every(({ key }) => /^(?:id|url|extension|_?value[A-Z]\w*)$/.test(key));

const leafText = (node: JsonNode) =>
  node.kind === 'string'
    ? node.value
    : node.kind === 'number'
      ? node.source
      : node.kind === 'boolean'
        ? String(node.value)
        : '';

const escape = (text: string) => text.replaceAll(/[&<>"\t\r\n]/g, (char) => `&#${char.charCodeAt(0)};`);

/**
 * Returns the content of JSON regardless of the order of members, the type of values, and lists of one item: XML of
 * another release does not tell whether an element repeats.
 */
function normalize(node: JsonNode | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.kind === 'array')
    return node.items.length === 1 ? normalize(node.items[0]) : node.items.map(normalize);
  if (node.kind === 'null') return null;
  if (node.kind !== 'object') return leafText(node);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, normalize(value)]));
}

const folder = join(import.meta.dirname, '../../../shared/data');

test.skipIf(!existsSync(folder))(
  'keeps the content of all real records (not run without the records)',
  () => {
    let count = 0;
    for (const type of ['CarePlan', 'Composition'])
      for (const name of readdirSync(join(folder, type))) {
        const { root } = scan(readFileSync(join(folder, type, name), 'utf8').replace(/^\uFEFF/, ''));
        const xml = writeXml('', root, undefined, ' xmlns="http://hl7.org/fhir"');
        expect(normalize(scan(convert(xml, 997)).root), name).toEqual(normalize(root));
        count += 1;
      }
    expect(count).toBeGreaterThan(200);
  },
);
