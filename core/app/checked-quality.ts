/** The worklist of records that the page judged itself, in the shapes of core/app/quality.ts. */
import { resourceTypes, type ResourceType } from '../fhir/resource.ts';
import { csvLine } from './csv.ts';
import type {
  QualityCounts,
  QualityFilter,
  QualityFinding,
  QualityGroup,
  QualityOverview,
  QualityPage,
} from './quality.ts';

/** A record that was judged, and what is wrong with it. */
export interface CheckedRecord {
  readonly type: ResourceType;
  readonly id: string;
  readonly title: string;
  readonly findings: readonly QualityFinding[];
}

/** The findings that a filter asks for, in the order of the records. */
export function checkedFindings(
  records: readonly CheckedRecord[],
  { rule, category, severity, type, text }: QualityFilter,
): readonly QualityFinding[] {
  const part = text?.toLowerCase();
  return records
    .flatMap(({ findings }) => findings)
    .filter(
      (one) =>
        (rule === undefined || one.rule === rule) &&
        (category === undefined || one.category === category) &&
        (severity === undefined || one.severity === severity) &&
        (type === undefined || one.type === type) &&
        (part === undefined || textsOf(one).some((value) => value.toLowerCase().includes(part))),
    );
}

function textsOf({ rule, message, title, id, subject, pointer }: QualityFinding): readonly string[] {
  return [rule, message, title, id, subject, pointer];
}

/** The broken rules with their counts; `computed` is an instant. */
export function checkedOverview(
  records: readonly CheckedRecord[],
  filter: QualityFilter,
  computed: string,
): QualityOverview {
  const count = (of: readonly CheckedRecord[]) =>
    Object.fromEntries(
      resourceTypes.map((type) => [type, of.filter((one) => one.type === type).length]),
    ) as Record<ResourceType, number>;
  return {
    computed,
    level: 'standard',
    records: count(records),
    flagged: count(records.filter(({ findings }) => findings.length > 0)),
    groups: groupsOf(checkedFindings(records, filter)),
  };
}

function groupsOf(findings: readonly QualityFinding[]): QualityGroup[] {
  const byRule = Map.groupBy(findings, ({ rule }) => rule);
  const groups = [...byRule.values()].flatMap((all): QualityGroup[] => {
    const [first] = all;
    if (!first) return [];
    const { rule, severity, category, message } = first;
    const types = Object.fromEntries(
      [...Map.groupBy(all, ({ type }) => type)].map(([type, ofType]) => [type, countsOf(ofType)]),
    );
    return [{ rule, severity, category, text: message, ...countsOf(all), types }];
  });
  return groups.sort((a, b) => b.records - a.records || a.rule.localeCompare(b.rule));
}

function countsOf(findings: readonly QualityFinding[]): QualityCounts {
  return {
    records: new Set(findings.map(({ type, id }) => `${type}/${id}`)).size,
    findings: findings.length,
  };
}

/** All findings of a filter, as one page. */
export function checkedPage(records: readonly CheckedRecord[], filter: QualityFilter): QualityPage {
  return { findings: checkedFindings(records, filter) };
}

const csvHead = [
  ...['type', 'id', 'version', 'title', 'subject', 'status', 'lastUpdated'],
  ...['rule', 'severity', 'category', 'message', 'pointer', 'excerpt'],
] as const satisfies readonly (keyof QualityFinding)[];

/** The findings of a filter as CSV, with the columns of the server's own export. */
export function checkedCsv(records: readonly CheckedRecord[], filter: QualityFilter): string {
  const lines = checkedFindings(records, filter).map((one) => csvLine(csvHead.map((column) => one[column])));
  return csvLine(csvHead) + lines.join('');
}
