import { expect, test } from 'vitest';
import { readLooseMarkup, type LooseHandler } from './loose-markup.ts';

/** Returns what is read, as text: each element with its attributes, each end, each text in quotes. */
function told(markup: string, most = Infinity): string {
  const seen: string[] = [];
  const handler: LooseHandler = {
    get isFull() {
      return seen.length >= most;
    },
    start: (element, attributes) =>
      void seen.push(`<${[element, ...[...attributes].map(([key, value]) => `${key}=${value}`)].join(' ')}>`),
    end: () => void seen.push('</>'),
    text: (text) => void seen.push(`"${text}"`),
    entity: (name) => `{${name}}`,
  };
  readLooseMarkup(markup, handler);
  return seen.join('');
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
  expect(told(markup)).toBe(expected);
});

test('reads no further than its handler takes', () => {
  expect(told('<b>a<i>b</i>c', 2)).toBe('<b>"a"<i>');
});
