/**
 * What page and server say to each other of `/app/checks`: checks that stewards add to the rules. A check is FHIRPath on one
 * record: which records it applies to, what holds in them, and which element it points at where it does not.
 */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import { members, type Shape } from '../json/shape.ts';
import { check, line, type Check } from './check.ts';
import { Threshold } from './measures.ts';
import { categories, FoundInRecord, severities } from './quality.ts';

export const checkLimits = { checks: 100, on: 20, id: 60, title: 120, expression: 2000, note: 2000 } as const;

/** Records that a check is tried on. */
export const triedRecords = 1000;

const expressionRule = (name: string) =>
  `${name} is a FHIRPath expression of at most ${checkLimits.expression} characters.`;
const expression = (name: string) =>
  v.pipe(
    v.string(expressionRule(name)),
    v.trim(),
    v.nonEmpty(expressionRule(name)),
    v.maxLength(checkLimits.expression, expressionRule(name)),
  );

/** What is asked of a record. */
const question = {
  type: v.picklist(resourceTypes, `type is one of ${resourceTypes.join(', ')}.`),
  /** Which records it is asked of: those for which this is true; all where absent. */
  applies: v.exactOptional(expression('applies')),
  /** What is true of a record that is in order. */
  holds: expression('holds'),
  /** The elements that a finding is on; the whole record where absent, or where it gives none. */
  points: v.exactOptional(expression('points')),
};
export type CheckQuestion = Shape<v.ObjectSchema<typeof question, undefined>>;

/** Members of a check that hold an expression. */
export const expressionNames = ['applies', 'holds', 'points'] as const;

/** What a check asks, and nothing else of it. */
export function questionOf({ type, applies, holds, points }: CheckQuestion): CheckQuestion {
  return { type, holds, ...(applies !== undefined && { applies }), ...(points !== undefined && { points }) };
}

/** What a check came to for one record. `broken` is on the elements of the JSON Pointers. */
export type Asked =
  | { readonly is: 'none' | 'holds' }
  | { readonly is: 'broken'; readonly pointers: readonly string[] }
  | { readonly is: 'skipped'; readonly why: string };

const idRule = `id is 1 to ${checkLimits.id} lower-case letters, digits and hyphens, and begins with a letter.`;
const noteRule = `note is a text of at most ${checkLimits.note} characters.`;

const Definition = v.strictObject(
  {
    id: v.pipe(v.string(idRule), v.maxLength(checkLimits.id, idRule), v.regex(/^[a-z][a-z0-9-]*$/, idRule)),
    title: line(checkLimits.title, `title is a line of 1 to ${checkLimits.title} characters.`),
    ...question,
    category: v.picklist(categories, `category is one of ${categories.join(', ')}.`),
    severity: v.picklist(severities, `severity is one of ${severities.join(', ')}.`),
    ...v.message(Threshold, 'warnAbove and failAbove are a count or a percent each.').entries,
    owner: v.exactOptional(
      line(checkLimits.title, `owner is a line of at most ${checkLimits.title} characters.`),
    ),
    note: v.exactOptional(v.pipe(v.string(noteRule), v.maxLength(checkLimits.note, noteRule))),
    /** Whether it is switched on. */
    active: v.boolean('active is true or false.'),
  },
  'Send id, title, type, applies, holds, points, category, severity, warnAbove, failAbove, owner, note and active.',
);
/** A check as it is written, and as its file holds it. */
export type CheckDefinition = Shape<typeof Definition>;

/** Reads a check that somebody wrote; expressions are looked at elsewhere. */
export function checkDefinition(written: unknown): Check<CheckDefinition> {
  return check(v.pipe(v.message(members, 'A check is a JSON object.'), Definition), written);
}

const Put = v.pipe(
  v.message(members, 'Send one JSON object.'),
  v.looseObject({ version: v.pipe(v.number('version is a whole number.'), v.integer(), v.minValue(0)) }),
);

/** Reads `PUT /app/checks/{id}`: the check, and the version that was read before; 0 for a new one. */
export function checkPut(
  id: unknown,
  written: unknown,
): Check<{ readonly definition: CheckDefinition; readonly version: number }> {
  const sent = check(Put, written);
  if ('problems' in sent) return sent;
  const { version, ...others } = sent.value;
  const read = checkDefinition({ ...others, id });
  return 'problems' in read ? read : { value: { definition: read.value, version } };
}

const Progress = v.object({
  /** Versions of records that were passed, and all. */
  done: v.number(),
  total: v.number(),
  /** Whether it was given up, as it ran away on too many records. */
  halted: v.boolean(),
  applied: v.number(),
  violated: v.number(),
  findings: v.number(),
  /** Records for which it could not be asked. */
  skipped: v.number(),
});

export const StewardCheck = v.object({
  ...Definition.entries,
  version: v.number(),
  /** Who changed it last, and when. */
  by: v.string(),
  at: v.string(),
  /** How far it has come; absent where it is not switched on, or waits until others are cleared away. */
  progress: v.exactOptional(Progress),
});
export type StewardCheck = Shape<typeof StewardCheck>;

/** `GET /app/checks`: by title. */
export const CheckList = v.array(StewardCheck);

const tryRule = 'Send type, applies, holds and points, and the text of a record to try it on that one alone.';
const record = v.string('record is the JSON text of a record.');
/** `POST /app/checks/try` */
export const Trial = v.pipe(
  v.message(members, tryRule),
  v.strictObject({ ...question, record: v.exactOptional(record) }, tryRule),
);
export type CheckTrial = Shape<typeof Trial>;

const Tried = v.object({
  /** Empty where it is the text that was sent. */
  id: v.string(),
  /** JSON Pointers of the elements that it points at. */
  pointers: v.exactOptional(v.array(v.string())),
  /** Why it could not be asked. */
  why: v.exactOptional(v.string()),
});

/** What a check came to where it was tried. */
export const TrialResult = v.object({
  records: v.number(),
  applied: v.number(),
  violated: v.number(),
  skipped: v.number(),
  /** Some of the records that it does not hold for, and of those for which it could not be asked. */
  broken: v.array(Tried),
  unasked: v.array(Tried),
});
export type TrialResult = Shape<typeof TrialResult>;

const findingsRule = 'Send type, and the text of a record.';
/** `POST /app/checks/findings`. */
export const RecordText = v.pipe(
  v.message(members, findingsRule),
  v.strictObject({ type: question.type, record }, findingsRule),
);

/** Answers `POST /app/checks/findings`: of the checks that are switched on. */
export const CheckFindings = v.array(FoundInRecord);
export type CheckFinding = Shape<typeof CheckFindings>[number];

/** `GET /app/checks/{id}/skipped`: records for which it could not be asked, some of them. */
export const SkippedRecords = v.object({ type: v.picklist(resourceTypes), ids: v.array(v.string()) });

/** Beginning of the rule under which a check's findings stand. */
const prefix = 'my/';

/** The rule under which a check's findings stand. */
export function ruleOfCheck(id: string): string {
  return prefix + id;
}

/** The id of the check whose findings stand under a rule; undefined for every other rule. */
export function checkOfRule(rule: string): string | undefined {
  return rule.startsWith(prefix) ? rule.slice(prefix.length) : undefined;
}
