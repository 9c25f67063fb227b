/**
 * Data of quality over time: daily measures (`GET /app/quality/measures`) and changes of findings between two
 * days (`GET /app/quality/compared`). Days are UTC.
 */
import * as v from 'valibot';
import { resourceTypes, type ResourceType } from '../fhir/resource.ts';
import { members, type Shape } from '../json/shape.ts';
import { categories } from './quality.ts';

/** Measures over all rules: records with any finding, and records with a finding of a category. */
export const wholeChecks = ['all', ...categories] as const;

/** Measure of waived findings over all rules. No other measure counts waived findings. */
export const waivedCheck = 'waived';

/** One day of a check: day, applied, violated and skipped records, and findings. */
const Point = v.tuple([v.string(), v.number(), v.number(), v.number(), v.number()]);
export type MeasurePoint = Shape<typeof Point>;

const MeasureSeries = v.object({
  /** A rule, one of {@link wholeChecks}, or {@link waivedCheck}. */
  check: v.string(),
  type: v.picklist(resourceTypes),
  text: v.exactOptional(v.string()),
  /** Day, applied, violated, skipped, findings; oldest first. Missing days of `days` had no violation. */
  points: v.array(Point),
});
export type MeasureSeries = Shape<typeof MeasureSeries>;

/** `GET /app/quality/measures?from=&to=` */
export const Measures = v.object({
  from: v.string(),
  to: v.string(),
  /** Measured days, oldest first. The last may be today, which is incomplete. */
  days: v.array(v.string()),
  series: v.array(MeasureSeries),
});
export type Measures = Shape<typeof Measures>;

const Change = v.object({
  rule: v.string(),
  text: v.exactOptional(v.string()),
  type: v.picklist(resourceTypes),
  new: v.number(),
  resolved: v.number(),
  persisting: v.number(),
  /** Count of new and persisting findings that exist today and are waived. */
  waived: v.number(),
});
export type FindingChange = Shape<typeof Change>;

/** `GET /app/quality/compared?from=&to=`: findings at the end of both days. */
export const FindingTrend = v.object({ from: v.string(), to: v.string(), rules: v.array(Change) });
export type FindingTrend = Shape<typeof FindingTrend>;

export interface CheckCount {
  readonly check: string;
  readonly type: ResourceType;
  readonly applied: number;
  readonly violated: number;
  readonly skipped: number;
  readonly findings: number;
}

/**
 * Group of findings: its records, its findings, and all records of the same patient, source, author or month.
 */
const FindingGroup = v.object({
  key: v.string(),
  records: v.number(),
  findings: v.number(),
  all: v.exactOptional(v.number()),
});
export type FindingGroup = Shape<typeof FindingGroup>;

/** `GET /app/quality/groups?by=`, with the filter of the list: the groups with most findings. */
export const FindingGroups = v.object({ groups: v.array(FindingGroup) });
export type FindingGroups = Shape<typeof FindingGroups>;

const limit = v.exactOptional(
  v.union([
    v.object({ count: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    v.object({ percent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)) }),
  ]),
);
/** Counts of violating records above which a check is a warning or a failure. */
export const Threshold = v.object({ warnAbove: limit, failAbove: limit });
export type Threshold = Shape<typeof Threshold>;
export const Thresholds = v.pipe(members, v.record(v.string(), Threshold));
export type Thresholds = Shape<typeof Thresholds>;
