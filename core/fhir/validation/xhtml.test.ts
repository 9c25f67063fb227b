import { expect, test } from 'vitest';
import { readMarkup } from './xhtml.ts';

const ns = 'xmlns="http://www.w3.org/1999/xhtml"';

test.each([
  [`<div ${ns}>text</div>`, { hasContent: true, hasNamespace: true }],
  [`\n<div ${ns}><img src="#a" alt=""/></div>\n`, { hasContent: true, hasNamespace: true }],
  [`<div ${ns}><p> &#9;\n</p></div>`, { hasContent: false, hasNamespace: true }],
  [`<div ${ns}>&nbsp;</div>`, { hasContent: true, hasNamespace: true }],
  [`<div ${ns}>&thetasym;&frac14;&#xe9;&amp;</div>`, { hasContent: true, hasNamespace: true }],
  [`<div ${ns} lang="de" xml:lang="de">x</div>`, { hasContent: true, hasNamespace: true }],
  ['<div><![CDATA[a < b]]></div>', { hasContent: true, hasNamespace: false }],
  [
    `<h:div xmlns:h="http://www.w3.org/1999/xhtml"><h:p>x</h:p></h:div>`,
    { hasContent: true, hasNamespace: true },
  ],
  [
    "<div><!-- no <b> --><a\n href = 'x?a=1&amp;b=2' >é</a ></div>",
    { hasContent: true, hasNamespace: false },
  ],
])('accepts %s', (text, expected) => {
  expect(readMarkup(text)).toMatchObject({ ...expected, isWellFormed: true });
});

test.each([
  ['', 'a single div is expected'],
  ['text', 'text outside the div'],
  ['<div>x</div><div>y</div>', 'a single div is expected'],
  ['<div>x</div>y', 'text outside the div'],
  ['<div>x', 'an element is not closed'],
  ['<div><p>x</div></p>', 'end tag without a start tag'],
  ['</div>', 'end tag without a start tag'],
  ['<div', 'a tag is malformed'],
  ['<div><', 'a tag is malformed'],
  ['<div class=x>y</div>', 'a tag is malformed'],
  ['<div class="a" class="b">y</div>', 'duplicate attribute'],
  ['<div class="<">y</div>', 'a tag is malformed'],
  ['<div>a && b</div>', 'invalid entity'],
  ['<div>&a;</div>', 'invalid entity'],
  ['<div title="&alphabeta;">x</div>', 'invalid entity'],
  ['<div title="a & b">x</div>', 'invalid entity'],
  ['<div><!-- x</div>', 'a comment or section is not closed'],
  ['<!DOCTYPE html><div>x</div>', 'a declaration is not allowed'],
  ['<div><iframe src="x"/>x</div>', 'an element is not allowed'],
  ['<div><P>x</P></div>', 'an element is not allowed'],
  ['<div onload="x">x</div>', 'an attribute is not allowed'],
  ['<div><a href=" JavaScript:x">x</a></div>', 'a link to a script is not allowed'],
  [`<div ${ns}><p xmlns="urn:other">x</p></div>`, 'an element is not allowed'],
  [`<div ${ns}><o:p xmlns:o="urn:office">x</o:p></div>`, 'an element is not allowed'],
  ['<div><h:p>x</h:p></div>', 'a prefix is not declared'],
  [`<h:div xmlns:h="urn:x" xmlns:i="urn:x">x</i:div>`, 'end tag without a start tag'],
  ['<div>x ]]> y</div>', 'a section ends that has no start'],
  ['<div>&#0;</div>', 'a character is not allowed'],
  ['<div>&#xD800;</div>', 'a character is not allowed'],
  ['<div>&#99999999999;</div>', 'a character is not allowed'],
  ['<div>a\u0001b</div>', 'a character is not allowed'],
  ['<div><!--><p>x</p></div>', 'a comment or section is not closed'],
])('rejects %s: %s', (text, fault) => {
  expect(readMarkup(text).fault).toBe(fault);
});

test.each([
  ['<div><section>x</section></div>', true],
  ['<div onclick="x">y</div>', true],
  ['<p>x</p>', true],
  ['<div><section>x</div>', false],
  ['<div>a<br>b</div>', false],
])('separates well-formed from allowed markup in %s: %s', (text, isWellFormed) => {
  expect(readMarkup(text)).toMatchObject({ isWellFormed, fault: expect.any(String) });
});

test('passes elements and texts with resolved entities, sections and prefixes', () => {
  const calls: unknown[] = [];
  readMarkup(
    `<h:div xmlns:h="http://www.w3.org/1999/xhtml" title="a&#x20;&eacute;\tb"><!-- no -->x&lt;&#128;\r\n<![CDATA[<b>&amp;]]><h:b/><svg xmlns="urn:svg">y</svg></h:div>`,
    {
      start: (element, attributes, isXhtml) => calls.push([element, attributes.get('title'), isXhtml]),
      end: () => calls.push('end'),
      text: (text) => calls.push(text),
      entity: (name) => `{${name}}`,
    },
  );
  expect(calls).toEqual([
    ['div', 'a {eacute} b', true],
    'x{lt}\u0080\n',
    '<b>&amp;',
    ['b', undefined, true],
    'end',
    ['svg', undefined, false],
    'y',
    'end',
    'end',
  ]);
});

test.each([
  ['white space', `<div${' '.repeat(1_000_000)}`],
  ['open elements', '<div>'.repeat(200_000)],
  ['attribute names', `<div ${'a'.repeat(1_000_000)}`],
  ['namespaces', Array.from({ length: 100_000 }, (_, index) => `<div xmlns:a${index}="urn:x">`).join('')],
  ['ampersands', `<div>${'&amp;'.repeat(200_000)}&`],
  ['quotes', `<div ${'a="'.repeat(300_000)}`],
])('reads a hostile run of %s in linear time', (_name, text) => {
  // Measures processor time, which other processes do not affect.
  const start = process.cpuUsage();
  expect(readMarkup(text).fault).toBeDefined();
  expect(process.cpuUsage(start).user / 1_000_000).toBeLessThan(5);
});

test('returns fragments of links and images, also from faulty markup', () => {
  const links =
    '<img src="#a" alt="#n"/><a href=\'#b\' title="#n">#n</a><!-- <a href="#n"> --><a href="x#n">x</a>';
  expect([...readMarkup(`<div>${links}</div>`).fragments]).toEqual(['#a', '#b']);
  expect([...readMarkup(`<div>${links}</p>`).fragments]).toEqual(['#a', '#b']);
});
