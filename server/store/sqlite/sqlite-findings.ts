import type { FindingKey, StatesChanged } from '../../../core/app/findings.ts';
import type { CheckCount, FindingChange, FindingGroups } from '../../../core/app/measures.ts';
import type { Grouping } from '../../../core/app/quality.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Questioner } from './asking.ts';
import { sayOfFindings, type Writing } from '../finding-states.ts';
import type { FindingStore, MeasuredDay } from '../finding-store.ts';
import { findingGroupOf } from '../issue-sql.ts';
import { compareDays, readMeasures, writeMeasures } from '../measures.ts';
import type { IssueQuery, WholeCount } from '../issue-query.ts';
import { issuePlace } from '../places.ts';
import type { Parts } from './sqlite-parts.ts';

/** What is kept of findings beside their rows; what looks at all rows is asked of the threads that read. */
export class SqliteFindings implements FindingStore {
  private readonly state: () => readonly [Parts, Pick<Questioner, 'ask' | 'changed'>];

  constructor(state: () => readonly [Parts, Pick<Questioner, 'ask' | 'changed'>]) {
    this.state = state;
  }

  private parts(): Parts {
    return this.state()[0];
  }

  private questions(): Pick<Questioner, 'ask' | 'changed'> {
    return this.state()[1];
  }

  async keys(query: IssueQuery, after: string | undefined, limit: number) {
    const rows = await this.questions().ask('issues', { query, after, limit });
    const keys = rows.map((row): FindingKey => ({
      ...{ type: String(row[2]) as ResourceType, id: String(row[3]) },
      ...{ rule: String(row[7]), pointer: String(row[10]) },
    }));
    const last = rows.length < limit ? undefined : rows.at(-1);
    return { keys, next: last && issuePlace(last[0], last[1]) };
  }

  async say(keys: readonly FindingKey[], writing: Writing): Promise<StatesChanged> {
    const changed = await sayOfFindings(this.parts(), keys, writing);
    this.parts().quality.forget();
    this.questions().changed(true);
    return changed;
  }

  async groups(
    query: IssueQuery,
    by: Grouping,
    limit: number,
    sized = true,
  ): Promise<FindingGroups['groups']> {
    const rows = await this.questions().ask('issueGroups', { query, by, limit, sized });
    return rows.map(findingGroupOf);
  }

  async write(day: number, counts: readonly CheckCount[]): Promise<void> {
    const { database, writes } = this.parts();
    await writes.add(() => writeMeasures(database, day, counts));
  }

  async read(from: number, to: number): Promise<readonly MeasuredDay[]> {
    return readMeasures(this.parts().database, from, to);
  }

  wholes(day: string): Promise<readonly WholeCount[]> {
    return this.questions().ask('wholes', day);
  }

  async compare(from: number, to: number, today: string): Promise<readonly FindingChange[]> {
    const standing = await this.questions().ask('standing', today);
    return compareDays(this.parts().database, standing, from, to);
  }
}
