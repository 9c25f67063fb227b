import type { Random } from '../../demo/random.ts';
import type { Json } from '../../testing/test-server.ts';
import { datesIn } from './naive-questions.ts';
import { spanOf } from './naive-time.ts';
import { partsOf, type Value } from './naive-values.ts';

/** Returns a similar value: a bound of a date, another case or accent, another form of a reference. */
export function nearTo(random: Random, { type, value }: Value): Value {
  switch (type) {
    case 'Reference':
      return { type, value: { ...value, reference: nearReference(random, value.reference) } };
    case 'CodeableConcept': {
      const coding = (value.coding ?? []).map((item: Json) => nearMember(random, item, 'code'));
      return { type, value: { ...nearMember(random, value, 'text'), ...(value.coding && { coding }) } };
    }
    case 'Coding':
      return { type, value: nearMember(random, value, 'code') };
    case 'Identifier':
      return { type, value: nearMember(random, value, 'value') };
    case 'date':
    case 'dateTime':
    case 'instant':
    case 'Period':
    case 'Timing': {
      const dates = datesIn({ type, value });
      return dates.length === 0
        ? { type, value }
        : { type: 'dateTime', value: nearDate(random, random.pick(dates)) };
    }
    default:
      return { type, value: nearText(random, String(value)) };
  }
}

/** Changes the text, removes the system or uses another system. */
function nearMember(random: Random, value: Json, name: string): Json {
  const { system, ...withoutSystem } = value;
  if (random.chance(30)) return withoutSystem;
  if (random.chance(20))
    return { ...withoutSystem, system: nearText(random, system ?? 'http://code.example/a') };
  const key = random.chance(50) && value.display !== undefined ? 'display' : name;
  return typeof value[key] === 'string' ? { ...value, [key]: nearText(random, value[key]) } : value;
}

const accents: Readonly<Record<string, string>> = {
  a: 'ä',
  e: 'é',
  i: 'ï',
  o: 'ô',
  u: 'ü',
  c: 'ç',
  n: 'ñ',
  s: 'š',
};

function nearText(random: Random, text: string): string {
  const offset = random.integerBetween(0, Math.max(0, text.length - 1));
  const [before, letter, after] = [text.slice(0, offset), text.charAt(offset), text.slice(offset + 1)];
  const variants = {
    upper: () => text.toUpperCase(),
    lower: () => text.toLowerCase(),
    accent: () => before + (accents[letter.toLowerCase()] ?? letter) + after,
    bare: () => text.normalize('NFD').replace(/\p{M}/gu, ''),
    apart: () => text.normalize('NFD'),
    apostrophe: () => text.replace("'", '’'),
    shorter: () => text.slice(0, -1),
    cut: () => text.slice(offset),
    longer: () => `${text}x`,
    letter: () => `${before}x${after}`,
  } satisfies Record<string, () => string>;
  // Without a code, `system|` would match any code of the system.
  return random.pick(Object.values(variants))() || text;
}

function nearReference(random: Random, literal: unknown): string {
  const { id = 'x1', type = 'Patient' } = partsOf(typeof literal === 'string' ? literal : '');
  return random.pick([
    id,
    id.toUpperCase(),
    id.slice(0, -1),
    `Group/${id}`,
    `Patient/${id}`,
    `${type}/${id}/_history/2`,
    `http://elsewhere.example/fhir/${type}/${id}`,
    `http://host.example/fhir/${type}/${id}`,
    `urn:uuid:${id}`,
    `urn:oid:${id}`,
  ]);
}

const minute = 60_000;

/** Returns a bound of a date or an instant near it, in any precision and zone. */
function nearDate(random: Random, date: string): string {
  const span = spanOf(date);
  if (!span) return date;
  const distances = [0, 0, -1, 1, -1000, 1000, -minute, minute, -86_400_000, 86_400_000];
  const boundMs = random.chance(50) ? span.low : span.high;
  const moment = boundMs + (distances[random.integerBetween(0, distances.length - 1)] ?? 0);
  const text = new Date(moment).toISOString();
  if (!/^\d{4}-/.test(text)) return date;
  const zone = random.integerBetween(-11, 13);
  const zonedText = new Date(moment + zone * 60 * minute).toISOString();
  const zoneSuffix = `${zone < 0 ? '-' : '+'}${String(Math.abs(zone)).padStart(2, '0')}:00`;
  return random.pick([
    text.slice(0, 4),
    text.slice(0, 7),
    text.slice(0, 10),
    `${text.slice(0, 16)}Z`,
    `${text.slice(0, 19)}Z`,
    text,
    text.slice(0, 19),
    zonedText.slice(0, 19) + zoneSuffix,
    zonedText.slice(0, 23) + zoneSuffix,
  ]);
}
