import { div, type Draft } from './base-records.ts';

/** A change of a valid record, and the only rule and element that must then be reported. */
export type MarkupError = readonly [rule: string, expression: string, plant: (record: Draft) => void];

const hl7 = 'http://hl7.org/fhir/StructureDefinition';
const ucum = 'http://unitsofmeasure.org';
const years = { code: 'a', system: ucum };
const doctor = { resourceType: 'Doctor' };
const library = { resourceType: 'Library', id: 'l', name: 'lower', status: 'draft', type: { text: 'x' } };
const detailPath = 'CarePlan.activity[1].detail';
const coded = (system: string) => [{ coding: [{ system, code: 'x' }] }];

/** Puts a value into the first extension. */
function valued(name: string, value: Draft) {
  return (record: Draft) => (record.extension[0] = { url: 'http://example.org/v', [name]: value });
}

const detail = (plan: Draft): Draft => plan.activity[1].detail;
const repeat = (plan: Draft): Draft => detail(plan).scheduledTiming.repeat;
const repeatPath = 'CarePlan.activity[1].detail.scheduledTiming.repeat';

export const carePlanFaults: readonly MarkupError[] = [
  ['resource-type', 'CarePlan.resourceType', (record) => (record.resourceType = 'Patient')],
  ['schema-type', 'CarePlan.title', (record) => (record.title = 1)],
  ['schema-type', 'CarePlan.subject', (record) => (record.subject = 'Patient/1')],
  ['schema-type', 'CarePlan.note', (record) => (record.note = { text: 'x' })],
  ['schema-type', 'CarePlan.status', (record) => (record.status = 5)],
  [
    'schema-type',
    'CarePlan.activity[1].detail.doNotPerform',
    (record) => (detail(record).doNotPerform = 'no'),
  ],
  ['schema-primitive', 'CarePlan.created', (record) => (record.created = '2026-13-01')],
  ['schema-primitive', 'CarePlan.created', (record) => (record.created = '2026-01-01T25:00:00Z')],
  ['schema-primitive', 'CarePlan.created', (record) => (record.created = '2026-01-01T24:00:00Z')],
  ['schema-primitive', 'CarePlan.created', (record) => (record.created = 'yesterday')],
  ['schema-primitive', 'CarePlan.created', (record) => (record.created = '0000')],
  ['schema-primitive', 'CarePlan.instantiatesUri[0]', (record) => (record.instantiatesUri = ['a b'])],
  ['schema-primitive', 'CarePlan.created', (record) => (record.created = '2026-01-01T00:00:00.Z')],
  [
    'schema-primitive',
    'CarePlan.instantiatesUri[0]',
    (record) => (record.instantiatesUri = ['urn:oid:1.1.1x']),
  ],
  ['schema-primitive', 'CarePlan.id', (record) => (record.id = 'a_b')],
  ['schema-primitive', 'CarePlan.meta.lastUpdated', (record) => (record.meta.lastUpdated = '2024-02-29')],
  ['schema-primitive', 'CarePlan.meta.profile[0]', (record) => (record.meta.profile = ['a b'])],
  ['empty', 'CarePlan.title', (record) => (record.title = '')],
  ['empty', 'CarePlan.title', (record) => (record.title = null)],
  ['schema-primitive', `${repeatPath}.count`, (record) => (repeat(record).count = 0)],
  ['schema-primitive', `${repeatPath}.offset`, (record) => (repeat(record).offset = 2 ** 31)],
  ['schema-type', `${repeatPath}.count`, (record) => (repeat(record).count = 1.5)],
  [
    'schema-primitive',
    `${repeatPath}.timeOfDay[0]`,
    (record) => Object.assign(repeat(record), { when: undefined, offset: undefined, timeOfDay: ['9:00'] }),
  ],
  [
    'schema-primitive',
    'CarePlan.extension[0].valueOid',
    (record) => (record.extension[0] = { url: 'http://u', valueOid: '1.2' }),
  ],
  [
    'schema-primitive',
    'CarePlan.extension[0].valueUuid',
    (record) => (record.extension[0] = { url: 'http://u', valueUuid: 'urn:uuid:1' }),
  ],
  [
    'schema-primitive',
    'CarePlan.extension[0].valueCode',
    (record) => (record.extension[0] = { url: 'http://u', valueCode: 'a  b' }),
  ],
  [
    'schema-primitive',
    'CarePlan.extension[0].valueDate',
    (record) => (record.extension[0] = { url: 'http://u', valueDate: '2020-01-01T00:00:00Z' }),
  ],
  [
    'schema-primitive',
    'CarePlan.extension[0].valueBase64Binary',
    (record) => (record.extension[0] = { url: 'http://u', valueBase64Binary: 'a?bc' }),
  ],
  ['date-time-zone', 'CarePlan.created', (record) => (record.created = '2026-01-01T09:30:00')],
  ['date-time-zone', 'CarePlan.created', (record) => (record.created = '2026-01-01T09:30Z')],
  [
    'date-time-zone',
    'CarePlan.activity[1].detail.scheduledTiming.event[0]',
    (record) => (detail(record).scheduledTiming.event = ['2026-01-01T09:30:00']),
  ],
  ['schema-code', 'CarePlan.status', (record) => (record.status = 'Active')],
  ['schema-code', 'CarePlan.intent', (record) => (record.intent = 'proposed')],
  ['schema-code', 'CarePlan.text.status', (record) => (record.text.status = 'made')],
  ['schema-code', 'CarePlan.activity[1].detail.kind', (record) => (detail(record).kind = 'Procedure')],
  ['schema-code', 'CarePlan.activity[1].detail.status', (record) => (detail(record).status = 'active')],
  ['schema-code', `${repeatPath}.when[0]`, (record) => (repeat(record).when = ['LUNCH'])],
  ['empty', 'CarePlan.note', (record) => (record.note = [])],
  ['schema-required', 'CarePlan', (record) => delete record.intent],
  ['schema-required', 'CarePlan', (record) => delete record.subject],
  ['schema-required', 'CarePlan.activity[1].detail', (record) => delete detail(record).status],
  ['schema-required', 'CarePlan.text', (record) => delete record.text.div],
  ['schema-required', 'CarePlan.text', (record) => delete record.text.status],
  ['schema-required', 'CarePlan.extension[4]', (record) => delete record.extension[4].url],
  ['schema-required', 'CarePlan.contained[0]', (record) => delete record.contained[0].resourceType],
  ['schema-unknown', 'CarePlan.activty', (record) => (record.activty = 'x')],
  ['schema-unknown', 'CarePlan.subject.foo', (record) => (record.subject.foo = 'x')],
  ['schema-unknown', 'CarePlan.valueOf', (record) => Object.assign(record, { valueOf: 'x' })],
  ['schema-unknown', 'CarePlan._subject', (record) => (record._subject = { id: 'x' })],
  ['empty', 'CarePlan.period', (record) => (record.period = {})],
  ['empty', 'CarePlan.extension[0]', (record) => (record.extension[0] = {})],
  ['ele-1', 'CarePlan.subject', (record) => (record.subject = { id: 'x' })],
  ['empty', 'CarePlan.contained[0].description', (record) => (record.contained[0].description = {})],
  [
    'choice',
    'CarePlan.activity[1].detail.scheduledString',
    (record) => (detail(record).scheduledString = 'x'),
  ],
  ['choice', 'CarePlan.extension[4].valueString', (record) => (record.extension[4].valueString = 'x')],
  ['sibling', 'CarePlan._title', (record) => ((record._title = { id: 'x' }), delete record.title)],
  [
    'sibling',
    'CarePlan.extension[6].valueHumanName._given',
    (record) => record.extension[6].valueHumanName.given.pop(),
  ],
  [
    'sibling',
    'CarePlan.extension[6].valueHumanName._given[1]',
    (record) => (record.extension[6].valueHumanName._given[1] = null),
  ],
  [
    'sibling',
    'CarePlan.extension[6].valueHumanName.given[1]',
    (record) => delete record.extension[6].valueHumanName._given,
  ],
  ['control-character', 'CarePlan.title', (record) => (record.title = 'a\u0007b')],
  [
    'control-character',
    'CarePlan.contained[0].description.text',
    (record) => (record.contained[0].description.text = '\u0000'),
  ],
  ['string-length', 'CarePlan.title', (record) => (record.title = 'x'.repeat(1024 * 1024 + 1))],
  ['calendar-date', 'CarePlan.created', (record) => (record.created = '2026-02-29')],
  ['calendar-date', 'CarePlan.created', (record) => (record.created = '1900-02-29T10:00:00Z')],
  [
    'calendar-date',
    'CarePlan.activity[1].detail.scheduledTiming.event[0]',
    (record) => (detail(record).scheduledTiming.event = ['2026-04-31']),
  ],
  [
    'base64-length',
    'CarePlan.extension[1].extension[0].valueBase64Binary',
    (record) => (record.extension[1].extension[0].valueBase64Binary = 'YWJ'),
  ],
  [
    'base64-length',
    'CarePlan.extension[5].valueAttachment.data',
    (record) => (record.extension[5].valueAttachment.data = 'Y=Jj'),
  ],
  ['language-tag', 'CarePlan.language', (record) => (record.language = 'en_US')],
  [
    'language-tag',
    'CarePlan.extension[5].valueAttachment.language',
    (record) => (record.extension[5].valueAttachment.language = 'e'),
  ],
  ['cpl-3', 'CarePlan.activity[0]', (record) => (record.activity[0].detail = { status: 'unknown' })],
  [
    'dom-2',
    'CarePlan.contained[0]',
    (record) => (record.contained[0].contained = [{ resourceType: 'Basic', id: 'x', code: { text: 'x' } }]),
  ],
  ['dom-3', 'CarePlan.contained[0]', (record) => delete record.goal],
  ['dom-4', 'CarePlan.contained[0]', (record) => (record.contained[0].meta = { versionId: '1' })],
  [
    'dom-4',
    'CarePlan.contained[0]',
    (record) => (record.contained[0].meta = { lastUpdated: '2020-01-01T00:00:00Z' }),
  ],
  ['dom-5', 'CarePlan.contained[0]', (record) => (record.contained[0].meta = { security: [{ code: 'R' }] })],
  ['ext-1', 'CarePlan.extension[4]', (record) => delete record.extension[4].valueContactPoint],
  ['ext-1', 'CarePlan.extension[1]', (record) => (record.extension[1].valueString = 'x')],
  ['per-1', 'CarePlan.period', (record) => (record.period = { start: '2026-02', end: '2026-01-31' })],
  [
    'qty-3',
    'CarePlan.extension[0].valueQuantity',
    (record) => delete record.extension[0].valueQuantity.system,
  ],
  ['rng-2', 'CarePlan.extension[2].valueRange', (record) => (record.extension[2].valueRange.low.value = 3)],
  ['rat-1', 'CarePlan.extension[3].valueRatio', (record) => delete record.extension[3].valueRatio.numerator],
  [
    'cpt-2',
    'CarePlan.extension[4].valueContactPoint',
    (record) => delete record.extension[4].valueContactPoint.system,
  ],
  [
    'att-1',
    'CarePlan.extension[5].valueAttachment',
    (record) => delete record.extension[5].valueAttachment.contentType,
  ],
  ['tim-1', repeatPath, (record) => delete repeat(record).durationUnit],
  ['tim-2', repeatPath, (record) => delete repeat(record).periodUnit],
  ['tim-4', repeatPath, (record) => (repeat(record).duration = -1)],
  ['tim-5', repeatPath, (record) => (repeat(record).period = -1)],
  ['tim-6', repeatPath, (record) => delete repeat(record).period],
  ['tim-7', repeatPath, (record) => delete repeat(record).duration],
  ['tim-8', repeatPath, (record) => delete repeat(record).count],
  ['tim-9', repeatPath, (record) => (repeat(record).when = ['CM'])],
  ['tim-9', repeatPath, (record) => delete repeat(record).when],
  ['tim-10', repeatPath, (record) => (repeat(record).timeOfDay = ['09:00:00'])],
  ['ref-1', 'CarePlan.subject.reference', (record) => (record.subject.reference = '#p')],
  [
    'reference-target',
    'CarePlan.subject.reference',
    (record) => (record.subject.reference = 'Practitioner/1'),
  ],
  [
    'reference-target',
    'CarePlan.encounter.reference',
    (record) => (record.encounter.reference = 'https://h/Patient/1'),
  ],
  [
    'reference-target',
    'CarePlan.goal[0].reference',
    (record) => record.goal.unshift({ reference: 'Task/1/_history/1' }),
  ],
  ['reference-empty', 'CarePlan.author', (record) => (record.author = { type: 'Patient' })],
  ['txt-1', 'CarePlan.text.div', (record) => (record.text.div = div('<script>x</script>'))],
  ['txt-1', 'CarePlan.text.div', (record) => (record.text.div = div('<p onclick="x">x</p>'))],
  ['txt-1', 'CarePlan.text.div', (record) => (record.text.div = div('<p>x</b>'))],
  ['txt-1', 'CarePlan.text.div', (record) => (record.text.div = div('<p>x'))],
  ['txt-1', 'CarePlan.text.div', (record) => (record.text.div = div('a & b'))],
  ['txt-1', 'CarePlan.text.div', (record) => (record.text.div = 'Only text')],
  ['txt-1', 'CarePlan.text.div', (record) => (record.text.div = '<p>x</p>')],
  ['txt-1', 'CarePlan.text.div', (record) => (record.text.div = div('<a href="javascript:x">x</a>'))],
  ['txt-2', 'CarePlan.text.div', (record) => (record.text.div = div(' <p>\n<!-- x --></p> '))],
  ['narrative-namespace', 'CarePlan.text.div', (record) => (record.text.div = '<div>x</div>')],
  ['element-id', 'CarePlan.subject.id', (record) => (record.subject.id = 'a b')],
  [
    'element-id-twice',
    'CarePlan.encounter.id',
    (record) => ((record.subject.id = 'x'), (record.encounter.id = 'x')),
  ],
  [
    'system-absolute',
    'CarePlan.category[0].coding[0].system',
    (record) => (record.category = coded('loinc')),
  ],
  ['system-name', 'CarePlan.identifier[0].system', (record) => (record.identifier[0].system = 'mrn')],
  [
    'ucum',
    'CarePlan.extension[0].valueQuantity.code',
    (record) => (record.extension[0].valueQuantity.code = 'mgs'),
  ],
  [
    'currency',
    'CarePlan.extension[0].valueMoney.currency',
    valued('valueMoney', { value: 1, currency: 'EURO' }),
  ],
  ['extension-url', 'CarePlan.extension[4].url', (record) => (record.extension[4].url = 'f')],
  [
    'data-absent-reason',
    'CarePlan.extension[0].valueString',
    (record) => (record.extension[0] = { url: `${hl7}/data-absent-reason`, valueString: 'unknown' }),
  ],
  ['age-1', 'CarePlan.extension[0].valueAge', valued('valueAge', { ...years, value: 0 })],
  ['drt-1', 'CarePlan.extension[0].valueDuration', valued('valueDuration', { code: 'h', system: ucum })],
  ['dis-1', 'CarePlan.extension[0].valueDistance', valued('valueDistance', { value: 1, unit: 'km' })],
  [
    'cnt-3',
    'CarePlan.extension[0].valueCount',
    valued('valueCount', { value: 1.5, code: '1', system: ucum }),
  ],
  [
    'sqty-1',
    'CarePlan.extension[2].valueRange.low',
    (record) => (record.extension[2].valueRange.low.comparator = '<'),
  ],
  ['sqty-1', `${detailPath}.quantity`, (record) => (detail(record).quantity = { value: 1, comparator: '>' })],
  [
    'canonical-fragment',
    'CarePlan.instantiatesCanonical[0]',
    (record) => (record.instantiatesCanonical = ['#nope']),
  ],
  ['reference-literal', 'CarePlan.subject.reference', (record) => (record.subject.reference = 'Patient/a b')],
  [
    'reference-literal',
    'CarePlan.subject.reference',
    (record) => (record.subject.reference = 'urn:uuid:123'),
  ],
  ['reference-literal', 'CarePlan.subject.reference', (record) => (record.subject.reference = 'patient/1')],
  ['reference-literal', 'CarePlan.subject.reference', (record) => (record.subject.reference = 'smith')],
  [
    'reference-literal',
    'CarePlan.subject.reference',
    (record) => (record.subject.reference = `Patient/${'a'.repeat(65)}`),
  ],
  ['reference-type', 'CarePlan.subject.type', (record) => (record.subject.type = 'Group')],
  [
    'reference-target',
    'CarePlan.author.type',
    (record) => (record.author = { type: 'Condition', display: 'x' }),
  ],
  ['reference-target', 'CarePlan.author.reference', (record) => (record.author = { reference: '#g' })],
  [
    'contained-type',
    'CarePlan.contained[0].resourceType',
    (record) => (record.contained[0] = { ...doctor, id: 'g' }),
  ],
  [
    'contained-twice',
    'CarePlan.contained[1].id',
    (record) => record.contained.push({ resourceType: 'Basic', id: 'g', code: { text: 'x' } }),
  ],
  [
    'r4-invariant',
    'CarePlan.contained[0].target[0]',
    (record) => delete record.contained[0].target[0].measure,
  ],
  [
    'r4-advice',
    'CarePlan.contained[1]',
    (record) => (record.contained.push(library), (record.instantiatesCanonical = ['#l'])),
  ],
  [
    'schema-code',
    'CarePlan.contained[0].lifecycleStatus',
    (record) => (record.contained[0].lifecycleStatus = 'on'),
  ],
  ['schema-required', 'CarePlan.contained[0]', (record) => delete record.contained[0].subject],
  ['schema-unknown', 'CarePlan.contained[0].target[0].x', (record) => (record.contained[0].target[0].x = 1)],
  ['schema-type', 'CarePlan.contained[0].target', (record) => (record.contained[0].target = 'x')],
  [
    'completed-without-end',
    'CarePlan',
    (record) => ((record.status = 'completed'), delete record.period.end),
  ],
  ['fhir-release', 'CarePlan.context', (record) => (record.context = { reference: 'Encounter/e' })],
  ['plan-overdue', 'CarePlan.period.end', (record) => (record.period = { end: '2025' })],
];
