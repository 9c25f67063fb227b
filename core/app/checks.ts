/**
 * Data of `/app/checks`: custom checks of stewards. A check has FHIRPath expressions on one record: the
 * records it applies to, the condition, and the elements of a finding.
 */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import { members, type Shape } from '../json/shape.ts';
import { formatList } from '../text/language.ts';
import { defineMessages } from '../text/message.ts';
import { check, codedText, line, type Check } from './check.ts';
import { Threshold } from './measures.ts';
import { categories, FoundInRecord, severities } from './quality.ts';

export const checkLimits = { checks: 100, on: 20, id: 60, title: 120, expression: 2000, note: 2000 } as const;

/** Count of records in a trial. */
export const triedRecords = 1000;

const messages = defineMessages('check', {
  expression: '{name} must be a FHIRPath expression of at most {n} characters.',
  oneOf: '{name} must be {values}.',
  id: 'id must be 1 to {n} lowercase letters, digits and hyphens, starting with a letter.',
  line: '{name} must be one line of 1 to {n} characters.',
  note: 'note can have at most {n} characters.',
  threshold: 'warnAbove and failAbove must each be a count or a percentage.',
  active: 'active must be true or false.',
  members:
    'Send id, title, type, applies, holds, points, category, severity, warnAbove, failAbove, owner, note and active.',
  object: 'A check must be a JSON object.',
  body: 'Send one JSON object.',
  version: 'version must be a whole number.',
  trial: 'Send type, applies, holds and points, and optionally the text of one record to test.',
  record: 'record must be the JSON text of a record.',
  findings: 'Send type and the text of a record.',
});

const expressionRule = (name: string) => codedText(messages.expression({ name, n: checkLimits.expression }));
const oneOfRule = (name: string, items: readonly string[]) =>
  codedText(messages.oneOf({ name, values: formatList(items, 'disjunction') }));
const lineRule = (name: string) => codedText(messages.line({ name, n: checkLimits.title }));
const expression = (name: string) =>
  v.pipe(
    v.string(expressionRule(name)),
    v.trim(),
    v.nonEmpty(expressionRule(name)),
    v.maxLength(checkLimits.expression, expressionRule(name)),
  );

const expressions = {
  type: v.picklist(resourceTypes, oneOfRule('type', resourceTypes)),
  /** Condition of the records to check; absent for all. */
  applies: v.exactOptional(expression('applies')),
  /** Condition that a valid record meets. */
  holds: expression('holds'),
  /** Elements of a finding. If it is absent or empty, the finding is on the record. */
  points: v.exactOptional(expression('points')),
};
export type CheckExpressions = Shape<v.ObjectSchema<typeof expressions, undefined>>;

export const expressionNames = ['applies', 'holds', 'points'] as const;

/** Returns only the expressions of a check. */
export function pickExpressions({ type, applies, holds, points }: CheckExpressions): CheckExpressions {
  return { type, holds, ...(applies !== undefined && { applies }), ...(points !== undefined && { points }) };
}

/** Outcome of one check on one record. `broken` lists the JSON Pointers of the elements. */
export type CheckOutcome =
  | { readonly is: 'none' | 'holds' }
  | { readonly is: 'broken'; readonly pointers: readonly string[] }
  | { readonly is: 'skipped'; readonly why: string };

const idRule = codedText(messages.id({ n: checkLimits.id }));
const noteRule = codedText(messages.note({ n: checkLimits.note }));

const Definition = v.strictObject(
  {
    id: v.pipe(v.string(idRule), v.maxLength(checkLimits.id, idRule), v.regex(/^[a-z][a-z0-9-]*$/, idRule)),
    title: line(checkLimits.title, lineRule('title')),
    ...expressions,
    category: v.picklist(categories, oneOfRule('category', categories)),
    severity: v.picklist(severities, oneOfRule('severity', severities)),
    ...v.message(Threshold, codedText(messages.threshold())).entries,
    owner: v.exactOptional(line(checkLimits.title, lineRule('owner'))),
    note: v.exactOptional(v.pipe(v.string(noteRule), v.maxLength(checkLimits.note, noteRule))),
    /** True if the check is active. */
    active: v.boolean(codedText(messages.active())),
  },
  codedText(messages.members()),
);
/** Check as stewards write it and as its file stores it. */
export type CheckDefinition = Shape<typeof Definition>;

/** Validates the form of a check. The expressions are parsed elsewhere. */
export function checkDefinition(input: unknown): Check<CheckDefinition> {
  return check(v.pipe(v.message(members, codedText(messages.object())), Definition), input);
}

const CheckBody = v.pipe(
  v.message(members, codedText(messages.body())),
  v.looseObject({ version: v.pipe(v.number(codedText(messages.version())), v.integer(), v.minValue(0)) }),
);

/**
 * Validates the body of `PUT /app/checks/{id}`: the check and the version that the steward read, 0 for a new
 * one.
 */
export function checkPut(
  id: unknown,
  input: unknown,
): Check<{ readonly definition: CheckDefinition; readonly version: number }> {
  const body = check(CheckBody, input);
  if ('problems' in body) return body;
  const { version, ...members } = body.value;
  const result = checkDefinition({ ...members, id });
  return 'problems' in result ? result : { value: { definition: result.value, version } };
}

const Progress = v.object({
  /** Count of checked record versions, and of all. */
  done: v.number(),
  total: v.number(),
  /** True if the check was stopped because it took too long on too many records. */
  halted: v.boolean(),
  applied: v.number(),
  violated: v.number(),
  findings: v.number(),
  /** Count of records without an evaluation. */
  skipped: v.number(),
});

export const CustomCheck = v.object({
  ...Definition.entries,
  version: v.number(),
  /** Author and instant of the last change. */
  by: v.string(),
  at: v.string(),
  /** Progress; absent if the check is inactive or waits until old checks are removed. */
  progress: v.exactOptional(Progress),
});
export type CustomCheck = Shape<typeof CustomCheck>;

/** `GET /app/checks`: by title. */
export const CheckList = v.array(CustomCheck);

const trialRule = codedText(messages.trial());
const record = v.string(codedText(messages.record()));
/** `POST /app/checks/try` */
export const Trial = v.pipe(
  v.message(members, trialRule),
  v.strictObject({ ...expressions, record: v.exactOptional(record) }, trialRule),
);
export type CheckTrial = Shape<typeof Trial>;

const TrialFinding = v.object({
  /** Empty for the text of the request. */
  id: v.string(),
  pointers: v.exactOptional(v.array(v.string())),
  /** Reason for a missing evaluation. */
  why: v.exactOptional(v.string()),
});

export const TrialResult = v.object({
  records: v.number(),
  applied: v.number(),
  violated: v.number(),
  skipped: v.number(),
  /** Samples of the records that violate the check, and of the records without an evaluation. */
  broken: v.array(TrialFinding),
  unasked: v.array(TrialFinding),
});
export type TrialResult = Shape<typeof TrialResult>;

const findingsRule = codedText(messages.findings());
/** `POST /app/checks/findings`. */
export const RecordText = v.pipe(
  v.message(members, findingsRule),
  v.strictObject({ type: expressions.type, record }, findingsRule),
);

/** Response of `POST /app/checks/findings`: findings of active checks. */
export const CheckFindings = v.array(FoundInRecord);
export type CheckFinding = Shape<typeof CheckFindings>[number];

/** Response of `GET /app/checks/{id}/skipped`: a sample of records without an evaluation. */
export const SkippedRecords = v.object({ type: v.picklist(resourceTypes), ids: v.array(v.string()) });

/** Prefix of the rule ids of custom checks. */
const prefix = 'my/';

/** Returns the rule id of a check. */
export function ruleOfCheck(id: string): string {
  return prefix + id;
}

/** Returns the check id of a rule; undefined for other rules. */
export function checkOfRule(rule: string): string | undefined {
  return rule.startsWith(prefix) ? rule.slice(prefix.length) : undefined;
}
