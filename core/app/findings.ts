/**
 * Data of `PUT /app/quality/states`: assignee and waiver of findings. Invariant: record, rule and pointer
 * identify a finding.
 */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import { members, type Shape } from '../json/shape.ts';
import { maxNameLength } from './authorship.ts';
import { isDay } from '../types/definition/dates.ts';
import { defineMessages } from '../text/message.ts';
import { codedText, line } from './check.ts';

/** `open` findings are not waived. `assigned` findings are open and have an assignee. */
export const findingStates = ['open', 'assigned', 'waived'] as const;
export type FindingStateName = (typeof findingStates)[number];

/** Triage state of a finding. */
export const FindingState = v.object({
  state: v.picklist(findingStates),
  assignee: v.exactOptional(v.string()),
  reason: v.exactOptional(v.string()),
  /** Last day (UTC) of the waiver; absent if it never ends. */
  until: v.exactOptional(v.string()),
  note: v.exactOptional(v.string()),
  /** Author and instant of the last change. */
  by: v.string(),
  at: v.string(),
});
export type FindingState = Shape<typeof FindingState>;

/** Maximum count of findings in one request. */
const maxFindingKeys = 1000;

const maxTextLength = 500;
const messages = defineMessages('triage', {
  words: 'reason and note must have 1 to {n} characters.',
  until: 'until must be a date, such as 2026-12-31.',
  set: 'set must be open, assigned, waived or note.',
  body: 'Send one JSON object with set and findings, or filter.',
  assignee: 'assignee must be a name of at most {n} characters.',
  finding: 'Each of findings must have type, id, rule and pointer.',
  none: 'Name at least one issue in findings.',
  tooMany: 'findings can name at most {n} issues. Send a filter for more.',
  filter: 'filter must be a query, such as rule=plan-overdue.',
  members: 'Send set, assignee, reason, until, note, and findings or filter.',
  either: 'Send findings or filter, not both.',
  assigned: 'assignee is required for assigned, and only for that.',
  waived: 'reason is required for waived, and only for that.',
  untilWaived: 'until is only for waived.',
  note: 'note needs set: note.',
});

const wordsRule = codedText(messages.words({ n: maxTextLength }));
const words = v.pipe(
  v.string(wordsRule),
  v.trim(),
  v.nonEmpty(wordsRule),
  v.maxLength(maxTextLength, wordsRule),
);
const dayRule = codedText(messages.until());
const day = v.pipe(v.string(dayRule), v.check(isDay, dayRule));

const FindingKey = v.object({
  type: v.picklist(resourceTypes),
  id: v.string(),
  rule: v.string(),
  pointer: v.string(),
});
export type FindingKey = Shape<typeof FindingKey>;

const stateRule = codedText(messages.set());
/** `PUT /app/quality/states`. */
export const StateChange = v.pipe(
  v.message(members, codedText(messages.body())),
  v.strictObject(
    {
      set: v.picklist([...findingStates, 'note'], stateRule),
      assignee: v.exactOptional(line(maxNameLength, codedText(messages.assignee({ n: maxNameLength })))),
      reason: v.exactOptional(words),
      until: v.exactOptional(day),
      /** The note; absent to remove it. */
      note: v.exactOptional(words),
      findings: v.exactOptional(
        v.pipe(
          v.array(FindingKey, codedText(messages.finding())),
          v.minLength(1, codedText(messages.none())),
          v.maxLength(maxFindingKeys, codedText(messages.tooMany({ n: maxFindingKeys }))),
        ),
      ),
      /** Query of `GET /app/quality`. Selects every finding of that list. */
      filter: v.exactOptional(v.string(codedText(messages.filter()))),
    },
    codedText(messages.members()),
  ),
  v.check(
    ({ findings, filter }) => (findings === undefined) !== (filter === undefined),
    codedText(messages.either()),
  ),
  v.check(
    ({ set, assignee }) => (set === 'assigned') === (assignee !== undefined),
    codedText(messages.assigned()),
  ),
  v.check(({ set, reason }) => (set === 'waived') === (reason !== undefined), codedText(messages.waived())),
  v.check(({ set, until }) => set === 'waived' || until === undefined, codedText(messages.untilWaived())),
  v.check(({ set, note }) => set === 'note' || note === undefined, codedText(messages.note())),
);
export type StateChange = Shape<typeof StateChange>;

/** Change of state without the selection of findings. */
export type SaidOfFindings = Pick<StateChange, 'set' | 'assignee' | 'reason' | 'until' | 'note'>;

/** Response of `PUT /app/quality/states`. */
export const StatesChanged = v.object({
  changed: v.number(),
  /** Count of findings that no longer exist. */
  gone: v.number(),
});
export type StatesChanged = Shape<typeof StatesChanged>;
