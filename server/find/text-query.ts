import { textKinds, type TextKind } from '../../core/derive/findable.ts';
import { wordsOf } from '../../core/derive/words.ts';
import type { FindAnswer, FoundPatient, FoundRecord } from '../../core/app/find.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { preparePluck, type SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { typeNumber, typeWord } from './text-writer.ts';

export interface FindQuestion {
  readonly text: string;
  /** Of each group. */
  readonly limit: number;
}

/** Texts of one rank that are followed to their records: more hold too many records to tell them apart by a list. */
const mostTexts = 300;

/** Records of one text in which other patients are looked for. */
const mostOfName = 200;

/** Letters up to which the index holds beginnings of words: a longer one is gathered from all records at once. */
const kept = 3;

/** Records that begin alike and are read, before the index gathers those that begin as asked: these are few then. */
const mostLooked = 500;

/** Characters with which an id is known by its beginning. */
const shortestId = 4;

const beyond = '\u{10ffff}';

/** SQL: whether a text is of one of some kinds. Of a single one an index of its own may tell. */
function isKind(kinds: readonly TextKind[]): string {
  const numbers = kinds.map((kind) => textKinds.indexOf(kind));
  return numbers.length === 1 ? `kind = ${numbers[0]}` : `kind IN (${numbers.join(', ')})`;
}

/** What is asked: its words, and the id that it may be, or the beginning of one. */
function readQuestion(text: string) {
  const bare = text.trim();
  const target = /\s/.test(bare) ? undefined : parseReference(bare);
  return { words: wordsOf(bare), id: target?.id.toLowerCase() ?? '' };
}

type Question = ReturnType<typeof readQuestion>;

/** Answers questions from the index. Best first: whole id, identifier or code; beginning of a name; words; letters; all words. */
export function textQuery(index: SqliteDatabase) {
  const list = (sql: string) => preparePluck<number>(index, sql);
  const ids = list(
    `SELECT pk FROM (SELECT pk FROM doc WHERE type = ? AND lower(id) >= ? AND lower(id) < ? LIMIT ${mostTexts})
     ORDER BY pk DESC LIMIT ?`,
  );
  const postings = list('SELECT doc FROM posting WHERE text = ? AND type = ? ORDER BY doc DESC LIMIT ?');
  const ofWords = list('SELECT rowid FROM everything WHERE everything MATCH ? ORDER BY rowid DESC LIMIT ?');
  const candidates = index.prepare<unknown[], { pk: number; words: string }>(
    'SELECT rowid AS pk, words FROM everything WHERE everything MATCH ? ORDER BY rowid DESC',
  );
  const doc = index.prepare<unknown[], Omit<FoundRecord, 'patient'> & { subject: string; name: string }>(
    'SELECT id, title, status, date, "end", subject, name FROM doc WHERE pk = ?',
  );
  const subjects = preparePluck<string>(
    index,
    `SELECT DISTINCT subject FROM doc WHERE subject <> '' AND lower(subject) >= ? AND lower(subject) < ? LIMIT ?`,
  );
  const nameOf = preparePluck<string>(
    index,
    "SELECT name FROM doc WHERE subject = ? AND name <> '' ORDER BY pk DESC LIMIT 1",
  );
  const countOf = list('SELECT count(*) FROM doc WHERE lower(subject) = ? AND subject = ?');

  /** The texts of a rank, of some kinds. */
  function textsBy(kinds: readonly TextKind[]) {
    const among = isKind(kinds);
    const named = isKind(kinds.filter((kind) => kind !== 'display'));
    const whole = isKind(kinds.filter((kind) => kind === 'identifier' || kind === 'code'));
    /** The newest texts that match: names of patients, which stand below zero, and others. */
    const matching = (table: string) => {
      const found = (rows: string) =>
        list(
          `SELECT text.pk FROM ${table} JOIN text ON text.pk = ${table}.rowid
           WHERE ${table} MATCH ? AND ${among} AND ${table}.rowid ${rows} LIMIT ${mostTexts}`,
        );
      const ways = [
        ...(kinds.includes('patient') ? [found(`< 0 ORDER BY ${table}.rowid`)] : []),
        ...(kinds.every((kind) => kind === 'patient') ? [] : [found(`>= 0 ORDER BY ${table}.rowid DESC`)]),
      ];
      return { all: (asked: string) => ways.flatMap((way) => way.all(asked)) };
    };
    const same = list(`SELECT pk FROM text WHERE words = ? AND ${whole}`);
    const begins = list(`SELECT pk FROM text WHERE words >= ? AND words < ? AND ${named} LIMIT ${mostTexts}`);
    const starts = matching('starts');
    const within = matching('within');
    const wordsOfText = index.prepare<unknown[], string>('SELECT words FROM text WHERE pk = ?').pluck();
    return {
      same: ({ words }: Question) => same.all(words.join(' ')),
      begins: ({ words }: Question) => begins.all(words.join(' '), words.join(' ') + beyond),
      starts: ({ words }: Question) => starts.all(beginningWith(words)),
      within: ({ words }: Question) => {
        const long = words.filter((word) => Array.from(word).length >= 3);
        if (long.length === 0) return [];
        const found = within.all(long.map((word) => `"${word}"`).join(' AND '));
        if (long.length === words.length) return found;
        // Fewer letters than three begin a word.
        const short = words.filter((word) => !long.includes(word));
        return found.filter((text) => {
          const held = ` ${wordsOfText.get(text) ?? ''}`;
          return short.every((word) => held.includes(` ${word}`));
        });
      },
    };
  }

  const ofAll = textsBy(textKinds.filter((kind) => kind !== 'code'));
  const ofCodes = textsBy(['identifier', 'code']);
  const ofPatients = textsBy(['patient']);

  function newest(texts: readonly number[], type: ResourceType, limit: number): number[] {
    const found = texts.flatMap((text) => postings.all(text, typeNumber(type), limit));
    return [...new Set(found)].toSorted((one, other) => other - one).slice(0, limit);
  }

  function byId(type: ResourceType, id: string, limit: number): number[] {
    return ids.all(type, id, id.length < shortestId ? `${id}\0` : id + beyond, limit);
  }

  /** The records whose words begin with those asked. */
  function byWords(type: ResourceType, words: readonly string[], limit: number): number[] {
    const match = (asked: readonly string[]) => `"${typeWord(type)}" AND ${beginningWith(asked)}`;
    const short = words.map((word) => Array.from(word).slice(0, kept).join(''));
    const found: number[] = [];
    let looked = 0;
    for (const { pk, words: held } of candidates.iterate(match(short))) {
      if (words.every((word) => held.includes(` ${word}`))) found.push(pk);
      looked += 1;
      if (found.length >= limit) return found;
      if (looked >= mostLooked) return ofWords.all(match(words), limit);
    }
    return found;
  }

  function recordsOf(type: ResourceType, asked: Question, ranks: Ranks, limit: number): FoundRecord[] {
    const { id, words } = asked;
    const found = new Set<number>();
    const tiers = [
      () => (id === '' ? [] : ids.all(type, id, `${id}\0`, limit)),
      () => newest(ranks.same(), type, limit),
      () => (id === '' ? [] : byId(type, id, limit)),
      () => newest(ranks.begins(), type, limit),
      () => newest(ranks.starts(), type, limit),
      () => newest(ranks.within(), type, limit),
      () => byWords(type, words, limit + found.size),
    ];
    for (const tier of words.length > 0 ? tiers : [...tiers.slice(0, 1), ...tiers.slice(2, 3)]) {
      if (found.size >= limit) break;
      for (const pk of tier()) if (found.size < limit) found.add(pk);
    }
    return [...found].flatMap((pk) => {
      const row = doc.get(pk);
      if (!row) return [];
      const { subject, name, ...shown } = row;
      return [{ ...shown, patient: { id: subject, name: name || (nameOf.get(subject) ?? '') } }];
    });
  }

  function patientsOf(asked: Question, limit: number): FoundPatient[] {
    const { id, words } = asked;
    const found = new Set<string>();
    function* named(texts: readonly number[]): Iterable<string> {
      for (const text of texts) {
        const held = resourceTypes.flatMap((type) => postings.all(text, typeNumber(type), mostOfName));
        for (const pk of held.toSorted((one, other) => other - one)) yield doc.get(pk)?.subject ?? '';
      }
    }
    const tiers: readonly (() => Iterable<string>)[] = [
      () => (id === '' ? [] : subjects.all(id, `${id}\0`, limit)),
      () => (id.length < shortestId ? [] : subjects.all(id, id + beyond, limit)),
      ...[ofPatients.begins, ofPatients.starts, ofPatients.within].map(
        (rank) => () => (words.length === 0 ? [] : named(rank(asked))),
      ),
    ];
    for (const tier of tiers) {
      if (found.size >= limit) break;
      for (const subject of tier()) {
        if (subject !== '') found.add(subject);
        if (found.size >= limit) break;
      }
    }
    return [...found].map((subject) => ({
      id: subject,
      name: nameOf.get(subject) ?? '',
      records: countOf.get(subject.toLowerCase(), subject) ?? 0,
    }));
  }

  return ({ text, limit }: FindQuestion): Omit<FindAnswer, 'behind'> => {
    const asked = readQuestion(text);
    if (asked.words.length === 0 && asked.id === '') return { patients: [], records: [] };
    const ranks: Ranks = {
      same: once(() => ofCodes.same(asked)),
      begins: once(() => ofAll.begins(asked)),
      starts: once(() => ofAll.starts(asked)),
      within: once(() => ofAll.within(asked)),
    };
    const records = resourceTypes.map((type) => ({ type, found: recordsOf(type, asked, ranks, limit) }));
    return {
      patients: patientsOf(asked, limit),
      records: records.filter(({ found }) => found.length > 0),
    };
  };
}

/** What each type needs, looked up for the first that does. */
type Ranks = Readonly<Record<'same' | 'begins' | 'starts' | 'within', () => readonly number[]>>;

function once(look: () => readonly number[]): () => readonly number[] {
  let found: readonly number[] | undefined;
  return () => (found ??= look());
}

function beginningWith(words: readonly string[]): string {
  return words.map((word) => `"${word}"*`).join(' AND ');
}
