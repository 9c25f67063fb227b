/** Row 13a over records of real servers: of several errors of one rule in lists, any single one can be corrected. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixesAt } from '../../core/fhir/fixes/fixes.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';
import { rejectedFindings } from '../../core/fhir/validation/save-gate.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { VersionPair } from '../../core/fhir/validation/version-pair.ts';
import { without } from '../../core/json/edit.ts';
import { setMember, stringMember, stringNode, type JsonNode, type JsonObject } from '../../core/json/node.ts';
import { formatPointer, isArrayIndex, locate } from '../../core/json/pointer.ts';
import { print } from '../../core/json/print.ts';
import { objectIn, scan } from '../../core/json/scan.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { at, types, type Type } from './testing/records.ts';
import { needing, realRecords } from './testing/shared.ts';

const { name, absent } = needing(realRecords, 'real records');
/** All with the long tests; else one of ten. */
const oneOf = process.env.LONG_TESTS === undefined ? 10 : 1;
const settings = { today: '2026-11-27' };

interface Source {
  readonly name: string;
  readonly type: Type;
  readonly text: string;
}

function sources(): Source[] {
  const files = types.flatMap((type) =>
    globSync(join(realRecords, type, '*.json')).map((path) => ({
      name: path,
      type,
      text: readFileSync(path, 'utf8').replace(/^\ufeff/, ''),
    })),
  );
  const lines = readFileSync(join(realRecords, 'synthea-careplans.ndjson'), 'utf8').trim().split('\n');
  return [
    ...files,
    ...lines.map((text, index) => ({ name: `synthea ${index}`, type: 'CarePlan' as const, text })),
  ];
}

/** A corrected record: one error is gone, and no rule has more errors than before. */
interface Correction {
  readonly of: string;
  readonly type: Type;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

function counts(findings: readonly Finding[]): Map<string, number> {
  const errors = findings.filter(({ severity }) => severity === 'error');
  return new Map([...Map.groupBy(errors, ({ rule }) => rule)].map(([rule, all]) => [rule, all.length]));
}

/** Returns the errors in lists whose rule has several of them. */
function repeated(findings: readonly Finding[]): Finding[] {
  const errors = findings.filter(({ severity, tokens }) => severity === 'error' && tokens.some(isArrayIndex));
  const byRule = Map.groupBy(errors, ({ rule }) => rule);
  return errors.filter(({ rule }) => (byRule.get(rule)?.length ?? 0) > 1);
}

/** Returns what a steward would do at an error: an offered fix, a text, or a removal. */
function changesAt(root: JsonObject, type: Type, { rule, tokens }: Finding): JsonNode[] {
  const item = tokens.slice(0, tokens.findLastIndex(isArrayIndex) + 1);
  const told = scan(print(root)).root;
  const section = locate(told, tokens);
  const div = '<div xmlns="http://www.w3.org/1999/xhtml">Nothing was recorded.</div>';
  if (rule === 'cmp-1' && section?.kind === 'object') {
    setMember(section, 'text', scan(JSON.stringify({ status: 'additional', div })).root);
  }
  return [
    ...fixesAt(root, type, { rule, pointer: formatPointer(tokens) }, settings).map((offer) => offer.root),
    told,
    without(root, tokens),
    without(root, item),
  ];
}

interface Found {
  readonly errors: number;
  /** Errors for which no correction was found. */
  readonly left: readonly string[];
  readonly all: readonly Correction[];
}

function corrections({ name: of, type, text }: Source): Found {
  const before = objectIn(text);
  if (!before) return { errors: 0, left: [], all: [] };
  const findings = validate(before, type, settings);
  const were = counts(findings);
  const errors = repeated(findings);
  const left: string[] = [];
  const all = errors.flatMap((finding) => {
    const place = `${of} ${finding.rule} ${finding.expression}`;
    const sound = changesAt(before, type, finding).filter((after): after is JsonObject => {
      if (after.kind !== 'object') return false;
      const are = counts(validate(after, type, settings));
      const isWorse = [...are].some(([rule, count]) => count > (were.get(rule) ?? 0));
      return !isWorse && (are.get(finding.rule) ?? 0) < (were.get(finding.rule) ?? 0);
    });
    if (sound.length === 0) left.push(place);
    return sound.map((after) => ({ of: place, type, before, after }));
  });
  return { errors: errors.length, left, all };
}

function rejectedByPage({ of, type, before, after }: Correction): string[] {
  const findings = validate(after, type, settings);
  const versions = new VersionPair(before, after);
  const rejected = rejectedFindings({ type, versions, findings, level: 'strict', ...settings });
  return rejected.map(({ expression }) => `${of}: ${expression}`);
}

describe.skipIf(absent)(name, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ validation: 'strict' });
  });
  afterAll(() => server.remove());

  test('any single one of several equal errors in lists can be corrected by PUT', async () => {
    const found = sources().map(corrections);
    const every = found.flatMap((one) => one.all);
    // The review of the page decides by the same code, before anything is sent.
    expect(every.flatMap(rejectedByPage)).toEqual([]);
    const all = every.filter((_, index) => index % oneOf === 0);
    const lines = all.map(({ before }, index) => print(withId(before, index)));
    const { text } = await server.send('POST', '/app/import?level=off&keepIds=true', lines.join('\n'), {
      'Content-Type': 'application/x-ndjson',
    });
    expect(text).toContain(`"stored":${all.length}`);
    const refused: string[] = [];
    for (const [index, { of, type, after }] of all.entries()) {
      const answer = await server.send('PUT', at(type, `c-${index}`), print(withId(after, index)));
      if (answer.status !== 200) refused.push(`${of}: ${answer.text}`);
    }
    expect(refused).toEqual([]);
    expect(found.flatMap(({ left }) => left)).toEqual([]);
    const errors = found.reduce((sum, one) => sum + one.errors, 0);
    expect(errors).toBeGreaterThan(100);
    expect(every.length).toBeGreaterThanOrEqual(errors);
  });
});

function withId(record: JsonObject, index: number): JsonObject {
  const copy = objectIn(print(record));
  if (!copy) throw new TypeError('A record is no object.');
  setMember(copy, 'id', stringNode(`c-${index}`), stringMember(copy, 'id') === undefined ? 1 : undefined);
  return copy;
}
