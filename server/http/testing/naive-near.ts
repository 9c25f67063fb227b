import type { Random } from '../../demo/random.ts';
import type { Json } from '../../testing/test-server.ts';
import { datesIn } from './naive-questions.ts';
import { spanOf } from './naive-time.ts';
import { partsOf, type Value } from './naive-values.ts';

/** A value that is nearly this one: a bound of a date, another case or accent, another form of a reference. */
export function nearTo(random: Random, { type, value }: Value): Value {
  switch (type) {
    case 'Reference':
      return { type, value: { ...value, reference: nearReference(random, value.reference) } };
    case 'CodeableConcept': {
      const coding = (value.coding ?? []).map((one: Json) => nearMember(random, one, 'code'));
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

/** A text in place of the element's, or no system, or that of another. */
function nearMember(random: Random, value: Json, name: string): Json {
  const { system, ...others } = value;
  if (random.chance(30)) return others;
  if (random.chance(20)) return { ...others, system: nearText(random, system ?? 'http://code.example/a') };
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
  const at = random.between(0, Math.max(0, text.length - 1));
  const [before, one, behind] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
  const made = {
    upper: () => text.toUpperCase(),
    lower: () => text.toLowerCase(),
    accent: () => before + (accents[one.toLowerCase()] ?? one) + behind,
    bare: () => text.normalize('NFD').replace(/\p{M}/gu, ''),
    apart: () => text.normalize('NFD'),
    apostrophe: () => text.replace("'", '’'),
    shorter: () => text.slice(0, -1),
    cut: () => text.slice(at),
    longer: () => `${text}x`,
    letter: () => `${before}x${behind}`,
  } satisfies Record<string, () => string>;
  // Without a text the value would say something else: `system|` any code of the system.
  return random.pick(Object.values(made))() || text;
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

/** One of the bounds of a date or a moment beside it, in any precision, in UTC or in another zone. */
function nearDate(random: Random, date: string): string {
  const span = spanOf(date);
  if (!span) return date;
  const beside = [0, 0, -1, 1, -1000, 1000, -minute, minute, -86_400_000, 86_400_000];
  const bound = random.chance(50) ? span.low : span.high;
  const moment = bound + (beside[random.between(0, beside.length - 1)] ?? 0);
  const text = new Date(moment).toISOString();
  if (!/^\d{4}-/.test(text)) return date;
  const zone = random.between(-11, 13);
  const there = new Date(moment + zone * 60 * minute).toISOString();
  const named = `${zone < 0 ? '-' : '+'}${String(Math.abs(zone)).padStart(2, '0')}:00`;
  return random.pick([
    text.slice(0, 4),
    text.slice(0, 7),
    text.slice(0, 10),
    `${text.slice(0, 16)}Z`,
    `${text.slice(0, 19)}Z`,
    text,
    text.slice(0, 19),
    there.slice(0, 19) + named,
    there.slice(0, 23) + named,
  ]);
}
