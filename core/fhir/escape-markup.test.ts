import { expect, test } from 'vitest';
import { expandSections } from './escape-markup.ts';

test.each([
  ['<p>Potassium <![CDATA[3.1 < 3.5]]> low</p>', '<p>Potassium 3.1 &lt; 3.5 low</p>'],
  ['a<!-- <![CDATA[b]]> -->c', 'ac'],
  ['<![CDATA[<!-- kept -->]]>', '&lt;!-- kept --&gt;'],
  ['<![CDATA[a]]><![CDATA[b]]>', 'ab'],
  ['<!DOCTYPE html><p><![CDATA[a]]></p>', '<!DOCTYPE html><p>a</p>'],
  ['a<!-- b', 'a<!-- b'],
  ['no section', 'no section'],
])('expands %s to %s', (xhtml, expected) => {
  expect(expandSections(xhtml)).toBe(expected);
});

test.each(['<!', '<!--', '<![CDATA['])('reads a hostile run of %s in linear time', (part) => {
  const start = process.cpuUsage();
  expect(expandSections(part.repeat(300_000))).toContain('<!');
  expect(process.cpuUsage(start).user / 1_000_000).toBeLessThan(5);
});
