import type { FindingState, FindingStateName } from '../../core/app/findings.ts';
import type { waivedCheck } from '../../core/app/measures.ts';
import type { GroupName } from '../../core/app/quality.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';

/** Filter of issues. An absent member does not filter. */
export interface IssueQuery {
  readonly rule?: string;
  readonly severity?: IssueRow['severity'];
  readonly category?: IssueRow['category'];
  readonly type?: ResourceType;
  /** Text of title, id, subject or pointer, or one of `rules`. */
  readonly text?: TextQuery;
  /** State of the finding on `day`. */
  readonly state?: FindingStateName;
  readonly assignee?: string;
  readonly group?: GroupName;
  /** UUID of the import batch that brought the record. */
  readonly batch?: string;
  /** Today, as YYYY-MM-DD. A waiver ends after its last day. */
  readonly day?: string;
}

export interface TextQuery {
  /** In lower case. */
  readonly part: string;
  /** Folded by `fold`, like a record's stored title. */
  readonly title: string;
  readonly rules: readonly string[];
}

/** Count of a broken rule in the records of a type. */
export interface IssueCount extends Omit<IssueRow, 'pointer'> {
  readonly type: ResourceType;
  readonly records: number;
  readonly findings: number;
}

export interface RecordIssue extends IssueRow {
  /** Opaque cursor of the issue in the list. */
  readonly place: string;
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
  readonly lastUpdated: string;
  /** State set by a person. Absent if there is none. */
  readonly state?: FindingState;
  /** Number of preceding issues with the same rule and element. */
  readonly ordinal: number;
  /** Exact JSON of the record, the same string for each of its issues. Undefined if it is damaged. */
  readonly text: string | undefined;
}

export interface IssueCounts {
  /** Time of the count, in milliseconds since the epoch. */
  readonly countedAtMs: number;
  readonly counts: readonly IssueCount[];
  /** Records with at least one issue. */
  readonly flagged: Readonly<Record<ResourceType, number>>;
  /** Records with at least one issue that is not waived. Absent if no state exists. */
  readonly open?: Readonly<Record<ResourceType, number>>;
  /** Findings by state, without the filter. Absent if no state exists. */
  readonly states?: Readonly<Record<FindingStateName, number>>;
}

/** Total over all rules: of open findings in a category, or of waived findings. */
export interface WholeCount {
  readonly check: IssueRow['category'] | typeof waivedCheck;
  readonly type: ResourceType;
  readonly violated: number;
  readonly findings: number;
}

export interface StandingFindings {
  readonly rule: string;
  readonly type: ResourceType;
  /** Number of the day on which they began. 0 if unknown. */
  readonly since: number;
  readonly findings: number;
  /** Number of waived findings among them. */
  readonly waived: number;
}
