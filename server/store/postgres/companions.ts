/**
 * Companions in PostgreSQL. Whoever changes them holds the one row of `companion_stamp` until the commit: their places rise
 * in the order of commits, and no two servers keep the same at once. The change is told to all servers with its commit.
 */
import type { NamedResource, ReadCompanion } from '../../../core/fhir/companion.ts';
import { checksumOf } from '../checksum.ts';
import {
  fateAmong,
  idsNaming,
  isChange,
  keptEntry,
  lookedUp,
  removedAtOnce,
  removedEntry,
  removeInSteps,
  type CompanionFate,
  type CompanionLookups,
  type CompanionRow,
  type CompanionStore,
} from '../companions.ts';
import type { Doer } from '../doer.ts';
import type { Value } from '../sql.ts';
import { codeOf, StoreBusyError } from '../store-error.ts';
import { causeOf, erasedCode } from './faults.ts';
import type { DatabaseClock } from './clock.ts';
import { withoutZero, type Given, type Session } from './connection.ts';
import { indexed } from './dialect.ts';
import { channels, type Signals } from './signals.ts';
import { textColumns } from './texts.ts';
import { listsOf } from './version-rows.ts';
import type { Writes, Writing } from './writes.ts';

const found = (condition: string) =>
  `SELECT v.type, v.id, v.full_url, ${textColumns} FROM companion v WHERE ${condition}`;

const namedText = found('v.type = $1 AND v.id = $2');
const atText = found(
  `left(v.full_url, ${indexed}) = left($1, ${indexed}) AND v.full_url = $1 ORDER BY v.place DESC LIMIT 1`,
);
const ofIdText = found('v.id IN ($1, $2) LIMIT 2');

const keepText = `WITH c AS (
    INSERT INTO companion (place, type, id, full_url, sha256, body) VALUES ($1::bigint, $2, $3, $4, $5, $6)
    ON CONFLICT (type, id) DO UPDATE
      SET place = excluded.place, full_url = excluded.full_url, sha256 = excluded.sha256, body = excluded.body
    RETURNING pk),
  gone AS (DELETE FROM companion_subject s USING c WHERE s.companion = c.pk),
  about AS (INSERT INTO companion_subject (companion, id, type)
    SELECT c.pk, w.* FROM c, unnest($7::text[], $8::text[]) w)
  SELECT 1 FROM c`;

const removeText = (
  condition: string,
) => `WITH gone AS (DELETE FROM companion WHERE ${condition} RETURNING pk, type, id),
  about AS (DELETE FROM companion_subject s USING gone WHERE s.companion = gone.pk)
  SELECT type, id FROM gone`;

const removeAllText = removeText(`pk IN (SELECT pk FROM companion LIMIT ${removedAtOnce})`);
const removeTypeText = removeText(`pk IN (SELECT pk FROM companion WHERE type = $1 LIMIT ${removedAtOnce})`);
const eraseText = removeText(`type = $1 AND id = $2 OR pk IN (SELECT s.companion
  FROM unnest($3::text[]) w(id) JOIN companion_subject s ON left(s.id, ${indexed}) = left(w.id, ${indexed})
    AND s.id = w.id AND coalesce(s.type, $1) = $1)`);

const nextText = `WITH s AS (UPDATE companion_stamp SET stamp = stamp + 1 RETURNING stamp)
  SELECT stamp, pg_notify('${channels.companions}', '') FROM s`;

export function postgresCompanions(
  database: Session,
  writes: Writes,
  signals: Pick<Signals, 'on'>,
  clock: Pick<DatabaseClock, 'now'>,
): CompanionStore {
  const lookups = lookupsIn(database);
  const { changed, ...found } = lookedUp(lookups);
  signals.on('companions', changed);
  return {
    ...found,

    async keep(given, doer) {
      const companion = asKept(given);
      const fate = await writes.add((writing) => keep(writing, companion, doer, clock.now())).catch(asErased);
      if (isChange(fate)) changed();
      return fate;
    },

    async fateOf(companion) {
      return fateAmong(lookups, asKept(companion));
    },

    async stamp() {
      const [[stamp] = []] = await database.rows({ text: 'SELECT stamp FROM companion_stamp' });
      return String(stamp);
    },

    async counts() {
      const text = 'SELECT type, count(*) FROM companion GROUP BY type ORDER BY type';
      const rows = await database.rows({ text });
      return rows.map(([type, count]) => ({ type: String(type), count: Number(count) }));
    },

    async names(type, after, limit) {
      const text = 'SELECT type, id FROM companion WHERE type = $1 AND id > $2 ORDER BY id LIMIT $3::integer';
      return (await database.rows({ text, values: [type, after, limit] })).map(nameOf);
    },

    async remove(type, doer) {
      const [text, values] = type === undefined ? [removeAllText, []] : [removeTypeText, [type]];
      const removed = await removeInSteps(() =>
        writes.add(async ({ session, note }) => {
          const { length } = await removeCompanions(session, text, values);
          if (length < removedAtOnce) note({ ...removedEntry(type, doer), time: clock.now() });
          return length;
        }),
      );
      changed();
      return removed;
    },
  };
}

function lookupsIn(database: Session): CompanionLookups {
  const rows = async (text: string, ...values: string[]) =>
    (await database.rows({ text, values })).map(rowOf);
  return {
    named: async ({ type, id }) => (await rows(namedText, type, id))[0],
    at: async (fullUrl) => (await rows(atText, fullUrl))[0],
    ofId: (...ids) => rows(ofIdText, ...ids),
  };
}

function rowOf([type, id, fullUrl, body, sha256]: readonly Value[]): CompanionRow {
  return {
    ...{ type: String(type), id: String(id), fullUrl: typeof fullUrl === 'string' ? fullUrl : null },
    ...{ body: Buffer.from(String(body)), sha256 },
  };
}

/** What is compared is what comes back. */
function asKept({ fullUrl, ...companion }: ReadCompanion): ReadCompanion {
  return { ...companion, ...(fullUrl !== undefined && { fullUrl: withoutZero(fullUrl) }) };
}

async function keep(
  { session, note }: Writing,
  companion: ReadCompanion,
  doer: Doer,
  time: number,
): Promise<CompanionFate> {
  const lookups = lookupsIn(session);
  // What changes nothing waits for nobody.
  const unlocked = await fateAmong(lookups, companion);
  if (!isChange(unlocked)) return unlocked;
  const place = await nextPlace(session);
  // Another server may have kept one of another source meanwhile.
  const fate = await fateAmong(lookups, companion);
  if (!isChange(fate)) return fate;
  const { type, id, fullUrl = null, text, subjects } = companion;
  const about = subjects.map((one) => [one.id, one.type ?? null]);
  const values = [place, type, id, fullUrl, checksumOf(text), text, ...listsOf(about, 2)];
  await session.rows({ text: keepText, values });
  note({ ...keptEntry(fate, companion, doer), time });
  return fate;
}

/** Has all others wait who change companions, and tells them with the commit; answers a place behind all others. */
async function nextPlace(session: Session): Promise<number> {
  const [[place] = []] = await session.rows({ text: nextText });
  return Number(place);
}

async function removeCompanions(
  session: Session,
  text: string,
  values: readonly Given[],
): Promise<readonly NamedResource[]> {
  await session.rows({ text: 'SELECT stamp FROM companion_stamp FOR UPDATE' });
  const gone = (await session.rows({ text, values })).map(nameOf);
  if (gone.length > 0) await nextPlace(session);
  return gone;
}

function nameOf([type, id]: readonly Value[]): NamedResource {
  return { type: String(type), id: String(id) };
}

/**
 * Removes a companion and those that are about it, by its id and by the address that it came with; answers their names.
 * Belongs into a transaction of the caller's.
 */
export async function eraseCompanion(
  session: Session,
  { type, id }: NamedResource,
): Promise<readonly NamedResource[]> {
  const row = await lookupsIn(session).named({ type, id });
  const ids = idsNaming({ type, id }, typeof row?.fullUrl === 'string' ? [row.fullUrl] : []);
  const gone = await removeCompanions(session, eraseText, [type, id, ids]);
  const about = gone.filter((one) => one.type !== type || one.id !== id);
  return gone.length === 0 ? [] : [{ type, id }, ...about];
}

/** It was erased at another server, and is on no list here yet: asked again, it is refused with the reason. */
function asErased(error: unknown): never {
  if (codeOf(causeOf(error)) !== erasedCode) throw error;
  throw new StoreBusyError('It was erased a moment ago.', erasedCode, error);
}
