/**
 * What page and server say to each other of a finding's life: whose it is, whether it is waived and until when
 * (`PUT /app/quality/states`). Invariant: a finding is its record, its rule and its place in the record.
 */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import { members, type Shape } from '../json/shape.ts';
import { mostName } from './authorship.ts';
import { isDay } from './days.ts';
import { line } from './check.ts';

/** `open` are those that are not waived; `assigned` are those of them that are somebody's. */
export const findingStates = ['open', 'assigned', 'waived'] as const;
export type FindingStateName = (typeof findingStates)[number];

/** What is known of a finding beside the rule that found it. */
export const FindingState = v.object({
  state: v.picklist(findingStates),
  assignee: v.exactOptional(v.string()),
  /** Why it is waived. */
  reason: v.exactOptional(v.string()),
  /** The last day (UTC) of the waiver; absent where it has no end. */
  until: v.exactOptional(v.string()),
  note: v.exactOptional(v.string()),
  /** Who said so last, and when. */
  by: v.string(),
  at: v.string(),
});
export type FindingState = Shape<typeof FindingState>;

/** Findings that one request may name. */
const mostFindingKeys = 1000;

const mostWords = 500;
const wordsRule = `reason and note are texts of 1 to ${mostWords} characters.`;
const words = v.pipe(v.string(wordsRule), v.trim(), v.nonEmpty(wordsRule), v.maxLength(mostWords, wordsRule));
const dayRule = 'until is a day, such as 2026-12-31.';
const day = v.pipe(v.string(dayRule), v.check(isDay, dayRule));

const FindingKey = v.object({
  type: v.picklist(resourceTypes),
  id: v.string(),
  rule: v.string(),
  pointer: v.string(),
});
export type FindingKey = Shape<typeof FindingKey>;

const stateRule = 'set is open, assigned, waived or note.';
/** `PUT /app/quality/states`. */
export const StateChange = v.pipe(
  v.message(members, 'Send one JSON object with set and findings, or filter.'),
  v.strictObject(
    {
      set: v.picklist([...findingStates, 'note'], stateRule),
      assignee: v.exactOptional(line(mostName, `assignee is a name of at most ${mostName} characters.`)),
      reason: v.exactOptional(words),
      until: v.exactOptional(day),
      /** The note; none where it is left out. */
      note: v.exactOptional(words),
      findings: v.exactOptional(
        v.pipe(
          v.array(FindingKey, 'Each of findings has type, id, rule and pointer.'),
          v.minLength(1, 'findings names at least one.'),
          v.maxLength(mostFindingKeys, `findings names at most ${mostFindingKeys}; send a filter for more.`),
        ),
      ),
      /** The query of `GET /app/quality`: every finding that it lists. */
      filter: v.exactOptional(v.string('filter is a query, such as rule=plan-overdue.')),
    },
    'Send set, assignee, reason, until, note, and findings or filter.',
  ),
  v.check(
    ({ findings, filter }) => (findings === undefined) !== (filter === undefined),
    'Send findings or a filter, and not both.',
  ),
  v.check(
    ({ set, assignee }) => (set === 'assigned') === (assignee !== undefined),
    'assigned, and nothing else, goes with an assignee.',
  ),
  v.check(
    ({ set, reason }) => (set === 'waived') === (reason !== undefined),
    'waived, and nothing else, goes with a reason.',
  ),
  v.check(({ set, until }) => set === 'waived' || until === undefined, 'until goes with waived.'),
  v.check(({ set, note }) => set === 'note' || note === undefined, 'A note goes with set: note.'),
);
export type StateChange = Shape<typeof StateChange>;

/** What is said of findings. */
export type SaidOfFindings = Pick<StateChange, 'set' | 'assignee' | 'reason' | 'until' | 'note'>;

/** Answers `PUT /app/quality/states`. */
export const StatesChanged = v.object({
  changed: v.number(),
  /** Findings that are there no more. */
  gone: v.number(),
});
export type StatesChanged = Shape<typeof StatesChanged>;
