import { parseAddress } from '../../../core/api/address.ts';
import type {
  AuditAction,
  AuditActions,
  AuditEntry,
  AuditFilter,
  AuditPage,
  AuditVerdict,
} from '../../../core/app/audit.ts';
import type { AuditLog } from '../audit.ts';
import { ChainReader, type SealedRow, type SealKey } from '../audit-chain.ts';
import { AuditQueue } from '../audit-queue.ts';
import { conditionsOf, entryIn, type NewAuditEntry } from '../audit-rows.ts';
import { checksumOf } from '../checksum.ts';
import { every, limited, line, sql } from '../sql.ts';
import type { Value } from '../statements.ts';
import { beginningOf, entryColumns } from './chain.ts';
import { numbered, type Postgres, type Statement } from './connection.ts';
import { setBySet } from './dialect.ts';
import { listsOf } from './version-rows.ts';
import type { Writes } from './writes.ts';

/** Entries that are read at once. */
const slice = 5000;

/**
 * The audit trail of all servers. Each has a chain; an entry's `seq` here is its place among all, which rises and may leave
 * gaps: what is gap-free is each chain's own number, which is what is sealed.
 */
export class PostgresAudit implements AuditLog {
  private readonly database: Postgres;
  private readonly key: SealKey | undefined;
  private readonly queue: AuditQueue;

  constructor(database: Postgres, writes: Writes, key?: SealKey) {
    this.database = database;
    this.key = key;
    this.queue = new AuditQueue((entries) =>
      writes.add(async ({ note }) => {
        for (const entry of entries) note(entry);
      }),
    );
  }

  note(entry: NewAuditEntry): void {
    this.queue.note(entry);
  }

  flush(): Promise<void> {
    return this.queue.flush();
  }

  async page(filter: AuditFilter, before: number | undefined, limit: number): Promise<AuditPage> {
    await this.flush();
    const place = before === undefined ? [] : [sql('place < ?', before)];
    const conditions = every([...place, ...conditionsOf(filter, setBySet)]);
    const found = await this.entries(
      numbered(
        line(
          `SELECT place, ${entryColumns} FROM audit WHERE`,
          conditions,
          `ORDER BY place DESC ${limited(limit + 1)}`,
        ),
      ),
    );
    const entries = found.slice(0, limit);
    const last = found.length > limit ? entries.at(-1) : undefined;
    return { entries, ...(last && { next: last.seq }) };
  }

  async actions(filter: AuditFilter): Promise<AuditActions> {
    await this.flush();
    const conditions = every(conditionsOf(filter, setBySet));
    const rows = await this.database.rows(
      numbered(line('SELECT action, count(*) FROM audit WHERE', conditions, 'GROUP BY action')),
    );
    return {
      actions: rows.map(([action, entries]) => ({
        ...{ action: String(action) as AuditAction, entries: Number(entries) },
      })),
    };
  }

  async *all(): AsyncGenerator<readonly AuditEntry[]> {
    await this.flush();
    const text = `SELECT place, ${entryColumns} FROM audit WHERE place > $1::bigint ORDER BY place LIMIT ${slice}`;
    for (let after = 0; ;) {
      const entries = await this.entries({ text, values: [after] });
      const last = entries.at(-1);
      if (!last) return;
      yield entries;
      after = last.seq;
    }
  }

  async verify(): Promise<AuditVerdict> {
    await this.flush();
    const nodes = await this.database.rows({ text: 'SELECT node FROM node ORDER BY node', values: [] });
    let entries = 0;
    let broken: AuditVerdict['broken'];
    for (const [node] of nodes) {
      const verdict = await this.verifyChain(Number(node));
      entries += verdict.entries;
      broken ??= verdict.broken;
    }
    broken ??= await this.missed();
    return { entries, ...(broken && { broken }) };
  }

  private async verifyChain(node: number): Promise<AuditVerdict> {
    const chain = new ChainReader(this.key);
    const text = `SELECT ${entryColumns} FROM audit WHERE node = $1 AND seq > $2::bigint ORDER BY seq LIMIT ${slice}`;
    for (let after = 0; ;) {
      const rows = (await this.database.rows({ text, values: [node, after] })) as unknown as SealedRow[];
      const last = rows.at(-1);
      if (!last || !chain.take(rows)) break;
      after = last[0];
    }
    const { entries, broken, doubts } = chain.verdict();
    const first = broken ?? doubts[0] ?? (await this.lost(node, entries));
    if (!first) return { entries };
    return { entries, broken: { seq: first.seq, reason: `in the chain of server ${node}, ${first.reason}` } };
  }

  /** Where a chain ends before its server's row says that it does. */
  private async lost(node: number, entries: number): Promise<AuditVerdict['broken']> {
    const text = 'SELECT seq FROM node WHERE node = $1';
    const [[seq = 0] = []] = await this.database.rows({ text, values: [node] });
    return Number(seq) > entries ? { seq: entries + 1, reason: 'it is missing' } : undefined;
  }

  /** An entry that a day's seal names, and that is there no more, or is another. */
  private async missed(): Promise<AuditVerdict['broken']> {
    const days = await this.database.rows({
      text: "SELECT what FROM audit WHERE action = 'seal' AND what ~ '^[0-9]+:[0-9]+:' ORDER BY place",
      values: [],
    });
    const heads = days.flatMap(([what]) =>
      String(what)
        .split(' ')
        .map((head) => head.split(':')),
    );
    const text = 'SELECT seal FROM audit WHERE node = $1::integer AND seq = $2::bigint';
    for (const [node = '', seq = '', seal = ''] of heads) {
      const [[found] = []] = await this.database.rows({ text, values: [node, seq] });
      if (beginningOf(found) !== seal)
        return {
          seq: Number(seq),
          reason: `in the chain of server ${node}, it is not the one that was sealed`,
        };
    }
    return undefined;
  }

  private async entries(statement: Statement): Promise<AuditEntry[]> {
    const rows = await this.database.rows(statement);
    const reasons = await this.reasons(rows.filter((row) => row[12] !== null));
    return rows.map((row) => entryOf(row, reasons.get(Number(row[0]))));
  }

  /** The reasons of entries by their places, as the versions have them: they leave with an erased record. */
  private async reasons(rows: readonly Value[][]): Promise<Map<number, string>> {
    if (rows.length === 0) return new Map();
    const named = rows.map((row) => {
      const { type = '', id = '' } = parseAddress(String(row[5])) ?? {};
      return [row[0] ?? null, type, id, row[7] ?? null];
    });
    const text = `SELECT w.place, v.reason FROM
      unnest($1::bigint[], $2::text[], $3::text[], $4::integer[]) w(place, type, id, version)
      JOIN record r ON r.type = w.type AND r.id = w.id
      JOIN version v ON v.record = r.pk AND v.version = w.version WHERE v.reason IS NOT NULL`;
    const found = await this.database.rows({ text, values: listsOf(named, 4) });
    const sums = new Map(rows.map((row) => [row[0], row[12]]));
    return new Map(
      found.flatMap(([place, reason]) => {
        const sum = sums.get(place ?? null);
        const same = Buffer.isBuffer(sum) && checksumOf(String(reason)).equals(sum);
        return same ? [[Number(place), String(reason)] as const] : [];
      }),
    );
  }
}

/** A row `[place, ...columns of an entry]`: the place among all stands for the number in the chain. */
function entryOf([place, , ...cells]: readonly Value[], reason: string | undefined): AuditEntry {
  return entryIn([Number(place), ...cells] as unknown as SealedRow, reason);
}
