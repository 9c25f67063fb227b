/**
 * The quality worklist: which rules the stored records break, and each finding with the element that it is on. Called
 * by the routes under `/app/quality`; reads, and changes nothing. Invariant: an excerpt is a piece of the stored text.
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
import { summarise } from '../../core/fhir/summary.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';
import { rules } from '../../core/fhir/validation/rules.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import type { JsonNode } from '../../core/json/node.ts';
import { formatPointer, locate, parsePointer } from '../../core/json/pointer.ts';
import { scan } from '../../core/json/scan.ts';
import { otherRecords } from './other-records.ts';
import { noSentences, ownSentences, sentenceOf, type Sentences } from './rule-sentences.ts';
import type { IssueCount, IssueCounts, IssueQuery, RecordIssue } from '../store/issue-query.ts';
import type { Doer, RecordStore } from '../store/store.ts';

/** What every worklist is told. */
interface WorklistOptions {
  readonly level: ValidationLevel;
  /** Sentences of rules that are not the program's own. */
  readonly sentences?: () => ReadonlyMap<string, string>;
  /** Records by type of which something cannot be decided here; undefined where nothing is judged by profiles. */
  readonly undecided?: () => Promise<Readonly<Record<ResourceType, number>> | undefined>;
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

/** Where a worklist comes from: the stored records, or those of another server. */
export interface WorklistSource extends WorklistOptions {
  /** Whether people say something of its findings, and they can be put together. */
  readonly states?: boolean;
  counts(query: IssueQuery): IssueCounts | Promise<IssueCounts>;
  records(): Readonly<Record<ResourceType, number>> | Promise<Readonly<Record<ResourceType, number>>>;
  /** Findings in the order of their records, those behind `after`; at most `limit`. */
  findings(
    query: IssueQuery,
    after: string | undefined,
    limit: number,
  ): readonly PlacedFinding[] | Promise<readonly PlacedFinding[]>;
}

export type Worklist = ReturnType<typeof createWorklist>;
export type QualityService = ReturnType<typeof createQuality>;

/** Findings of which is said something at once: other requests go between. */
const saidAtOnce = 500;

/** Groups that are listed. */
const mostGroups = 200;

/** Findings that the export reads at once. */
const exportPage = 200;

const csvHead = [
  ...['type', 'id', 'version', 'title', 'subject', 'status', 'lastUpdated'],
  ...['rule', 'severity', 'category', 'message', 'pointer', 'excerpt'],
] as const satisfies readonly (keyof QualityFinding)[];

const saidHead = ['state', 'assignee', 'reason', 'until', 'note'] as const;

function saidOf({ state }: QualityFinding): string[] {
  return saidHead.map((column) => state?.[column] ?? (column === 'state' ? 'open' : ''));
}

/** The worklist of the stored records. */
export function createQuality({ store, level, clock, sentences = noSentences, undecided }: QualityOptions) {
  const onDay = (query: IssueQuery): IssueQuery => ({ ...query, day: dayOf(clock()) });
  const worklist = createWorklist({
    ...{ level, sentences, states: true },
    ...(undecided && { undecided }),
    counts: (query) => store.issueCounts(onDay(query)),
    records: () => store.count(),
    async findings(query, ...asked) {
      const issues = await store.issues(onDay(query), ...asked);
      const others = await otherRecords(store, issues);
      return describe(issues, sentences()).map(({ place, finding }, at) => ({
        place,
        finding: { ...finding, ...others[at] },
      }));
    },
  });

  /** Names of all findings of a filter, before anything is said of one: what is said may take it off the list. */
  async function keysOf(filter: QualityFilter): Promise<FindingKey[]> {
    const found: FindingKey[] = [];
    for (let after: string | undefined; ;) {
      const { keys, next } = await store.findings.keys(
        onDay(queryOf(filter, sentences())),
        after,
        saidAtOnce,
      );
      found.push(...keys);
      if (!next) return found;
      after = next;
    }
  }

  return {
    ...worklist,

    /** Writes what somebody says of findings, or of all that a filter lists. */
    async say(
      which: readonly FindingKey[] | QualityFilter,
      said: SaidOfFindings,
      doer: Doer,
    ): Promise<StatesChanged> {
      const keys = isKeys(which) ? which : await keysOf(which);
      let [changed, gone] = [0, 0];
      for (let at = 0; at < keys.length; at += saidAtOnce) {
        const part = keys.slice(at, at + saidAtOnce);
        const done = await store.findings.say(part, { said, doer, now: clock() });
        [changed, gone] = [changed + done.changed, gone + done.gone];
      }
      return { changed, gone };
    },

    /** The groups of a filter with most findings. */
    groups: (filter: QualityFilter, by: Grouping, sized: boolean): Promise<FindingGroups['groups']> =>
      store.findings.groups(onDay(queryOf(filter, sentences())), by, mostGroups, sized),
  };
}

function isKeys(which: readonly FindingKey[] | QualityFilter): which is readonly FindingKey[] {
  return Array.isArray(which);
}

export function createWorklist(source: WorklistSource) {
  const { sentences = noSentences } = source;
  function asked(filter: QualityFilter): IssueQuery {
    if (source.states || (filter.state ?? filter.assignee ?? filter.group) === undefined)
      return queryOf(filter, sentences());
    throw new FhirError('not-accepted', {
      text: 'Findings of another server have no state, no assignee and no group.',
    });
  }

  /** `after` is the `next` of the page before; from the start where it is none. */
  async function page(filter: QualityFilter, after: string | undefined, count: number): Promise<QualityPage> {
    const found = await source.findings(asked(filter), after, count + 1);
    const shown = found.slice(0, count);
    const next = found.length > count ? shown.at(-1)?.place : undefined;
    return { findings: shown.map(({ finding }) => finding), ...(next && { next }) };
  }

  return {
    async overview(filter: QualityFilter): Promise<QualityOverview> {
      const [{ counted, counts, flagged, open, states }, records, undecided] = await Promise.all([
        source.counts(asked(filter)),
        source.records(),
        source.undecided?.(),
      ]);
      const computed = new Date(counted).toISOString();
      const groups = groupsOf(counts, sentences());
      return {
        ...{ computed, level: source.level, records, flagged, groups },
        ...(open && { open }),
        ...(states && { states }),
        ...(undecided && { undecided }),
      };
    },

    findings: page,

    /** The findings as lines of CSV, a page at a time; other requests go between. */
    async *csv(filter: QualityFilter): AsyncGenerator<string> {
      yield csvLine([...csvHead, ...saidHead]);
      for (let after: string | undefined; ;) {
        const { findings, next } = await page(filter, after, exportPage);
        yield findings
          .map((finding) => csvLine([...csvHead.map((column) => finding[column]), ...saidOf(finding)]))
          .join('');
        if (!next) return;
        after = next;
        await setImmediate();
      }
    },
  };
}

function queryOf({ text, group: named, ...plain }: QualityFilter, others: Sentences): IssueQuery {
  const group = named === undefined ? undefined : groupOf(named);
  const filter = { ...plain, ...(group && { group }) };
  if (text === undefined) return filter;
  const part = text.toLowerCase();
  const all = [...ownSentences, ...others];
  const rulesNamed = all.filter(([id, sentence]) => `${id} ${sentence.toLowerCase()}`.includes(part));
  return { ...filter, text: { part, title: fold(text), rules: rulesNamed.map(([id]) => id) } };
}

/** The rules whose sentence names something of the element. */
const rulesThatName = new Set(rules.filter(({ text }) => text.includes('{}')).map(({ id }) => id));

/** The rules with their counts of both types, those that most records break first. */
function groupsOf(counts: readonly IssueCount[], others: Sentences): QualityGroup[] {
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
      text: sentenceOf(rule, others),
      records: records + (group?.records ?? 0),
      findings: findings + (group?.findings ?? 0),
      types,
    });
  }
  return [...groups.values()].sort((a, b) => b.records - a.records || a.rule.localeCompare(b.rule));
}

/** A record of which findings are told: read once, and judged once where a finding asks for it. */
interface Told {
  readonly text: string | undefined;
  readonly root: JsonNode;
  found?: readonly Finding[];
}

function describe(issues: readonly RecordIssue[], others: Sentences): PlacedFinding[] {
  let last: Told | undefined;
  return issues.map((issue) => {
    const { text } = issue;
    // Of a damaged record the rows tell what was found in it; its elements are shown empty.
    if (!last || last.text !== text) last = { text, root: scan(text ?? '{}').root };
    return { place: issue.place, finding: findingOf(issue, last, others) };
  });
}

function findingOf(issue: RecordIssue, told: Told, others: Sentences): QualityFinding {
  const { root } = told;
  const { type, id, version, lastUpdated, rule, severity, category, pointer } = issue;
  const { title, subject, status } = summarise(root);
  const tokens = parsePointer(pointer) ?? [];
  return {
    ...{ type, id, version, title, subject, status, lastUpdated, rule, severity, category, pointer },
    ...(issue.state && { state: issue.state }),
    message: sentenceAt(issue, told) ?? sentenceOf(rule, others),
    excerpt: tokens.length === 0 ? '' : excerptOf(locate(root, tokens)),
  };
}

/** What a rule's sentence names, such as the element that is missing, is not stored: a look at the record says it. */
function sentenceAt({ rule, type, pointer, ordinal }: RecordIssue, told: Told): string | undefined {
  const { text, root } = told;
  if (!rulesThatName.has(rule) || root.kind !== 'object' || text === undefined) return undefined;
  told.found ??= validate(root, type, { today: '' });
  const same = told.found.filter((one) => one.rule === rule && formatPointer(one.tokens) === pointer);
  return same[ordinal]?.text;
}
