import { expect, onTestFinished, test, vi } from 'vitest';
import { shownLimits } from './narrative-nodes.ts';
import { readNarrative } from './safe-markup.ts';

const div = (markup: string) => `<div xmlns="http://www.w3.org/1999/xhtml">${markup}</div>`;

/** Repeats a text up to the maximum length of a narrative. */
const fill = (piece: string) => piece.repeat(Math.floor(5_000_000 / piece.length));
const attributes = Array.from({ length: 300_000 }, (_, n) => `a${n}="${n}"`).join(' ');

/** Counts the created elements and the characters passed to an HTML parser. */
function countWork() {
  const create = vi.spyOn(Document.prototype, 'createElement');
  const parse = vi.spyOn(DOMParser.prototype, 'parseFromString');
  onTestFinished(() => [create, parse].forEach((spy) => spy.mockRestore()));
  return {
    elements: () => create.mock.calls.length,
    parsed: () => parse.mock.calls.reduce((sum, [markup]) => sum + lengthOf(markup), 0),
  };
}

/** DOMPurify passes a Trusted Types object instead of a string. */
const lengthOf = (markup: unknown) => String(markup).length;

test.each([
  ['signs that begin no tag', div(fill('<')), 'malformed'],
  ['tags that do not end', div(fill('<b ')), 'malformed'],
  ['elements that are not closed', div(fill('<b><p>a')), 'malformed'],
  ['elements', div(fill('<b/>')), 'cut'],
  ['levels', div(`${'<b>'.repeat(600_000)}a${'</b>'.repeat(600_000)}`), 'cut'],
  ['entities', div(fill('&lt;')), 'cut'],
  ['attributes', div(`<p ${attributes}>a</p>`), undefined],
  ['text', div(fill('12.25 ')), 'cut'],
] as const)('renders 5 MB of %s up to the limits and reports the cut', (_, xhtml, flaw) => {
  const counters = countWork();
  const narrative = readNarrative(xhtml);
  expect(narrative.flaw).toBe(flaw);
  const walker = document.createTreeWalker(narrative.nodes);
  let nodes = 0;
  while (walker.nextNode()) nodes += 1;
  expect(nodes).toBeGreaterThan(0);
  expect(nodes).toBeLessThanOrEqual(shownLimits.nodes + 1);
  expect(narrative.nodes.textContent.length).toBeLessThanOrEqual(shownLimits.characters + 1);
  // A malformed narrative is built twice.
  expect(counters.elements()).toBeLessThanOrEqual(2 * shownLimits.nodes + 10);
  expect(counters.parsed()).toBeLessThan(100);
});

test('does not cut a number', () => {
  const { textContent } = readNarrative(div(fill('12.25 '))).nodes;
  expect(textContent).toMatch(/ 12\.25 …$/);
  expect(textContent.length).toBeGreaterThan(shownLimits.characters - 10);
});
