import { expect, onTestFinished, test, vi, type MockInstance } from 'vitest';
import { readLooseMarkup, type LooseHandler } from './loose-markup.ts';

/** Returns the events of the reader as text: elements with attributes, ends, and quoted texts. */
function readToText(markup: string, maxEvents = Infinity): string {
  const events: string[] = [];
  const handler: LooseHandler = {
    get isFull() {
      return events.length >= maxEvents;
    },
    start: (element, attributes) =>
      void events.push(
        `<${[element, ...[...attributes].map(([key, value]) => `${key}=${value}`)].join(' ')}>`,
      ),
    end: () => void events.push('</>'),
    text: (text) => void events.push(`"${text}"`),
    entity: (name) => `{${name}}`,
  };
  readLooseMarkup(markup, handler);
  return events.join('');
}

test.each([
  ['an open element', '<div><p>a<br>b', '<div><p>"a"<br></>"b"'],
  ['crossed ends', '<b>a<i>b</b>c</i>d', '<b>"a"<i>"b"</></>"cd"'],
  ['an end without a start', 'a</p>b', '"ab"'],
  ['paragraphs and items that end by the next', '<p>a<p>b<li>c<li>d', '<p>"a"</><p>"b"<li>"c"</><li>"d"'],
  ['a prefix and capitals', '<h:DIV CLASS=x>a</DIV>', '<div class=x>"a"</>'],
  ['attributes of every form', `<p a b='1' c="2>3" d=4 a=5 />x`, '<p a= b=1 c=2>3 d=4></>"x"'],
  ['a slash between attributes', '<img/src="a"/alt=b>', '<img src=a alt=b></>'],
  ['a quote that is not closed', '<p title="a>b<i>c', '<p title=>"b"<i>"c"'],
  ['signs that begin no tag', 'a < b <5 & c << d', '"a < b <5 & c << d"'],
  ['a tag that does not end', 'x <b y', '"x <b y"'],
  ['a declaration', '<!DOCTYPE html><?xml x?>a<!b>', '"a<!b>"'],
  [
    'references',
    '<p title="&lt;">&#65;&#x42;&eacute;&nothing;&#x110000;</p>',
    '<p title={lt}>"AB{eacute}&nothing;&#x110000;"</>',
  ],
])('reads %s', (_, markup, expected) => {
  expect(readToText(markup)).toBe(expected);
});

test('stops when its handler is full', () => {
  expect(readToText('<b>a<i>b</i>c', 2)).toBe('<b>"a"<i>');
});

/** Counts the list items that are searched until the test ends. */
function countSearched(): () => number {
  let items = 0;
  for (const name of ['includes', 'indexOf', 'lastIndexOf', 'find', 'findLast', 'some'] as const) {
    const search = Reflect.get(Array.prototype, name) as (...args: unknown[]) => unknown;
    const spy = vi.spyOn(Array.prototype, name) as unknown as MockInstance<typeof search>;
    spy.mockImplementation(function (this: readonly unknown[], ...args) {
      items += this.length;
      return Reflect.apply(search, this, args);
    });
    onTestFinished(() => spy.mockRestore());
  }
  return () => items;
}

test('does not search the open elements for an unmatched end tag', () => {
  const countItems = countSearched();
  const handler: LooseHandler = {
    isFull: false,
    start: () => undefined,
    end: () => undefined,
    text: () => undefined,
    entity: () => '',
  };
  readLooseMarkup('<b>'.repeat(2000) + '</i>'.repeat(2000), handler);
  expect(countItems()).toBeLessThan(20_000);
});
