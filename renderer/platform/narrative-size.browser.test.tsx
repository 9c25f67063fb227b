import { expect, onTestFinished, test, vi } from 'vitest';
import { shownLimits } from './narrative-nodes.ts';
import { readNarrative } from './safe-markup.ts';

const div = (markup: string) => `<div xmlns="http://www.w3.org/1999/xhtml">${markup}</div>`;

/** The most characters that a narrative may have, in pieces. */
const filled = (piece: string) => piece.repeat(Math.floor(5_000_000 / piece.length));
const attributes = Array.from({ length: 300_000 }, (_, n) => `a${n}="${n}"`).join(' ');

/** Counts the elements that are made, and the characters that a browser's parser of HTML is handed. */
function countWork() {
  const create = vi.spyOn(Document.prototype, 'createElement');
  const parse = vi.spyOn(DOMParser.prototype, 'parseFromString');
  onTestFinished(() => [create, parse].forEach((spy) => spy.mockRestore()));
  return {
    elements: () => create.mock.calls.length,
    parsed: () => parse.mock.calls.reduce((sum, [markup]) => sum + lengthOf(markup), 0),
  };
}

/** DOMPurify hands over an object of its Trusted Types policy in place of a string. */
const lengthOf = (markup: unknown) => String(markup).length;

test.each([
  ['signs that begin no tag', div(filled('<')), 'malformed'],
  ['tags that do not end', div(filled('<b ')), 'malformed'],
  ['elements that are not closed', div(filled('<b><p>a')), 'malformed'],
  ['elements', div(filled('<b/>')), 'cut'],
  ['levels', div(`${'<b>'.repeat(600_000)}a${'</b>'.repeat(600_000)}`), 'cut'],
  ['entities', div(filled('&lt;')), 'cut'],
  ['attributes', div(`<p ${attributes}>a</p>`), undefined],
  ['text', div(filled('12.25 ')), 'cut'],
] as const)('shows of 5 MB of %s what a page can draw, and says where it is cut', (_, xhtml, flaw) => {
  const work = countWork();
  const read = readNarrative(xhtml);
  expect(read.flaw).toBe(flaw);
  const walker = document.createTreeWalker(read.nodes);
  let nodes = 0;
  while (walker.nextNode()) nodes += 1;
  expect(nodes).toBeGreaterThan(0);
  expect(nodes).toBeLessThanOrEqual(shownLimits.nodes + 1);
  expect(read.nodes.textContent.length).toBeLessThanOrEqual(shownLimits.characters + 1);
  // Of a malformed one two are built.
  expect(work.elements()).toBeLessThanOrEqual(2 * shownLimits.nodes + 10);
  expect(work.parsed()).toBeLessThan(100);
});

test('cuts no number', () => {
  const { textContent } = readNarrative(div(filled('12.25 '))).nodes;
  expect(textContent).toMatch(/ 12\.25 …$/);
  expect(textContent.length).toBeGreaterThan(shownLimits.characters - 10);
});
