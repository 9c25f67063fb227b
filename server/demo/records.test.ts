import { describe, expect, it } from 'vitest';
import { carePlanTemplates } from './care-plan-template.ts';
import { generateClinic } from './generate.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A value of a record with its path. The path omits array indices; a nested section has the path of a top-level one. */
interface ValueAtPath {
  readonly path: string;
  readonly value: unknown;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function walk(value: unknown, path: string): ValueAtPath[] {
  const ownValue = { path, value };
  if (Array.isArray(value)) return [ownValue, ...value.flatMap((item) => walk(item, path))];
  if (!isObject(value)) return [ownValue];
  const childValues = Object.entries(value).flatMap(([name, member]) => {
    const inner = name === 'section' && path.endsWith('.section') ? path : `${path}.${name}`;
    return walk(member, inner);
  });
  return [ownValue, ...childValues];
}

const records = [...generateClinic()];
const valuesAtPaths = records.flatMap(({ type, text }) => walk(JSON.parse(text), type));

function objectsAt(path: RegExp): JsonObject[] {
  return valuesAtPaths.flatMap((pathValue) =>
    path.test(pathValue.path) && isObject(pathValue.value) ? [pathValue.value] : [],
  );
}

function stringsAt(path: RegExp): string[] {
  return valuesAtPaths.flatMap(({ path: valuePath, value }) =>
    path.test(valuePath) && typeof value === 'string' ? [value] : [],
  );
}

/** Codes of R4's required bindings. Each expected code must occur; an optional one may. */
const requiredCodes: Readonly<Record<string, { expectedCodes: string; optionalCodes?: string }>> = {
  'CarePlan.status': { expectedCodes: 'draft active on-hold revoked completed entered-in-error unknown' },
  'CarePlan.intent': { expectedCodes: 'proposal plan order option' },
  'CarePlan.activity.detail.kind': {
    expectedCodes: 'Appointment MedicationRequest NutritionOrder Task ServiceRequest',
    optionalCodes: 'CommunicationRequest DeviceRequest VisionPrescription',
  },
  'CarePlan.activity.detail.status': {
    expectedCodes:
      'not-started scheduled in-progress on-hold completed cancelled stopped unknown entered-in-error',
  },
  'Composition.status': { expectedCodes: 'preliminary final amended entered-in-error' },
  'Composition.confidentiality': { expectedCodes: 'N R V', optionalCodes: 'U L M' },
  'Composition.attester.mode': { expectedCodes: 'professional legal', optionalCodes: 'personal official' },
  'Composition.relatesTo.code': { expectedCodes: 'replaces', optionalCodes: 'transforms signs appends' },
  'Composition.section.mode': { expectedCodes: 'snapshot changes', optionalCodes: 'working' },
};

const requiredElements: Readonly<Record<string, readonly string[]>> = {
  CarePlan: ['id', 'status', 'intent', 'subject', 'encounter', 'title', 'period', 'activity'],
  'CarePlan.activity.detail': ['status', 'kind', 'code'],
  'CarePlan.note': ['text'],
  Composition: ['id', 'status', 'type', 'date', 'author', 'title', 'subject', 'encounter', 'section'],
  'Composition.attester': ['mode'],
  'Composition.relatesTo': ['code', 'targetIdentifier'],
};

function isCalendarDate(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}

/** Returns true for one XHTML div with nested tags, some text and no bare `<` or `&`. */
function isWellFormed(div: string): boolean {
  const open: string[] = [];
  const remainingText = div.replace(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-z:]+="[^"<]*")*)>/g,
    (_tag, close: string, name: string) => {
      if (close === '') open.push(name);
      else if (open.pop() !== name) open.push('unbalanced');
      return '';
    },
  );
  const plain = remainingText.replace(/&(?:amp|lt|gt|quot);/g, '-');
  return open.length === 0 && plain.trim() !== '' && !/[<>&]/.test(plain);
}

describe('the records', () => {
  it('are compact JSON of their resource without the server metadata', () => {
    const wrong = records.filter(({ type, id, text }) => {
      const parsed: unknown = JSON.parse(text);
      const normalizedText = text.replace(
        /"value":[\d.]+/g,
        (member) => `"value":${Number(member.slice(8))}`,
      );
      return (
        !isObject(parsed) ||
        parsed.resourceType !== type ||
        parsed.id !== id ||
        normalizedText !== JSON.stringify(parsed)
      );
    });
    expect(wrong).toEqual([]);
    expect(objectsAt(/\.meta$/).filter((meta) => 'versionId' in meta || 'lastUpdated' in meta)).toEqual([]);
  });

  it('are more than a thousand for 200 patients: 2 to 5 plans and 1 to 4 documents each', () => {
    const counts = new Map<string, number>();
    for (const { type, text } of records) {
      const key = `${type} ${/demo-patient-\d+/.exec(text)?.[0]}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const ofType = (type: string) =>
      [...counts].filter(([key]) => key.startsWith(type)).map(([, count]) => count);
    expect(records.length).toBeGreaterThan(1000);
    expect([...new Set(ofType('CarePlan'))].sort()).toEqual([2, 3, 4, 5]);
    expect([...new Set(ofType('Composition'))].sort()).toEqual([1, 2, 3, 4]);
    expect(ofType('CarePlan')).toHaveLength(200);
  });

  it.each(Object.entries(requiredElements))('have the elements %j in each %s', (path, names) => {
    const objects = objectsAt(new RegExp(`^${path}$`));
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.filter((object) => names.some((name) => object[name] === undefined))).toEqual([]);
  });

  it.each(Object.entries(requiredCodes))(
    'have every expected code and no unknown code in %s',
    (path, { expectedCodes, optionalCodes = '' }) => {
      const codes = new Set(stringsAt(new RegExp(`^${path}$`)));
      const allowedCodes = new Set(`${expectedCodes} ${optionalCodes}`.split(' '));
      expect(expectedCodes.split(' ').filter((code) => !codes.has(code))).toEqual([]);
      expect([...codes].filter((code) => !allowedCodes.has(code))).toEqual([]);
    },
  );

  it('contain nothing empty: no null, object, array or string, and no surrounding space', () => {
    const empty = valuesAtPaths.filter(({ value }) => {
      if (typeof value === 'string') return value.trim() !== value || value === '';
      return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
    });
    expect(empty).toEqual([]);
  });

  it('have a detail or a reference in each activity, never both (cpl-3)', () => {
    const activities = objectsAt(/^CarePlan\.activity$/);
    expect(activities.filter((activity) => 'detail' in activity === 'reference' in activity)).toEqual([]);
    expect(activities.some((activity) => 'reference' in activity)).toBe(true);
  });

  it('have content in each section, and an empty reason only without entries (cmp-1, cmp-2)', () => {
    const sections = objectsAt(/\.section$/);
    const content = ['text', 'entry', 'section'];
    expect(sections.filter((section) => !content.some((name) => name in section))).toEqual([]);
    expect(sections.filter((section) => 'emptyReason' in section && 'entry' in section)).toEqual([]);
    expect(sections.some((section) => 'emptyReason' in section)).toBe(true);
    expect(sections.some((section) => 'section' in section)).toBe(true);
  });

  it('have valid dates from 2023 to October 2026, and a zone with each time', () => {
    const datePattern = /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:Z|\+01:00))?$/;
    const dates = stringsAt(/\.(date|created|time|start|end)$/);
    expect(dates.length).toBeGreaterThan(3000);
    const wrong = dates.filter((date) => {
      const day = datePattern.exec(date)?.[1];
      return day === undefined || !isCalendarDate(day) || day < '2023-01-01' || day > '2026-10-31';
    });
    expect(wrong).toEqual([]);
    expect(stringsAt(/\.(date|created|time)$/).filter((date) => !date.includes('T'))).toEqual([]);
  });

  it('have periods that start before they end, and plans with an end only if completed or revoked', () => {
    const startsAfterEnd = ({ start, end }: JsonObject) =>
      Date.parse(String(start)) > Date.parse(String(end ?? start));
    expect(objectsAt(/\.period$/).filter(startsAfterEnd)).toEqual([]);
    const wrong = objectsAt(/^CarePlan$/).filter(({ status, period }) => {
      return (status === 'completed' || status === 'revoked') !== (isObject(period) && 'end' in period);
    });
    expect(wrong).toEqual([]);
  });

  it('have narratives of well-formed XHTML in the language of the record', () => {
    const divs = stringsAt(/\.div$/);
    const openingTag =
      /^<div xmlns="http:\/\/www\.w3\.org\/1999\/xhtml"(?: lang="(en(?:-GB|-AU)?)" xml:lang="\1")?>/;
    expect(divs.filter((div) => !openingTag.test(div) || !isWellFormed(div))).toEqual([]);
    expect(divs.some((div) => div.includes('&amp;')) && divs.some((div) => div.includes('&lt;'))).toBe(true);
    const languageMismatches = records.filter(
      ({ text }) => text.includes('"language":') !== text.includes(' xml:lang='),
    );
    expect(languageMismatches).toEqual([]);
  });

  it('have well-formed references, and an encounter of the same patient', () => {
    const referencePattern =
      /^(?:https:\/\/clinic\.example\.org\/fhir\/)?[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}(?:\/_history\/\d+)?$/;
    expect(stringsAt(/\.reference$/).filter((reference) => !referencePattern.test(reference))).toEqual([]);
    const withForeignEncounter = records.filter(({ text }) => {
      return (
        /Patient\/demo-patient-(\d+)/.exec(text)?.[1] !== /Encounter\/demo-encounter-(\d+)-/.exec(text)?.[1]
      );
    });
    expect(withForeignEncounter).toEqual([]);
    const subjects = stringsAt(/\.subject\.reference$/);
    // Absolute and versioned references are rare, but they occur.
    for (const rareForm of ['https://', '/_history/']) {
      const share = subjects.filter((reference) => reference.includes(rareForm)).length / subjects.length;
      expect(share).toBeGreaterThan(0.01);
      expect(share).toBeLessThan(0.2);
    }
  });

  it('keep the digits of quantities as in the templates', () => {
    const templateQuantities = carePlanTemplates.flatMap(({ activities }) =>
      activities.flatMap(({ daily, supply }) => [...(daily?.values ?? []), ...(supply?.values ?? [])]),
    );
    const quantities = new Set(
      records.flatMap(({ text }) => Array.from(text.matchAll(/"value":([\d.]+)/g), ([, digits]) => digits)),
    );
    expect([...quantities].sort()).toEqual([...new Set(templateQuantities)].sort());
    expect(quantities).toContain('1.50');
  });

  it('state their language in about one of ten records, and contain names beyond ASCII', () => {
    const share = stringsAt(/^[A-Za-z]+\.language$/).length / records.length;
    expect(share).toBeGreaterThan(0.06);
    expect(share).toBeLessThan(0.14);
    const notes = stringsAt(/^CarePlan\.note\.text$/).join(' ');
    for (const name of ['Åse', 'Müller', '例']) expect(notes).toContain(name);
  });
});
