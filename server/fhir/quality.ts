/**
 * The quality worklist: broken rules of the stored records, and each finding with its element. Called by
 * the routes under `/app/quality`; read-only except for states. Invariant: an excerpt is part of the stored
 * text.
 */
import { setImmediate } from 'node:timers/promises';
import { csvLine } from '../../core/app/csv.ts';
import { dayOf } from '../../core/derive/derive.ts';
import type { FindingKey, SaidOfFindings, StatesChanged } from '../../core/app/findings.ts';
import type { FindingGroups } from '../../core/app/measures.ts';
import { excerptOf } from '../../core/app/excerpt.ts';
import {
  groupOf,
  type Grouping,
  type QualityCounts,
  type QualityFilter,
  type QualityFinding,
  type QualityGroup,
  type QualityOverview,
  type QualityPage,
} from '../../core/app/quality.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { fold } from '../../core/fhir/search-values.ts';
import { summarize } from '../../core/fhir/summary.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';
import { rules } from '../../core/fhir/validation/rules.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import type { JsonNode } from '../../core/json/node.ts';
import { formatPointer, locate, parsePointer } from '../../core/json/pointer.ts';
import { scan } from '../../core/json/scan.ts';
import { defineMessages } from '../../core/text/message.ts';
import { otherRecords } from './other-records.ts';
import { noSentences, customMessages, formatMessage, type Sentences } from './rule-sentences.ts';
import type { IssueCount, IssueCounts, IssueQuery, RecordIssue } from '../store/issue-query.ts';
import type { Actor, RecordStore } from '../store/store.ts';

const messages = defineMessages('worklist', {
  remoteWithoutStates: 'Issues on other servers have no state, assignee or group.',
});

interface WorklistOptions {
  readonly level: ValidationLevel;
  /** Sentences of rules that are not the program's own. */
  readonly sentences?: () => ReadonlyMap<string, string>;
  /** Number of undecided records by type; undefined without profiles. */
  readonly countUndecided?: () => Promise<Readonly<Record<ResourceType, number>> | undefined>;
}

export interface QualityOptions extends WorklistOptions {
  readonly store: Pick<RecordStore, 'issueCounts' | 'issues' | 'count' | 'findings' | 'read' | 'relations'>;
  /** Now, in milliseconds since 1970. */
  readonly clock: () => number;
}

/** A finding, and its place in the list of all. */
export interface PlacedFinding {
  readonly place: string;
  readonly finding: QualityFinding;
}

/** Source of a worklist: the stored records, or the records of another server. */
export interface WorklistSource extends WorklistOptions {
  /** True if findings have states and can be grouped. */
  readonly states?: boolean;
  counts(query: IssueQuery): IssueCounts | Promise<IssueCounts>;
  records(): Readonly<Record<ResourceType, number>> | Promise<Readonly<Record<ResourceType, number>>>;
  /** Returns the findings after `after` in the order of their records; at most `limit`. */
  findings(
    query: IssueQuery,
    after: string | undefined,
    limit: number,
  ): readonly PlacedFinding[] | Promise<readonly PlacedFinding[]>;
}

export type Worklist = ReturnType<typeof createWorklist>;
export type QualityService = ReturnType<typeof createQuality>;

/** Number of findings that get a state at once. Other requests run between batches. */
const stateBatchSize = 500;

/** Groups that are listed. */
const mostGroups = 200;

/** Findings that the export reads at once. */
const exportPage = 200;

const csvHead = [
  'type',
  'id',
  'version',
  'title',
  'subject',
  'status',
  'lastUpdated',
  'rule',
  'severity',
  'category',
  'message',
  'pointer',
  'excerpt',
] as const satisfies readonly (keyof QualityFinding)[];

const saidHead = ['state', 'assignee', 'reason', 'until', 'note'] as const;

function listStateColumns({ state }: QualityFinding): string[] {
  return saidHead.map((column) => state?.[column] ?? (column === 'state' ? 'open' : ''));
}

/** The worklist of the stored records. */
export function createQuality({
  store,
  level,
  clock,
  sentences = noSentences,
  countUndecided,
}: QualityOptions) {
  const onDay = (query: IssueQuery): IssueQuery => ({ ...query, day: dayOf(clock()) });
  const worklist = createWorklist({
    level,
    sentences,
    states: true,
    ...(countUndecided && { countUndecided }),
    counts: (query) => store.issueCounts(onDay(query)),
    records: () => store.count(),
    async findings(query, ...queryArguments) {
      const issues = await store.issues(onDay(query), ...queryArguments);
      const otherRecordLists = await otherRecords(store, issues);
      return describe(issues, sentences()).map(({ place: cursor, finding }, index) => ({
        place: cursor,
        finding: { ...finding, ...otherRecordLists[index] },
      }));
    },
  });

  /**
   * Lists the keys of all findings of a filter before any state changes: a new state may remove a finding
   * from the list.
   */
  async function keysOf(filter: QualityFilter): Promise<FindingKey[]> {
    const findingKeys: FindingKey[] = [];
    for (let after: string | undefined; ;) {
      const { keys, next } = await store.findings.keys(
        onDay(queryOf(filter, sentences())),
        after,
        stateBatchSize,
      );
      findingKeys.push(...keys);
      if (!next) return findingKeys;
      after = next;
    }
  }

  return {
    ...worklist,

    /** Stores the state of some findings or of all findings of a filter. */
    async say(
      selection: readonly FindingKey[] | QualityFilter,
      stateChange: SaidOfFindings,
      actor: Actor,
    ): Promise<StatesChanged> {
      const keys = isKeys(selection) ? selection : await keysOf(selection);
      let [changedCount, missingCount] = [0, 0];
      for (let index = 0; index < keys.length; index += stateBatchSize) {
        const part = keys.slice(index, index + stateBatchSize);
        const done = await store.findings.say(part, { newState: stateChange, actor, now: clock() });
        [changedCount, missingCount] = [changedCount + done.changed, missingCount + done.gone];
      }
      return { changed: changedCount, gone: missingCount };
    },

    /** The groups of a filter with most findings. */
    groups: (filter: QualityFilter, groupBy: Grouping, sized: boolean): Promise<FindingGroups['groups']> =>
      store.findings.groups(onDay(queryOf(filter, sentences())), groupBy, mostGroups, sized),
  };
}

function isKeys(selection: readonly FindingKey[] | QualityFilter): selection is readonly FindingKey[] {
  return Array.isArray(selection);
}

export function createWorklist(source: WorklistSource) {
  const { sentences = noSentences } = source;
  function toIssueQuery(filter: QualityFilter): IssueQuery {
    if (source.states || (filter.state ?? filter.assignee ?? filter.group ?? filter.batch) === undefined)
      return queryOf(filter, sentences());
    throw new FhirError('not-accepted', messages.remoteWithoutStates());
  }

  /** `after` is the `next` of the previous page; undefined for the first page. */
  async function page(filter: QualityFilter, after: string | undefined, count: number): Promise<QualityPage> {
    const issues = await source.findings(toIssueQuery(filter), after, count + 1);
    const visibleIssues = issues.slice(0, count);
    const next = issues.length > count ? visibleIssues.at(-1)?.place : undefined;
    return { findings: visibleIssues.map(({ finding }) => finding), ...(next && { next }) };
  }

  return {
    async overview(filter: QualityFilter): Promise<QualityOverview> {
      const [
        { countedAtMs: countedIssues, counts, flagged: flaggedRecords, open, states },
        records,
        undecidedRecords,
      ] = await Promise.all([
        source.counts(toIssueQuery(filter)),
        source.records(),
        source.countUndecided?.(),
      ]);
      const computed = new Date(countedIssues).toISOString();
      const groups = groupsOf(counts, sentences());
      return {
        computed,
        level: source.level,
        records,
        flagged: flaggedRecords,
        groups,
        ...(open && { open }),
        ...(states && { states }),
        ...(undecidedRecords && { undecided: undecidedRecords }),
      };
    },

    findings: page,

    /** Yields the findings as lines of CSV, one page at a time. Other requests run between pages. */
    async *csv(filter: QualityFilter): AsyncGenerator<string> {
      yield csvLine([...csvHead, ...saidHead]);
      for (let after: string | undefined; ;) {
        const { findings, next } = await page(filter, after, exportPage);
        yield findings
          .map((finding) =>
            csvLine([...csvHead.map((column) => finding[column]), ...listStateColumns(finding)]),
          )
          .join('');
        if (!next) return;
        after = next;
        await setImmediate();
      }
    },
  };
}

function queryOf(
  { text, group: groupName, ...plain }: QualityFilter,
  customSentences: Sentences,
): IssueQuery {
  const group = groupName === undefined ? undefined : groupOf(groupName);
  const filter = { ...plain, ...(group && { group }) };
  if (text === undefined) return filter;
  const part = text.toLowerCase();
  const allSentences = [...customMessages, ...customSentences];
  const rulesNamed = allSentences.filter(([id, sentence]) =>
    `${id} ${sentence.toLowerCase()}`.includes(part),
  );
  return { ...filter, text: { part, title: fold(text), rules: rulesNamed.map(([id]) => id) } };
}

/** Rules whose message contains the name of an element. */
const rulesThatName = new Set(rules.filter(({ text }) => text.includes('{name}')).map(({ id }) => id));

/** The rules with their counts of both types. Rules that most records break come first. */
function groupsOf(counts: readonly IssueCount[], customSentences: Sentences): QualityGroup[] {
  const groups = new Map<string, QualityGroup>();
  for (const { rule, severity, category, type, records, findings } of counts) {
    const group = groups.get(rule);
    const types: Partial<Record<ResourceType, QualityCounts>> = {
      ...group?.types,
      [type]: { records, findings },
    };
    groups.set(rule, {
      rule,
      severity,
      category,
      text: formatMessage(rule, customSentences),
      records: records + (group?.records ?? 0),
      findings: findings + (group?.findings ?? 0),
      types,
    });
  }
  return [...groups.values()].sort((a, b) => b.records - a.records || a.rule.localeCompare(b.rule));
}

/** A record whose findings are described: read once, and validated once if a finding needs it. */
interface RecordCache {
  readonly text: string | undefined;
  readonly root: JsonNode;
  cachedFindings?: readonly Finding[];
}

function describe(issues: readonly RecordIssue[], customSentences: Sentences): PlacedFinding[] {
  let lastRecord: RecordCache | undefined;
  return issues.map((issue) => {
    const { text } = issue;
    // The rows of a damaged record still list its issues. Their elements are shown empty.
    if (!lastRecord || lastRecord.text !== text) lastRecord = { text, root: scan(text ?? '{}').root };
    return { place: issue.place, finding: findingOf(issue, lastRecord, customSentences) };
  });
}

function findingOf(issue: RecordIssue, recordCache: RecordCache, customSentences: Sentences): QualityFinding {
  const { root } = recordCache;
  const { type, id, version, lastUpdated, rule, severity, category, pointer } = issue;
  const { title, subject, status } = summarize(root);
  const tokens = parsePointer(pointer) ?? [];
  const match = findAgain(issue, recordCache);
  return {
    type,
    id,
    version,
    title,
    subject,
    status,
    lastUpdated,
    rule,
    severity,
    category,
    pointer,
    ...(issue.state && { state: issue.state }),
    message: match?.text ?? formatMessage(rule, customSentences),
    ...(match?.parameters && { parameters: match.parameters }),
    excerpt: tokens.length === 0 ? '' : excerptOf(locate(root, tokens)),
  };
}

/**
 * Returns the finding of an issue whose sentence contains a name, such as the name of a missing element. Names are
 * not stored, so the record is validated again.
 */
function findAgain(
  { rule, type, pointer, ordinal }: RecordIssue,
  recordCache: RecordCache,
): Finding | undefined {
  const { text, root } = recordCache;
  if (!rulesThatName.has(rule) || root.kind !== 'object' || text === undefined) return undefined;
  recordCache.cachedFindings ??= validate(root, type, { today: '' });
  const matches = recordCache.cachedFindings.filter(
    (finding) => finding.rule === rule && formatPointer(finding.tokens) === pointer,
  );
  return matches[ordinal];
}
