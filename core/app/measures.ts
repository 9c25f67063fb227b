/**
 * What page and server say to each other of quality over time: what each day was measured (`GET /app/quality/measures`),
 * and what became of findings between two days (`GET /app/quality/compared`). Days are UTC.
 */
import * as v from 'valibot';
import { resourceTypes, type ResourceType } from '../fhir/resource.ts';
import { members, type Shape } from '../json/shape.ts';
import { categories } from './quality.ts';

/** What is measured beside the rules: records with any finding, and those with one of a category. */
export const wholeChecks = ['all', ...categories] as const;

/** Findings that are waived count in no other row: what is accepted has a row of its own, over all rules. */
export const waivedCheck = 'waived';

/** One day of a check: how many records it applied to, how many violate it, how many could not be judged, and findings. */
const Point = v.tuple([v.string(), v.number(), v.number(), v.number(), v.number()]);
export type MeasurePoint = Shape<typeof Point>;

const MeasureSeries = v.object({
  /** A rule, one of {@link wholeChecks}, or {@link waivedCheck}. */
  check: v.string(),
  type: v.picklist(resourceTypes),
  /** A rule's sentence. */
  text: v.exactOptional(v.string()),
  /** Day, applied, violated, not judged, findings; oldest first. On other days of `days` nothing violated it. */
  points: v.array(Point),
});
export type MeasureSeries = Shape<typeof MeasureSeries>;

/** `GET /app/quality/measures?from=&to=` */
export const Measures = v.object({
  from: v.string(),
  to: v.string(),
  /** The days that were measured, oldest first; the last may be today, which is not over. */
  days: v.array(v.string()),
  series: v.array(MeasureSeries),
});
export type Measures = Shape<typeof Measures>;

const Change = v.object({
  rule: v.string(),
  /** The rule's sentence. */
  text: v.exactOptional(v.string()),
  type: v.picklist(resourceTypes),
  new: v.number(),
  resolved: v.number(),
  persisting: v.number(),
  /** Of the new and persisting, those that stand today and are waived. */
  waived: v.number(),
});
export type FindingChange = Shape<typeof Change>;

/** `GET /app/quality/compared?from=&to=`: findings at the end of both days. */
export const Compared = v.object({ from: v.string(), to: v.string(), rules: v.array(Change) });
export type Compared = Shape<typeof Compared>;

/** What one check came to on one day. */
export interface CheckCount {
  readonly check: string;
  readonly type: ResourceType;
  readonly applied: number;
  readonly violated: number;
  readonly skipped: number;
  readonly findings: number;
}

/** A group of findings: in how many records they are, of how many that share its patient, source, author or month. */
const FindingGroup = v.object({
  ...{ key: v.string(), records: v.number(), findings: v.number() },
  all: v.exactOptional(v.number()),
});
export type FindingGroup = Shape<typeof FindingGroup>;

/** `GET /app/quality/groups?by=`, with the filter of the list: the groups with most findings. */
export const FindingGroups = v.object({ groups: v.array(FindingGroup) });
export type FindingGroups = Shape<typeof FindingGroups>;

const bound = v.exactOptional(
  v.union([
    v.object({ count: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    v.object({ percent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)) }),
  ]),
);
/** Above how many records that violate it a check is shown as a warning, and as a failure. */
export const Threshold = v.object({ warnAbove: bound, failAbove: bound });
export type Threshold = Shape<typeof Threshold>;
export const Thresholds = v.pipe(members, v.record(v.string(), Threshold));
export type Thresholds = Shape<typeof Thresholds>;
