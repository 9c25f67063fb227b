import { parsePointer } from '../../json/pointer.ts';
import type { ResourceType } from '../resource.ts';
import { findingOf, type Finding, type Tokens } from './finding.ts';
import { checks, type SchemaError } from './generated/record-schema.js';
import type { SchemaRuleId } from './rules-schema.ts';
import type { Rule } from '../../types/definition/rule.ts';
import { ruleOf } from './rules.ts';

const mostCodes = 20;
/** Codes that stand in a sentence. */
const mostSaid = 10;
const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const zone = '(?:Z|[+-][0-9]{2}:[0-9]{2})';
const timeWithoutZone = new RegExp(
  `^${day}T(?:[0-9]{2}(?::[0-9]{2})?${zone}?|[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?)$`,
);
const primitivePath = /\/definitions\/([A-Za-z0-9]+?)(?:OrNull)?\/(?:pattern|minimum|maximum)$/;
const timed = new Set(['dateTime', 'instant']);

/** What ajv's keywords mean here; `if` and `then` only group others, and `minItems` is the rule empty. */
const keywordRules: Readonly<Record<string, SchemaRuleId>> = {
  type: 'schema-type',
  pattern: 'schema-primitive',
  minimum: 'schema-primitive',
  maximum: 'schema-primitive',
  enum: 'schema-code',
  const: 'resource-type',
  required: 'schema-required',
  anyOf: 'schema-required',
  additionalProperties: 'schema-unknown',
};

/** The first faults, `most` of them, that the schema finds in a record, in ajv's order; one may stand there twice. */
export function schemaFindings(value: unknown, type: ResourceType, most: number): Finding[] {
  const check = checks[type];
  if (!check) throw new TypeError(`There is no schema of ${type}`);
  if (check(value)) return [];
  const errors = check.errors ?? [];
  const findings: Finding[] = [];
  for (let index = 0; index < errors.length && findings.length < most; index += 1) {
    const finding = toFinding(errors, index, type, value);
    if (finding) findings.push(finding);
  }
  return findings;
}

function toFinding(
  all: readonly SchemaError[],
  index: number,
  type: ResourceType,
  value: unknown,
): Finding | undefined {
  const error = all[index];
  if (!error) return undefined;
  const rule = keywordRules[error.keyword];
  // The branches of an anyOf fail one by one before it does as a whole.
  if (!rule || (error.keyword === 'required' && error.schemaPath.includes('/anyOf/'))) return undefined;
  const tokens = parsePointer(error.instancePath) ?? [];
  const { params } = error;
  switch (rule) {
    case 'schema-required': {
      const name = missingName(all, index);
      return findingOf(ruleOf(rule), type, tokens, name, name);
    }
    case 'schema-unknown':
      return findingOf(ruleOf(rule), type, [...tokens, String(params.additionalProperty)]);
    case 'schema-type':
      return findingOf(ruleOf(rule), type, tokens, `expected ${expectedType(params.type)}`);
    case 'schema-code':
      return codeFinding(ruleOf(rule), type, tokens, params.allowedValues);
    case 'resource-type':
      return findingOf(ruleOf(rule), type, [...tokens], `expected ${type}`);
    case 'schema-primitive': {
      const primitive = primitivePath.exec(error.schemaPath)?.[1];
      const id = isTimeWithoutZone(primitive, tokens, value) ? 'date-time-zone' : rule;
      return findingOf(ruleOf(id), type, tokens, primitive);
    }
    case 'date-time-zone':
    case 'depth':
      return findingOf(ruleOf(rule), type, tokens);
  }
}

/**
 * The name of a missing element; where one choice out of several is missing, the part that they share: `target[x]`.
 * The choices stand in the errors just before the one at `index`.
 */
function missingName(all: readonly SchemaError[], index: number): string {
  const error = all[index];
  if (!error || error.keyword === 'required') return String(error?.params.missingProperty);
  const names: string[] = [];
  for (let at = index - 1; all[at]?.schemaPath.startsWith(`${error.schemaPath}/`); at -= 1) {
    names.push(String(all[at]?.params.missingProperty));
  }
  return `${names.reduce(commonStart, names[0] ?? '')}[x]`;
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one.charAt(length) === other.charAt(length)) length += 1;
  return one.slice(0, length);
}

function expectedType(type: unknown): string {
  const [expected] = [type].flat().filter((one) => one !== 'null');
  return typeof expected === 'string' ? expected : 'another type';
}

/** The codes that are allowed stand in the sentence, as far as a sentence holds them, and further ones behind it. */
function codeFinding(rule: Rule, type: ResourceType, tokens: Tokens, allowed: unknown): Finding {
  const codes = Array.isArray(allowed) ? allowed.filter((code) => typeof code === 'string') : [];
  const further = codes.length > mostSaid ? ` and ${codes.length - mostSaid} more` : '';
  const detail = codes.length > mostCodes ? `one of ${codes.length} codes` : `one of ${codes.join(', ')}`;
  return findingOf(rule, type, tokens, detail, `(${codes.slice(0, mostSaid).join(', ')}${further})`);
}

function isTimeWithoutZone(primitive: string | undefined, tokens: Tokens, root: unknown): boolean {
  if (primitive === undefined || !timed.has(primitive)) return false;
  const value = tokens.reduce<unknown>(
    (parent, token) =>
      typeof parent === 'object' && parent !== null ? (parent as Record<string, unknown>)[token] : undefined,
    root,
  );
  return typeof value === 'string' && value.length < 64 && timeWithoutZone.test(value);
}
