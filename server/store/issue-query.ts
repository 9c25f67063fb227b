import type { FindingState, FindingStateName } from '../../core/app/findings.ts';
import type { waivedCheck } from '../../core/app/measures.ts';
import type { GroupName } from '../../core/app/quality.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';

/** Which issues are asked for; what is absent does not narrow. */
export interface IssueQuery {
  readonly rule?: string;
  readonly severity?: IssueRow['severity'];
  readonly category?: IssueRow['category'];
  readonly type?: ResourceType;
  /** What title, id, subject or pointer holds, or one of `rules`. */
  readonly text?: TextQuery;
  /** What people said of it, as it holds on `day`. */
  readonly state?: FindingStateName;
  readonly assignee?: string;
  readonly group?: GroupName;
  /** Today, as YYYY-MM-DD: a waiver ends behind its last day. */
  readonly day?: string;
}

export interface TextQuery {
  /** In lower case. */
  readonly part: string;
  /** As `fold` makes it, which is how a record's title is kept. */
  readonly title: string;
  readonly rules: readonly string[];
}

/** How often a rule is broken in the records of a type. */
export interface IssueCount extends Omit<IssueRow, 'pointer'> {
  readonly type: ResourceType;
  readonly records: number;
  readonly findings: number;
}

/** An issue with its record. */
export interface RecordIssue extends IssueRow {
  /** Where it stands in the list of all, in the store's own words. */
  readonly place: string;
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
  readonly lastUpdated: string;
  /** What people said of it; absent where nobody did. */
  readonly state?: FindingState;
  /** How many issues of the same rule at the same element stand before it. */
  readonly ordinal: number;
  /** The record's exact JSON, the same string for each issue of a record; undefined where it is damaged. */
  readonly text: string | undefined;
}

export interface IssueCounts {
  /** When it was counted, in milliseconds since the epoch. */
  readonly counted: number;
  readonly counts: readonly IssueCount[];
  /** Records with at least one issue. */
  readonly flagged: Readonly<Record<ResourceType, number>>;
  /** Records with at least one issue that is not waived; absent where nobody waives any here. */
  readonly open?: Readonly<Record<ResourceType, number>>;
  /** Findings by state, whatever else is asked for; absent where nobody said anything of findings here. */
  readonly states?: Readonly<Record<FindingStateName, number>>;
}

/** A count over all rules: of what is open in a category, or of what is waived. */
export interface WholeCount {
  readonly check: IssueRow['category'] | typeof waivedCheck;
  readonly type: ResourceType;
  readonly violated: number;
  readonly findings: number;
}

export interface StandingFindings {
  readonly rule: string;
  readonly type: ResourceType;
  /** The number of the day on which they began; 0 where it is not known. */
  readonly since: number;
  readonly findings: number;
  /** Of them. */
  readonly waived: number;
}
