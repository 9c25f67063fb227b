/**
 * The quality worklist: which rules the stored records break, and each finding with the element that it is on. Called
 * by the routes under `/app/quality`; reads, and changes nothing. Invariant: an excerpt is a piece of the stored text.
 */
import { setImmediate } from 'node:timers/promises';
import { csvLine } from '../../core/app/csv.ts';
import { excerptOf } from '../../core/app/excerpt.ts';
import type {
  QualityCounts,
  QualityFilter,
  QualityFinding,
  QualityGroup,
  QualityOverview,
  QualityPage,
} from '../../core/app/quality.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { fold } from '../../core/fhir/search-values.ts';
import { summarise } from '../../core/fhir/summary.ts';
import { rules } from '../../core/fhir/validation/rules.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import type { JsonNode } from '../../core/json/node.ts';
import { formatPointer, locate, parsePointer } from '../../core/json/pointer.ts';
import { scan } from '../../core/json/scan.ts';
import type {
  IssueCount,
  IssueCounts,
  IssuePlace,
  IssueQuery,
  RecordIssue,
} from '../store/record-quality.ts';
import type { RecordStore } from '../store/store.ts';

export interface QualityOptions {
  readonly store: Pick<RecordStore, 'issueCounts' | 'issues' | 'count'>;
  readonly level: ValidationLevel;
}

/** A finding, and its place in the list of all. */
export interface PlacedFinding {
  readonly place: IssuePlace;
  readonly finding: QualityFinding;
}

/** Where a worklist comes from: the stored records, or those of another server. */
export interface WorklistSource {
  readonly level: ValidationLevel;
  counts(query: IssueQuery): IssueCounts | Promise<IssueCounts>;
  records(): Readonly<Record<ResourceType, number>> | Promise<Readonly<Record<ResourceType, number>>>;
  /** Findings in the order of their records, those behind `after`; at most `limit`. */
  findings(
    query: IssueQuery,
    after: IssuePlace | undefined,
    limit: number,
  ): readonly PlacedFinding[] | Promise<readonly PlacedFinding[]>;
}

export type QualityService = ReturnType<typeof createWorklist>;

/** Findings that the export reads at once. */
const exportPage = 200;

const csvHead = [
  ...['type', 'id', 'version', 'title', 'subject', 'status', 'lastUpdated'],
  ...['rule', 'severity', 'category', 'message', 'pointer', 'excerpt'],
] as const satisfies readonly (keyof QualityFinding)[];

/** The worklist of the stored records. */
export function createQuality({ store, level }: QualityOptions): QualityService {
  return createWorklist({
    level,
    counts: (query) => store.issueCounts(query),
    records: () => store.count(),
    findings: async (...asked) => describe(await store.issues(...asked)),
  });
}

export function createWorklist(source: WorklistSource) {
  async function page(
    filter: QualityFilter,
    after: IssuePlace | undefined,
    count: number,
  ): Promise<{ findings: QualityFinding[]; next?: IssuePlace }> {
    const found = await source.findings(queryOf(filter), after, count + 1);
    const shown = found.slice(0, count);
    const next = found.length > count ? shown.at(-1)?.place : undefined;
    return { findings: shown.map(({ finding }) => finding), ...(next && { next }) };
  }

  return {
    async overview(filter: QualityFilter): Promise<QualityOverview> {
      const [{ counted, counts, flagged }, records] = await Promise.all([
        source.counts(queryOf(filter)),
        source.records(),
      ]);
      const computed = new Date(counted).toISOString();
      return { computed, level: source.level, records, flagged, groups: groupsOf(counts) };
    },

    /** `after` is the `next` of the page before; from the start where it is none. */
    async findings(filter: QualityFilter, after: string | undefined, count: number): Promise<QualityPage> {
      const { findings, next } = await page(filter, placeOf(after), count);
      return { findings, ...(next && { next: `${next.record}-${next.row}` }) };
    },

    /** The findings as lines of CSV, a page at a time; other requests go between. */
    async *csv(filter: QualityFilter): AsyncGenerator<string> {
      yield csvLine(csvHead);
      for (let after: IssuePlace | undefined; ;) {
        const { findings, next } = await page(filter, after, exportPage);
        yield findings.map((finding) => csvLine(csvHead.map((column) => finding[column]))).join('');
        if (!next) return;
        after = next;
        await setImmediate();
      }
    },
  };
}

function placeOf(after: string | undefined): IssuePlace | undefined {
  const [, record, row] = /^(\d{1,15})-(\d{1,15})$/.exec(after ?? '') ?? [];
  return record === undefined || row === undefined ? undefined : { record: Number(record), row: Number(row) };
}

function queryOf({ text, ...filter }: QualityFilter): IssueQuery {
  if (text === undefined) return filter;
  const part = text.toLowerCase();
  const named = rules.filter((rule) => `${rule.id} ${rule.text.toLowerCase()}`.includes(part));
  return { ...filter, text: { part, title: fold(text), rules: named.map(({ id }) => id) } };
}

const sentences = new Map(rules.map(({ id, text }) => [id, text.replace(' {}', '')]));

/** A rule's sentence without the name of an element; the rule's own where it is not known. */
export function sentenceOf(rule: string): string {
  return sentences.get(rule) ?? rule;
}

/** The rules with their counts of both types, those that most records break first. */
function groupsOf(counts: readonly IssueCount[]): QualityGroup[] {
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
      text: sentenceOf(rule),
      records: records + (group?.records ?? 0),
      findings: findings + (group?.findings ?? 0),
      types,
    });
  }
  return [...groups.values()].sort((a, b) => b.records - a.records || a.rule.localeCompare(b.rule));
}

/** Reads each record once, however many of its findings the page holds. */
function describe(issues: readonly RecordIssue[]): PlacedFinding[] {
  let last: { readonly text: string; readonly root: JsonNode } | undefined;
  return issues.map((issue) => {
    // Of a damaged record the rows tell what was found in it; its elements are shown empty.
    const { text = '{}' } = issue;
    if (last?.text !== text) last = { text, root: scan(text).root };
    return { place: issue.place, finding: findingOf(issue, last.root) };
  });
}

function findingOf(issue: RecordIssue, root: JsonNode): QualityFinding {
  const { type, id, version, lastUpdated, rule, severity, category, pointer } = issue;
  const { title, subject, status } = summarise(root);
  const tokens = parsePointer(pointer) ?? [];
  return {
    ...{ type, id, version, title, subject, status, lastUpdated, rule, severity, category, pointer },
    message: missingElement(issue, root) ?? sentenceOf(rule),
    excerpt: tokens.length === 0 ? '' : excerptOf(locate(root, tokens)),
  };
}

/** Which element is missing is not stored; a look at the record says so. */
function missingElement(issue: RecordIssue, root: JsonNode): string | undefined {
  const { rule, type, pointer, ordinal, text } = issue;
  if (rule !== 'schema-required' || root.kind !== 'object' || text === undefined) return undefined;
  const found = validate(root, type, { today: '' }).filter(
    (finding) => finding.rule === rule && formatPointer(finding.tokens) === pointer,
  );
  return found[ordinal]?.text;
}
