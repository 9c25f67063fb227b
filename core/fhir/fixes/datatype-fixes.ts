import { inserted, renamed, replaced, without } from '../../json/edit.ts';
import { member, stringMember, type JsonNode } from '../../json/node.ts';
import { currencyOf } from '../validation/currencies.ts';
import { absentReasons, ucum } from '../validation/rules-datatype.ts';
import { isUcum } from '../validation/ucum.ts';
import { retext } from './element-fixes.ts';
import { nodeOf, never, textOf, type Fix, type FixPlace, type Way } from './fix.ts';

/** Two members change places. */
function swap(rule: string, names: readonly [string, string], words: string): Fix {
  return {
    rule,
    words,
    none: 'Only the source says which of the two is right.',
    ways: ({ root, tokens, node }) => {
      const [one, other] = [member(node, names[0]), member(node, names[1])];
      if (!one || !other) return [];
      const first = replaced(root, [...tokens, names[0]], other);
      return [{ id: rule, words, root: replaced(first, [...tokens, names[1]], one) }];
    },
  };
}

/** The system of a contact point, by the form of its value. */
function systemsOf(value: string): readonly string[] {
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return ['email'];
  if (/^https?:\/\//.test(value)) return ['url'];
  return /^[+()\d][\d\s()./+-]*$/.test(value) ? ['phone', 'fax', 'sms'] : [];
}

/** The kind of encoded data, by its first bytes. */
const kinds: readonly (readonly [start: string, kind: string])[] = [
  ['JVBER', 'application/pdf'],
  ['iVBORw', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['PD94bW', 'application/xml'],
];

function add(place: FixPlace, id: string, words: string, name: string, value: unknown): Way {
  return { id, words, root: inserted(place.root, place.tokens, name, nodeOf(value)) };
}

function extension({ root, tokens, node }: FixPlace): readonly Way[] {
  const value = (node?.kind === 'object' ? node.members : []).filter(({ key }) => /^_?value[A-Z]/.test(key));
  if (value.length === 0) {
    return [{ id: 'ext-1=remove', words: 'Remove the extension', root: without(root, tokens) }];
  }
  const alone = value.reduce<JsonNode>((left, { key }) => without(left, [...tokens, key]), root);
  return [
    { id: 'ext-1=value', words: 'Keep its value alone', root: without(root, [...tokens, 'extension']) },
    { id: 'ext-1=extension', words: 'Keep its extensions alone', root: alone },
  ];
}

/** What systems are called, and their addresses (FHIR R4 terminologies-systems.html). */
const knownSystems: Readonly<Record<string, string>> = {
  loinc: 'http://loinc.org',
  snomed: 'http://snomed.info/sct',
  snomedct: 'http://snomed.info/sct',
  sct: 'http://snomed.info/sct',
  ucum: 'http://unitsofmeasure.org',
  rxnorm: 'http://www.nlm.nih.gov/research/umls/rxnorm',
  cvx: 'http://hl7.org/fhir/sid/cvx',
  icd10: 'http://hl7.org/fhir/sid/icd-10',
  icd10cm: 'http://hl7.org/fhir/sid/icd-10-cm',
  icd9cm: 'http://hl7.org/fhir/sid/icd-9-cm',
  atc: 'http://www.whocc.no/atc',
  cpt: 'http://www.ama-assn.org/go/cpt',
};

/** The whole address of what is named by a short name, an OID or an address without its scheme. */
function addressOf(name: string): string | undefined {
  const text = name.trim();
  if (/^[0-2](?:\.(?:0|[1-9]\d*))+$/.test(text)) return `urn:oid:${text}`;
  const plain = text
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\/$/, '');
  const whole = Object.values(knownSystems).find((one) => one.replace(/^http:\/\/(?:www\.)?/, '') === plain);
  return whole ?? knownSystems[plain.replaceAll(/[^a-z0-9]/g, '')];
}

/** What units are called where UCUM has a code for them. */
const unitNames: Readonly<Record<string, string>> = {
  year: 'a',
  years: 'a',
  month: 'mo',
  months: 'mo',
  week: 'wk',
  weeks: 'wk',
  day: 'd',
  days: 'd',
  hour: 'h',
  hours: 'h',
  hr: 'h',
  minute: 'min',
  minutes: 'min',
  mins: 'min',
  second: 's',
  seconds: 's',
  sec: 's',
  mcg: 'ug',
  mmhg: 'mm[Hg]',
  cc: 'mL',
  iu: '[iU]',
  celsius: 'Cel',
  fahrenheit: '[degF]',
  percent: '%',
  inch: '[in_i]',
  inches: '[in_i]',
  foot: '[ft_i]',
  feet: '[ft_i]',
  pound: '[lb_av]',
  pounds: '[lb_av]',
  lb: '[lb_av]',
  lbs: '[lb_av]',
  tablet: '{tablet}',
  tablets: '{tablet}',
  dose: '{dose}',
  times: '{times}',
};

function byUcum(rule: string, none: string): Fix {
  return {
    rule,
    words: 'Add UCUM as the system of the unit',
    none,
    ways: (place) =>
      member(place.node, 'system') ? [] : [add(place, rule, 'Add UCUM as the system', 'system', ucum)],
  };
}

function wholeSystem(rule: string): Fix {
  return {
    rule,
    words: 'Write the whole address of systems that are known by their name',
    none: 'The name is not that of a system that is known here.',
    ways: (place) => [retext(place, rule, addressOf(textOf(place.node) ?? ''))],
  };
}

/** Fixes of the invariants of data types. */
export const datatypeFixes: readonly Fix[] = [
  wholeSystem('system-absolute'),
  wholeSystem('system-name'),
  {
    rule: 'ucum',
    words: 'Write units that are known by their name as UCUM does',
    none: 'Only the source says which unit was meant.',
    ways: (place) => {
      const code = (textOf(place.node) ?? '').trim();
      const known = [code, unitNames[code.toLowerCase()], code.replaceAll(/\s+/g, ''), code.toLowerCase()];
      const units = [...new Set(known)].filter((one) => one !== undefined && isUcum(one));
      return units.map((one) => retext(place, `ucum=${one ?? ''}`, one));
    },
  },
  {
    rule: 'currency',
    words: 'Write the three letters of the currency in capitals',
    none: 'Only the source says which currency was meant.',
    ways: (place) => [retext(place, 'currency', currencyOf(textOf(place.node) ?? ''))],
  },
  never('extension-url', 'Only who wrote the extension knows the address of its definition.'),
  {
    rule: 'data-absent-reason',
    words: 'Write the reason as a code',
    none: 'The text is no code of the reasons that FHIR has.',
    ways: ({ root, tokens, node }) => {
      const reason = textOf(node) ?? '';
      if (!absentReasons.has(reason)) return [];
      return [
        {
          id: 'data-absent-reason',
          words: `Write ${reason} as a code`,
          root: renamed(root, tokens, 'valueCode'),
        },
      ];
    },
  },
  never('age-1', 'Only the source knows the age and its unit.'),
  byUcum('drt-1', 'Only the source knows the amount and its unit.'),
  never('dis-1', 'Only the source knows the distance and its unit.'),
  never('cnt-3', 'Only the source knows what was counted.'),
  never(
    'sqty-1',
    'Without the comparator the amount would say something else; only its author can write it anew.',
  ),
  {
    rule: 'ext-1',
    words: 'Remove extensions that say nothing',
    none: 'Only who wrote the extension knows what it was to say.',
    ways: extension,
  },
  swap('per-1', ['start', 'end'], 'Swap start and end'),
  byUcum('qty-3', 'Only the source says from which system the unit is.'),
  swap('rng-2', ['low', 'high'], 'Swap the limits'),
  never('rat-1', 'Only the source knows the other half of the ratio.'),
  {
    rule: 'cpt-2',
    words: 'Add the system that the value has the form of',
    none: 'The value has the form of no system.',
    ways: (place) =>
      systemsOf(stringMember(place.node, 'value') ?? '').map((system) =>
        add(place, `cpt-2=${system}`, `Add the system ${system}`, 'system', system),
      ),
  },
  {
    rule: 'att-1',
    words: 'Add the kind of the data, where its first bytes tell it',
    none: 'The first bytes of the data do not tell its kind.',
    ways: (place) =>
      kinds
        .filter(([start]) => stringMember(place.node, 'data')?.startsWith(start))
        .map(([, kind]) => add(place, `att-1=${kind}`, `Add the kind ${kind}`, 'contentType', kind)),
  },
];
