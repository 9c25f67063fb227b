import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeForeignSyntax, repairForeignSyntax } from './foreign-syntax.ts';
import { tryScan } from './scan.ts';

/** Returns message and offset of a text's first problem, and the repaired text. */
function problemOf(text: string) {
  const [fault] = tryScan(text).problems;
  if (!fault) return undefined;
  return {
    at: fault.start,
    message: fault.text,
    repaired: repairForeignSyntax(text, fault.start)?.repairedText,
  };
}

test.each([
  ['\ufeff{"a":1}', 0, 'U+FEFF ZERO WIDTH NO-BREAK SPACE (byte order mark) isn’t allowed here.', '{"a":1}'],
  ['{\u00a0"a":\u00a01}', 1, 'U+00A0 NO-BREAK SPACE isn’t allowed here.', '{ "a": 1}'],
  ['{"a\u00a0b":1\u00a0}', 8, 'U+00A0 NO-BREAK SPACE isn’t allowed here.', '{"a\u00a0b":1 }'],
  ['{"a":\u200b1}', 5, 'U+200B ZERO WIDTH SPACE isn’t allowed here.', '{"a":1}'],
  ['{"a":1}\u2060', 7, 'U+2060 WORD JOINER isn’t allowed here.', '{"a":1}'],
  ['{“a”: “b\u00a0c”}', 1, 'JSON needs straight double quotes, not typographic ones.', '{"a": "b\u00a0c"}'],
  ['{„a“: 1}', 1, 'JSON needs straight double quotes, not typographic ones.', '{"a": 1}'],
  ['{“a "b" c”: 1}', 1, 'JSON needs straight double quotes, not typographic ones.', undefined],
  ["{'a': 'b'}", 1, 'JSON needs double quotes, not single ones.', '{"a": "b"}'],
  ["{'it's': 1}", 1, 'JSON needs double quotes, not single ones.', undefined],
  ['{"a":"it\'s", \'b\': 1}', 13, 'JSON needs double quotes, not single ones.', '{"a":"it\'s", "b": 1}'],
  ['[1, ]', 4, 'Trailing comma before a closing bracket.', '[1 ]'],
  ['{"a":",}",\n}', 11, 'Trailing comma before a closing bracket.', '{"a":",}"\n}'],
  ['{// one\n"a":"//x" /* two */}', 1, 'JSON has no comments.', '{\n"a":"//x" }'],
  ['{"a":None,"b":"None","c":True}', 5, 'JSON uses null, not None.', '{"a":null,"b":"None","c":true}'],
  ['[NaN]', 1, 'JSON has no NaN.', undefined],
  ['[-Infinity]', 1, 'JSON has no Infinity.', undefined],
  ['[undefined]', 1, 'JSON has no undefined.', undefined],
  ['[Nonesuch]', 1, 'JSON value expected.', undefined],
  ['[1,,2]', 3, 'JSON value expected.', undefined],
])('describes the problem of %j', (text, offset, message, repaired) => {
  expect(problemOf(text)).toEqual({ at: offset, message, repaired });
});

const strange = "\u00a0\u200b\ufeff“”'`,/*#None NaN\\u0041";

test('leaves strings and valid JSON unchanged', () => {
  const value = fc.jsonValue({ stringUnit: fc.constantFrom(...strange.split('')) });
  fc.assert(
    fc.property(value, fc.constantFrom('\u00a0', '\u200b', '\ufeff'), (originalText, sign) => {
      const text = JSON.stringify(originalText);
      expect(problemOf(text)).toBeUndefined();
      expect(problemOf(`${sign}${text}${sign}`)?.repaired?.trim()).toBe(text);
    }),
  );
});

test.each(['\u00a0', '“', "'", '/*', '// ', ',', 'None ', '"'])(
  'scans a hostile run of %j in linear time',
  (part) => {
    const text = `[${part.repeat(200_000)}`;
    const start = process.cpuUsage();
    const [fault] = tryScan(text).problems;
    repairForeignSyntax(text, fault?.start ?? 0);
    repairForeignSyntax(`${text.slice(0, -1)},]`, text.length);
    expect(describeForeignSyntax(text, text.length)).toBeUndefined();
    expect(process.cpuUsage(start).user / 1_000_000).toBeLessThan(5);
  },
);
