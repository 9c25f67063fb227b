import { setMemberAt, renameMember, replaceNode, removeElement } from '../../json/edit.ts';
import { member, stringMember, type JsonNode } from '../../json/node.ts';
import { currencyOf } from '../validation/currencies.ts';
import { absentReasons, ucum } from '../validation/rules-datatype.ts';
import { isUcum } from '../validation/ucum.ts';
import { createTextReplacement } from './element-fixes.ts';
import { nodeOf, createUnfixable, textOf, type Fix, type FixContext, type FixOption } from './fix.ts';

/** Creates a fix that swaps two members. */
function swap(rule: string, names: readonly [string, string], label: string): Fix {
  return {
    rule,
    label,
    reasonWithoutOptions: 'Only the source can tell which one is right.',
    listOptions: ({ root, tokens, node }) => {
      const [firstValue, secondValue] = [member(node, names[0]), member(node, names[1])];
      if (!firstValue || !secondValue) return [];
      const halfSwapped = replaceNode(root, [...tokens, names[0]], secondValue);
      return [{ id: rule, label, fixedRoot: replaceNode(halfSwapped, [...tokens, names[1]], firstValue) }];
    },
  };
}

/** Returns the possible systems of a contact point, by the format of its value. */
function systemsOf(value: string): readonly string[] {
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return ['email'];
  if (/^https?:\/\//.test(value)) return ['url'];
  return /^[+()\d][\d\s()./+-]*$/.test(value) ? ['phone', 'fax', 'sms'] : [];
}

/** Content types by the first characters of base64 data. */
const kinds: readonly (readonly [start: string, kind: string])[] = [
  ['JVBER', 'application/pdf'],
  ['iVBORw', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['PD94bW', 'application/xml'],
];

function add(context: FixContext, id: string, label: string, name: string, value: unknown): FixOption {
  return { id, label, fixedRoot: setMemberAt(context.root, context.tokens, name, nodeOf(value)) };
}

function extension({ root, tokens, node }: FixContext): readonly FixOption[] {
  const value = (node?.kind === 'object' ? node.members : []).filter(({ key }) => /^_?value[A-Z]/.test(key));
  if (value.length === 0) {
    return [{ id: 'ext-1=remove', label: 'Remove extension', fixedRoot: removeElement(root, tokens) }];
  }
  const withoutValue = value.reduce<JsonNode>(
    (remaining, { key }) => removeElement(remaining, [...tokens, key]),
    root,
  );
  return [
    {
      id: 'ext-1=value',
      label: 'Keep only its value',
      fixedRoot: removeElement(root, [...tokens, 'extension']),
    },
    { id: 'ext-1=extension', label: 'Keep only its nested extensions', fixedRoot: withoutValue },
  ];
}

/** Names of code systems and their URLs (FHIR R4 terminologies-systems.html). */
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

/** Returns the URL of a code system from a short name, an OID or a URL without scheme. */
function findSystemUrl(name: string): string | undefined {
  const text = name.trim();
  if (/^[0-2](?:\.(?:0|[1-9]\d*))+$/.test(text)) return `urn:oid:${text}`;
  const plain = text
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\/$/, '');
  const knownUrl = Object.values(knownSystems).find(
    (url) => url.replace(/^http:\/\/(?:www\.)?/, '') === plain,
  );
  return knownUrl ?? knownSystems[plain.replaceAll(/[^a-z0-9]/g, '')];
}

/** UCUM codes by common names of units. */
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

function addUcum(rule: string, reasonWithoutOptions: string): Fix {
  return {
    rule,
    label: 'Add UCUM as the unit’s system',
    reasonWithoutOptions,
    listOptions: (context) =>
      member(context.node, 'system') ? [] : [add(context, rule, 'Add UCUM as system', 'system', ucum)],
  };
}

function fixSystem(rule: string): Fix {
  return {
    rule,
    label: 'Replace well-known names with code system URLs',
    reasonWithoutOptions: 'Not the name of a known code system.',
    listOptions: (context) => [
      createTextReplacement(context, rule, findSystemUrl(textOf(context.node) ?? '')),
    ],
  };
}

/** Fixes of the invariants of data types. */
export const datatypeFixes: readonly Fix[] = [
  fixSystem('system-absolute'),
  fixSystem('system-name'),
  {
    rule: 'ucum',
    label: 'Replace unit names with UCUM codes',
    reasonWithoutOptions: 'Only the source can tell which unit was meant.',
    listOptions: (context) => {
      const code = (textOf(context.node) ?? '').trim();
      const candidates = [
        code,
        unitNames[code.toLowerCase()],
        code.replaceAll(/\s+/g, ''),
        code.toLowerCase(),
      ];
      const units = [...new Set(candidates)].filter(
        (candidate) => candidate !== undefined && isUcum(candidate),
      );
      return units.map((unit) => createTextReplacement(context, `ucum=${unit ?? ''}`, unit));
    },
  },
  {
    rule: 'currency',
    label: 'Capitalize currency codes',
    reasonWithoutOptions: 'Only the source can tell which currency was meant.',
    listOptions: (context) => [
      createTextReplacement(context, 'currency', currencyOf(textOf(context.node) ?? '')),
    ],
  },
  createUnfixable('extension-url', 'Only the extension’s author knows its URL.'),
  {
    rule: 'data-absent-reason',
    label: 'Change the reason to a code',
    reasonWithoutOptions: 'Not one of FHIR’s data absent reasons.',
    listOptions: ({ root, tokens, node }) => {
      const reason = textOf(node) ?? '';
      if (!absentReasons.has(reason)) return [];
      return [
        {
          id: 'data-absent-reason',
          label: `Set code ${reason}`,
          fixedRoot: renameMember(root, tokens, 'valueCode'),
        },
      ];
    },
  },
  createUnfixable('age-1', 'Only the source knows the age and its unit.'),
  addUcum('drt-1', 'Only the source knows the amount and its unit.'),
  createUnfixable('dis-1', 'Only the source knows the distance and its unit.'),
  createUnfixable('cnt-3', 'Only the source knows what was counted.'),
  createUnfixable('sqty-1', 'Without the comparator the amount would mean something else. Ask its author.'),
  {
    rule: 'ext-1',
    label: 'Remove empty extensions',
    reasonWithoutOptions: 'Only the extension’s author knows what it was meant to say.',
    listOptions: extension,
  },
  swap('per-1', ['start', 'end'], 'Swap start and end'),
  addUcum('qty-3', 'Only the source can tell which system the unit is from.'),
  swap('rng-2', ['low', 'high'], 'Swap low and high'),
  createUnfixable('rat-1', 'Only the source knows the other half of the ratio.'),
  {
    rule: 'cpt-2',
    label: 'Add the system that matches the value’s format',
    reasonWithoutOptions: 'The value’s format matches no system.',
    listOptions: (context) =>
      systemsOf(stringMember(context.node, 'value') ?? '').map((system) =>
        add(context, `cpt-2=${system}`, `Add system ${system}`, 'system', system),
      ),
  },
  {
    rule: 'att-1',
    label: 'Add the contentType detected from the data',
    reasonWithoutOptions: 'The type can’t be detected from the data.',
    listOptions: (context) =>
      kinds
        .filter(([start]) => stringMember(context.node, 'data')?.startsWith(start))
        .map(([, kind]) => add(context, `att-1=${kind}`, `Add contentType ${kind}`, 'contentType', kind)),
  },
];
