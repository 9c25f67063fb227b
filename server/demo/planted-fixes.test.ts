import { describe, expect, test } from 'vitest';
import { suggestionsAt, fixOf } from '../../core/fhir/fixes/fixes.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { serializeNode, type JsonNode, type JsonObject } from '../../core/json/node.ts';
import { formatPointer } from '../../core/json/pointer.ts';
import { scan } from '../../core/json/scan.ts';
import { generateMigration } from './migration.ts';

const settings = { today: '2026-11-24', zoneOf: () => '+01:00' };

function read(text: string): JsonObject {
  const { root } = scan(text);
  if (root.kind !== 'object') throw new TypeError('This is no record.');
  return root;
}

function numbersOf(node: JsonNode): readonly string[] {
  if (node.kind === 'object') return node.members.flatMap(({ value }) => numbersOf(value));
  if (node.kind === 'array') return node.items.flatMap(numbersOf);
  return node.kind === 'number' ? [node.source] : [];
}

const seededDefects = [...generateMigration()].flatMap(({ type, text, laterText, defect }) =>
  defect ? [{ type, defect, root: read(laterText ?? text) }] : [],
);

describe('seeded defects of the migration', () => {
  test('are repaired at their location without new errors or other changes', () => {
    const fixedRules = new Set<string>();
    for (const { type, defect, root } of seededDefects) {
      const offers = suggestionsAt(root, type, defect, settings);
      const findingsBefore = validate(root, type, settings);
      for (const { id, ruleLabel, fixedRoot } of offers) {
        expect([id, ruleLabel]).toEqual([
          expect.stringMatching(`^${defect.rule}`),
          expect.stringMatching(/^[A-Z]/),
        ]);
        const are = validate(fixedRoot, type, settings);
        const isAtLocation = (finding: (typeof are)[number]) =>
          finding.rule === defect.rule && formatPointer(finding.tokens) === defect.pointer;
        expect([id, are.filter(isAtLocation)]).toEqual([id, []]);
        const errors = (findings: typeof are) =>
          findings.filter(({ severity }) => severity === 'error').length;
        expect(errors(are)).toBeLessThanOrEqual(errors(findingsBefore));
        expect(serializeNode(read(serializeNode(fixedRoot)))).toBe(serializeNode(fixedRoot));
        // Each number keeps its text, except one that loses its sign.
        const signless = numbersOf(root).map((source) => source.replace(/^-/, ''));
        expect(numbersOf(fixedRoot).filter((source) => !signless.includes(source.replace(/^-/, '')))).toEqual(
          [],
        );
        fixedRules.add(defect.rule);
      }
      expect(offers.length > 0 || fixOf(defect.rule)?.reasonWithoutOptions !== undefined).toBe(true);
    }
    // The table contains exactly the rules without a fix.
    const unfixableRules = [...new Set(seededDefects.map(({ defect }) => defect.rule))].filter(
      (rule) => !fixedRules.has(rule),
    );
    expect(unfixableRules.toSorted()).toEqual([
      'age-1',
      'att-1',
      'base64-length',
      'calendar-date',
      'canonical-fragment',
      'cnt-3',
      'completed-without-end',
      'contained-twice',
      'contained-type',
      'dis-1',
      'drt-1',
      'extension-url',
      'final-without-attester',
      'final-without-section',
      'r4-advice',
      'r4-invariant',
      'rat-1',
      'ref-1',
      'reference-literal',
      'reference-target',
      'sqty-1',
      'string-length',
      'system-name',
      'tim-1',
      'tim-2',
    ]);
  });
});
