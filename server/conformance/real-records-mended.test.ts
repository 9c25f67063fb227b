/** Tests records of real servers: each of several errors of one rule in lists can be corrected (row 13a). */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suggestionsAt } from '../../core/fhir/fixes/fixes.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';
import { validate, rejectedFindings, VersionPair } from '../../core/fhir/validation/validate.ts';
import { removeElement } from '../../core/json/edit.ts';
import {
  setMember,
  stringMember,
  stringNode,
  serializeNode,
  type JsonNode,
  type JsonObject,
} from '../../core/json/node.ts';
import { formatPointer, isArrayIndex, locate } from '../../core/json/pointer.ts';
import { objectIn, scan } from '../../core/json/scan.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { toPath, types, type Type } from './testing/records.ts';
import { describeRequirement, realRecords } from './testing/shared.ts';

const { suiteTitle, isMissing } = describeRequirement(realRecords, 'real records');
/** One of so many corrections is sent; all in the long tests. */
const stride = process.env.LONG_TESTS === undefined ? 10 : 1;
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

/** A corrected record: it lacks one error, and no rule has more errors than before. */
interface Correction {
  readonly error: string;
  readonly type: Type;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

function countErrorsByRule(findings: readonly Finding[]): Map<string, number> {
  const errors = findings.filter(({ severity }) => severity === 'error');
  return new Map(
    [...Map.groupBy(errors, ({ rule }) => rule)].map(([rule, errorsOfRule]) => [rule, errorsOfRule.length]),
  );
}

/** Returns the errors in lists whose rule has several of them. */
function listRepeatedErrors(findings: readonly Finding[]): Finding[] {
  const errors = findings.filter(({ severity, tokens }) => severity === 'error' && tokens.some(isArrayIndex));
  const byRule = Map.groupBy(errors, ({ rule }) => rule);
  return errors.filter(({ rule }) => (byRule.get(rule)?.length ?? 0) > 1);
}

/** Returns possible corrections of an error: suggested fixes, an added text, or removals. */
function proposeCorrections(root: JsonObject, type: Type, { rule, tokens }: Finding): JsonNode[] {
  const item = tokens.slice(0, tokens.findLastIndex(isArrayIndex) + 1);
  const withText = scan(serializeNode(root)).root;
  const section = locate(withText, tokens);
  const div = '<div xmlns="http://www.w3.org/1999/xhtml">Nothing was recorded.</div>';
  if (rule === 'cmp-1' && section?.kind === 'object') {
    setMember(section, 'text', scan(JSON.stringify({ status: 'additional', div })).root);
  }
  return [
    ...suggestionsAt(root, type, { rule, pointer: formatPointer(tokens) }, settings).map(
      (offer) => offer.fixedRoot,
    ),
    withText,
    removeElement(root, tokens),
    removeElement(root, item),
  ];
}

interface CorrectionSearch {
  readonly errors: number;
  /** Errors for which no correction was found. */
  readonly uncorrectedErrors: readonly string[];
  readonly corrections: readonly Correction[];
}

function findCorrections({ name: sourceName, type, text }: Source): CorrectionSearch {
  const before = objectIn(text);
  if (!before) return { errors: 0, uncorrectedErrors: [], corrections: [] };
  const findings = validate(before, type, settings);
  const countsBefore = countErrorsByRule(findings);
  const errors = listRepeatedErrors(findings);
  const uncorrectedErrors: string[] = [];
  const corrections = errors.flatMap((finding) => {
    const error = `${sourceName} ${finding.rule} ${finding.expression}`;
    const accepted = proposeCorrections(before, type, finding).filter((after): after is JsonObject => {
      if (after.kind !== 'object') return false;
      const countsAfter = countErrorsByRule(validate(after, type, settings));
      const isWorse = [...countsAfter].some(([rule, count]) => count > (countsBefore.get(rule) ?? 0));
      return !isWorse && (countsAfter.get(finding.rule) ?? 0) < (countsBefore.get(finding.rule) ?? 0);
    });
    if (accepted.length === 0) uncorrectedErrors.push(error);
    return accepted.map((after) => ({ error, type, before, after }));
  });
  return { errors: errors.length, uncorrectedErrors, corrections };
}

function rejectedByPage({ error, type, before, after }: Correction): string[] {
  const findings = validate(after, type, settings);
  const versions = new VersionPair(before, after);
  const rejected = rejectedFindings({ type, versions, findings, level: 'strict', ...settings });
  return rejected.map(({ expression }) => `${error}: ${expression}`);
}

describe.skipIf(isMissing)(suiteTitle, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ validation: 'strict' });
  });
  afterAll(() => server.remove());

  test('accepts a PUT that corrects one of several equal errors in a list', async () => {
    const searches = sources().map(findCorrections);
    const corrections = searches.flatMap((search) => search.corrections);
    // The page previews a save with the same code.
    expect(corrections.flatMap(rejectedByPage)).toEqual([]);
    const sentCorrections = corrections.filter((_, index) => index % stride === 0);
    const lines = sentCorrections.map(({ before }, index) => serializeNode(withId(before, index)));
    const { text } = await server.send('POST', '/app/import?level=off&keepIds=true', lines.join('\n'), {
      'Content-Type': 'application/x-ndjson',
    });
    expect(text).toContain(`"stored":${sentCorrections.length}`);
    const rejections: string[] = [];
    for (const [index, { error, type, after }] of sentCorrections.entries()) {
      const answer = await server.send(
        'PUT',
        toPath(type, `c-${index}`),
        serializeNode(withId(after, index)),
      );
      if (answer.status !== 200) rejections.push(`${error}: ${answer.text}`);
    }
    expect(rejections).toEqual([]);
    expect(searches.flatMap(({ uncorrectedErrors }) => uncorrectedErrors)).toEqual([]);
    const errors = searches.reduce((sum, search) => sum + search.errors, 0);
    expect(errors).toBeGreaterThan(100);
    expect(corrections.length).toBeGreaterThanOrEqual(errors);
  });
});

function withId(record: JsonObject, index: number): JsonObject {
  const copy = objectIn(serializeNode(record));
  if (!copy) throw new TypeError('A record is no object.');
  setMember(copy, 'id', stringNode(`c-${index}`), stringMember(copy, 'id') === undefined ? 1 : undefined);
  return copy;
}
