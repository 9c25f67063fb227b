import { textKinds, type TextKind } from '../../core/derive/findable.ts';
import { wordsOf } from '../../core/derive/words.ts';
import type { FindAnswer, PatientMatch, RecordMatch } from '../../core/app/find.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { preparePluck, type SqliteDatabase } from '../sqlite/sqlite.ts';
import { typeNumber, typeWord } from './text-writer.ts';

export interface FindQuery {
  readonly text: string;
  /** Maximum number of results per group. */
  readonly limit: number;
}

/** Maximum number of texts per rank. More texts have too many records. */
const maxTexts = 300;

/** Maximum number of records of one text in which patients are searched. */
const maxRecordsPerName = 200;

/** Length of the word prefixes in the index. A longer prefix is collected from all records. */
const prefixLength = 3;

/**
 * Maximum number of candidates with an equal prefix that are read one by one. With more candidates, the full prefix is
 * collected from the index.
 */
const maxCandidates = 500;

/** Minimum length of an id prefix. */
const minIdPrefixLength = 4;

const lastCharacter = '\u{10ffff}';

/** SQL condition that a text is of one of some kinds. A partial index may cover a single kind. */
function isKind(kinds: readonly TextKind[]): string {
  const numbers = kinds.map((kind) => textKinds.indexOf(kind));
  return numbers.length === 1 ? `kind = ${numbers[0]}` : `kind IN (${numbers.join(', ')})`;
}

/** Parses a query into words and an id or id prefix. */
function parseQuery(text: string) {
  const bare = text.trim();
  const target = /\s/.test(bare) ? undefined : parseReference(bare);
  return { words: wordsOf(bare), id: target?.id.toLowerCase() ?? '' };
}

type ParsedQuery = ReturnType<typeof parseQuery>;

/**
 * Creates the query function of an index. Ranks, best first: full id, identifier or code; start of a name; words;
 * letters; all words.
 */
export function textQuery(index: SqliteDatabase) {
  const list = (sql: string) => preparePluck<number>(index, sql);
  const listById = list(
    `SELECT pk FROM (SELECT pk FROM doc WHERE type = ? AND lower(id) >= ? AND lower(id) < ? LIMIT ${maxTexts})
     ORDER BY pk DESC LIMIT ?`,
  );
  const listPostings = list('SELECT doc FROM posting WHERE text = ? AND type = ? ORDER BY doc DESC LIMIT ?');
  const listByWords = list(
    'SELECT rowid FROM everything WHERE everything MATCH ? ORDER BY rowid DESC LIMIT ?',
  );
  const candidates = index.prepare<unknown[], { pk: number; words: string }>(
    'SELECT rowid AS pk, words FROM everything WHERE everything MATCH ? ORDER BY rowid DESC',
  );
  const findDoc = index.prepare<
    unknown[],
    Omit<RecordMatch, 'patient'> & { subject: string; name: string; source: string }
  >('SELECT id, title, status, date, "end", subject, name, source FROM doc WHERE pk = ?');
  const listPeople = list('SELECT rowid FROM people WHERE people MATCH ? ORDER BY rowid DESC LIMIT ?');
  const findPerson = index.prepare<unknown[], { id: string; name: string }>(
    'SELECT id, name FROM person WHERE pk = ?',
  );
  const personNames = preparePluck<string>(
    index,
    "SELECT DISTINCT name FROM person WHERE id = ? AND source = ? AND name <> '' LIMIT 2",
  );
  const allPersonNames = preparePluck<string>(
    index,
    "SELECT DISTINCT name FROM person WHERE id = ? AND name <> '' LIMIT 2",
  );
  const listSubjects = preparePluck<string>(
    index,
    `SELECT DISTINCT subject FROM doc WHERE subject <> '' AND lower(subject) >= ? AND lower(subject) < ? LIMIT ?`,
  );
  const nameOf = preparePluck<string>(
    index,
    "SELECT name FROM doc WHERE subject = ? AND name <> '' ORDER BY pk DESC LIMIT 1",
  );
  const countOf = list('SELECT count(*) FROM doc WHERE lower(subject) = ? AND subject = ?');

  /** Creates the queries for texts of some kinds, by rank. */
  function textsBy(kinds: readonly TextKind[]) {
    const isOfKinds = isKind(kinds);
    const isNamed = isKind(kinds.filter((kind) => kind !== 'display'));
    const isExact = isKind(kinds.filter((kind) => kind === 'identifier' || kind === 'code'));
    /** Creates a query for the latest matching texts: names of patients, which have negative keys, and other texts. */
    const matching = (table: string) => {
      const prepareQuery = (rows: string) =>
        list(
          `SELECT text.pk FROM ${table} JOIN text ON text.pk = ${table}.rowid
           WHERE ${table} MATCH ? AND ${isOfKinds} AND ${table}.rowid ${rows} LIMIT ${maxTexts}`,
        );
      const queries = [
        ...(kinds.includes('patient') ? [prepareQuery(`< 0 ORDER BY ${table}.rowid`)] : []),
        ...(kinds.every((kind) => kind === 'patient')
          ? []
          : [prepareQuery(`>= 0 ORDER BY ${table}.rowid DESC`)]),
      ];
      return { all: (pattern: string) => queries.flatMap((query) => query.all(pattern)) };
    };
    const listEqual = list(`SELECT pk FROM text WHERE words = ? AND ${isExact}`);
    const listWithPrefix = list(
      `SELECT pk FROM text WHERE words >= ? AND words < ? AND ${isNamed} LIMIT ${maxTexts}`,
    );
    const wordMatches = matching('starts');
    const trigramMatches = matching('within');
    const wordsOfText = index.prepare<unknown[], string>('SELECT words FROM text WHERE pk = ?').pluck();
    return {
      same: ({ words }: ParsedQuery) => listEqual.all(words.join(' ')),
      begins: ({ words }: ParsedQuery) =>
        listWithPrefix.all(words.join(' '), words.join(' ') + lastCharacter),
      starts: ({ words }: ParsedQuery) => wordMatches.all(formatPrefixQuery(words)),
      within: ({ words }: ParsedQuery) => {
        const long = words.filter((word) => Array.from(word).length >= 3);
        if (long.length === 0) return [];
        const candidateTexts = trigramMatches.all(long.map((word) => `"${word}"`).join(' AND '));
        if (long.length === words.length) return candidateTexts;
        // Words of less than three letters must start a word.
        const short = words.filter((word) => !long.includes(word));
        return candidateTexts.filter((text) => {
          const textWords = ` ${wordsOfText.get(text) ?? ''}`;
          return short.every((word) => textWords.includes(` ${word}`));
        });
      },
    };
  }

  const allTexts = textsBy(textKinds.filter((kind) => kind !== 'code'));
  const codeTexts = textsBy(['identifier', 'code']);
  const patientTexts = textsBy(['patient']);

  function listLatest(texts: readonly number[], type: ResourceType, limit: number): number[] {
    const docs = texts.flatMap((text) => listPostings.all(text, typeNumber(type), limit));
    return [...new Set(docs)].toSorted((key, right) => right - key).slice(0, limit);
  }

  function listByIdPrefix(type: ResourceType, id: string, limit: number): number[] {
    return listById.all(type, id, id.length < minIdPrefixLength ? `${id}\0` : id + lastCharacter, limit);
  }

  /** Returns the records that contain a word for each prefix. */
  function listByPrefixes(type: ResourceType, words: readonly string[], limit: number): number[] {
    const match = (prefixes: readonly string[]) => `"${typeWord(type)}" AND ${formatPrefixQuery(prefixes)}`;
    const short = words.map((word) => Array.from(word).slice(0, prefixLength).join(''));
    const docs: number[] = [];
    let readCount = 0;
    for (const { pk, words: recordWords } of candidates.iterate(match(short))) {
      if (words.every((word) => recordWords.includes(` ${word}`))) docs.push(pk);
      readCount += 1;
      if (docs.length >= limit) return docs;
      if (readCount >= maxCandidates) return listByWords.all(match(words), limit);
    }
    return docs;
  }

  function findRecords(
    type: ResourceType,
    parsedQuery: ParsedQuery,
    ranks: Ranks,
    limit: number,
  ): RecordMatch[] {
    const { id, words } = parsedQuery;
    const docs = new Set<number>();
    const tiers = [
      () => (id === '' ? [] : listById.all(type, id, `${id}\0`, limit)),
      () => listLatest(ranks.same(), type, limit),
      () => (id === '' ? [] : listByIdPrefix(type, id, limit)),
      () => listLatest(ranks.begins(), type, limit),
      () => listLatest(ranks.starts(), type, limit),
      () => listLatest(ranks.within(), type, limit),
      () => listByPrefixes(type, words, limit + docs.size),
    ];
    for (const tier of words.length > 0 ? tiers : [...tiers.slice(0, 1), ...tiers.slice(2, 3)]) {
      if (docs.size >= limit) break;
      for (const pk of tier()) if (docs.size < limit) docs.add(pk);
    }
    return [...docs].flatMap((pk) => {
      const row = findDoc.get(pk);
      if (!row) return [];
      const { subject, name, source, ...match } = row;
      const subjectName = name || onlyOf(personNames.all(subject, source)) || nameOf.get(subject);
      return [{ ...match, patient: { id: subject, name: subjectName ?? '' } }];
    });
  }

  function findPatients(parsedQuery: ParsedQuery, limit: number): PatientMatch[] {
    const { id, words } = parsedQuery;
    const foundSubjects = new Set<string>();
    const foundNames = new Map<string, string>();
    /** Lists persons by the names of their own resources, which records may not state. */
    function* listPersons(): Iterable<string> {
      for (const pk of listPeople.all(formatPrefixQuery(words), limit)) {
        const person = findPerson.get(pk);
        if (!person) continue;
        foundNames.set(person.id, person.name);
        yield person.id;
      }
    }
    function* listSubjectsOf(texts: readonly number[]): Iterable<string> {
      for (const text of texts) {
        const docs = resourceTypes.flatMap((type) =>
          listPostings.all(text, typeNumber(type), maxRecordsPerName),
        );
        for (const pk of docs.toSorted((key, right) => right - key)) yield findDoc.get(pk)?.subject ?? '';
      }
    }
    const tiers: readonly (() => Iterable<string>)[] = [
      () => (id === '' ? [] : listSubjects.all(id, `${id}\0`, limit)),
      () => (id.length < minIdPrefixLength ? [] : listSubjects.all(id, id + lastCharacter, limit)),
      ...[patientTexts.begins, patientTexts.starts, patientTexts.within].map(
        (rank) => () => (words.length === 0 ? [] : listSubjectsOf(rank(parsedQuery))),
      ),
      () => (words.length === 0 ? [] : listPersons()),
    ];
    for (const tier of tiers) {
      if (foundSubjects.size >= limit) break;
      for (const subject of tier()) {
        if (subject !== '') foundSubjects.add(subject);
        if (foundSubjects.size >= limit) break;
      }
    }
    return [...foundSubjects].map((subject) => ({
      id: subject,
      name: foundNames.get(subject) ?? nameOf.get(subject) ?? onlyOf(allPersonNames.all(subject)),
      records: countOf.get(subject.toLowerCase(), subject) ?? 0,
    }));
  }

  return ({ text, limit }: FindQuery): Omit<FindAnswer, 'behind'> => {
    const parsedQuery = parseQuery(text);
    if (parsedQuery.words.length === 0 && parsedQuery.id === '') return { patients: [], records: [] };
    const ranks: Ranks = {
      same: once(() => codeTexts.same(parsedQuery)),
      begins: once(() => allTexts.begins(parsedQuery)),
      starts: once(() => allTexts.starts(parsedQuery)),
      within: once(() => allTexts.within(parsedQuery)),
    };
    const records = resourceTypes.map((type) => ({
      type,
      found: findRecords(type, parsedQuery, ranks, limit),
    }));
    return {
      patients: findPatients(parsedQuery, limit),
      records: records.filter(({ found: recordMatches }) => recordMatches.length > 0),
    };
  };
}

/** Text lookups that all types share. Each runs once, when first needed. */
type Ranks = Readonly<Record<'same' | 'begins' | 'starts' | 'within', () => readonly number[]>>;

/** Returns the only name; empty for none or several, because sources may use one id for different persons. */
function onlyOf(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? '') : '';
}

function once(readTexts: () => readonly number[]): () => readonly number[] {
  let cachedTexts: readonly number[] | undefined;
  return () => (cachedTexts ??= readTexts());
}

function formatPrefixQuery(words: readonly string[]): string {
  return words.map((word) => `"${word}"*`).join(' AND ');
}
