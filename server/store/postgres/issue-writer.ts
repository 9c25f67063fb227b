import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import type { Session } from './connection.ts';
import { issueLists } from './version-rows.ts';

/** An issue as it stands: its number within the record, and what it says. */
type Standing = readonly [
  ...[ordinal: number, rule: string, severity: string, category: string, pointer: string],
];

/** What becomes of a record's issues. */
interface Turn {
  /** Findings that ended, by their numbers. */
  readonly ended: readonly number[];
  /** Findings that stay; another number, or other words. */
  readonly moved: readonly (readonly [from: number, to: number, issue: IssueRow])[];
  readonly begun: readonly (readonly [ordinal: number, issue: IssueRow])[];
}

/** A finding is its rule and its place; of several alike, the first stays the first. */
function turnOf(standing: readonly Standing[], wanted: readonly IssueRow[]): Turn {
  const left = [...standing];
  const moved: (readonly [number, number, IssueRow])[] = [];
  const begun: (readonly [number, IssueRow])[] = [];
  for (const [ordinal, issue] of wanted.entries()) {
    const at = left.findIndex(([, rule, , , pointer]) => rule === issue.rule && pointer === issue.pointer);
    const [found] = at === -1 ? [] : left.splice(at, 1);
    if (!found) begun.push([ordinal, issue]);
    else if (found[0] !== ordinal || found[2] !== issue.severity || found[3] !== issue.category)
      moved.push([found[0], ordinal, issue]);
  }
  return { ended: left.map(([ordinal]) => ordinal), moved, begun };
}

const count = `INSERT INTO finding_end (ended, since, rule, type, findings)
  SELECT $1::integer, i.since, i.rule, r.type, count(*) FROM issue i JOIN record r ON r.pk = i.record
  WHERE i.record = $2::bigint AND i.ordinal = ANY ($3::integer[]) AND i.since < $1::integer
  GROUP BY i.since, i.rule, r.type
  ON CONFLICT (ended, since, rule, type) DO UPDATE SET findings = finding_end.findings + excluded.findings`;

// Out of the way first: a number may be another's until the statement ends.
const lift = 'UPDATE issue SET ordinal = -1 - ordinal WHERE record = $1 AND ordinal = ANY ($2::integer[])';

const settle = `UPDATE issue i SET ordinal = w.ordinal, severity = w.severity, category = w.category
  FROM unnest($2::integer[], $3::integer[], $4::text[], $5::text[]) w(was, ordinal, severity, category)
  WHERE i.record = $1 AND i.ordinal = -1 - w.was`;

const begin = `INSERT INTO issue (record, ordinal, rule, severity, category, pointer, since)
  SELECT $1::bigint, w.*, $7::integer FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::text[]) w`;

const dropEnded = `DELETE FROM finding_state s WHERE s.record = $1 AND NOT EXISTS (
  SELECT 1 FROM issue i WHERE i.record = s.record AND i.rule = s.rule AND i.pointer = s.pointer)`;

/**
 * Turns the issues of a record that stand, as JSON, into those that are wanted; findings begin and end on the day. Belongs
 * into the transaction in which they were read.
 */
export async function mendIssues(
  session: Session,
  record: number,
  standing: string,
  { wanted, day }: { readonly wanted: readonly IssueRow[]; readonly day: number },
): Promise<void> {
  const { ended, moved, begun } = turnOf(JSON.parse(standing) as Standing[], wanted);
  if (ended.length > 0) {
    await session.rows({ text: count, values: [day, record, ended] });
    const text = 'DELETE FROM issue WHERE record = $1 AND ordinal = ANY ($2::integer[])';
    await session.rows({ text, values: [record, ended] });
    await session.rows({ text: dropEnded, values: [record] });
  }
  if (moved.length > 0) {
    const [from, to] = [moved.map(([was]) => was), moved.map(([, now]) => now)];
    const [, severities = [], categories = []] = issueLists(moved.map(([, , issue]) => issue));
    await session.rows({ text: lift, values: [record, from] });
    await session.rows({ text: settle, values: [record, from, to, severities, categories] });
  }
  if (begun.length > 0) {
    const ordinals = begun.map(([ordinal]) => ordinal);
    const values = [record, ordinals, ...issueLists(begun.map(([, issue]) => issue)), day];
    await session.rows({ text: begin, values });
  }
}
