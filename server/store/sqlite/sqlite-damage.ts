import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import { checksumOf, isIntact, quickSumOf, textColumns, type VersionName } from '../checksum.ts';
import { verifyTexts, type MendableDamage, type ReadText } from '../damage.ts';
import { isOfType } from '../sql.ts';
import { prepare, preparePluck, prepareRaw, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { WriteQueue } from './write-queue.ts';

type TextRow = readonly [
  ...[pk: number, type: ResourceType, id: string, version: number],
  ...[body: unknown, sha256: unknown],
];

interface StateRow {
  readonly body: unknown;
  readonly sha256: unknown;
  readonly isCurrent: number;
}

export function sqliteDamage(
  getDependencies: () => DamageDependencies,
): MendableDamage & { readonly notice: (name: VersionName) => void } {
  let listener: (name: VersionName) => void = () => undefined;

  /** Reports a text that fails its checksum. */
  const notice = (name: VersionName): void => listener(name);

  function* listTextsAfter(afterKey: number): Iterable<ReadText> {
    for (const [pk, type, id, version, body, sha256] of getDependencies().texts.behind.iterate(afterKey))
      yield [pk, { type, id, version }, isIntact(body, sha256)];
  }

  return {
    notice,

    async lastPlace() {
      return getDependencies().texts.last.get() ?? 0;
    },

    async look(after, milliseconds) {
      return verifyTexts(listTextsAfter(after), after, milliseconds, notice);
    },

    async statesOf(names) {
      return names.map(({ type, id, version }) => {
        const row = getDependencies().texts.state[type].get(id, version);
        if (!row || isIntact(row.body, row.sha256)) return undefined;
        return row.isCurrent === 1 ? 'current' : 'older';
      });
    },

    async putBack({ type, id, version }, text) {
      const { texts, writes } = getDependencies();
      const sums = [quickSumOf(text), checksumOf(text)];
      const { changes } = await writes.add(() => texts.putBack[type].run(text, ...sums, version, id));
      return changes > 0;
    },

    onNoticed(newListener) {
      listener = newListener;
    },
  };
}

/** Objects of the current connection. */
interface DamageDependencies {
  readonly texts: ReturnType<typeof damageTexts>;
  readonly writes: WriteQueue;
}

/** Prepares the statements on one connection. */
export function damageTexts(database: SqliteDatabase) {
  return {
    last: preparePluck<number>(database, 'SELECT max(pk) FROM version'),
    behind: prepareRaw<TextRow>(
      database,
      `SELECT pk, type, id, version, ${textColumns()} FROM version WHERE pk > ? ORDER BY pk`,
    ),
    state: perType((type) =>
      prepare<StateRow>(
        database,
        `SELECT ${textColumns('v')}, r.current = v.pk AS isCurrent FROM record r
         JOIN version v ON v.record = r.pk WHERE ${isOfType('r', type)} AND r.id = ? AND v.version = ?`,
      ),
    ),
    putBack: perType((type) =>
      prepare(
        database,
        `UPDATE version SET body = ?, crc32 = ? WHERE sha256 = ? AND version = ?
         AND record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?)`,
      ),
    ),
  };
}
