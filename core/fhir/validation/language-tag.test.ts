import { expect, test } from 'vitest';
import { isLanguageTag } from './language-tag.ts';

test.each([
  'en',
  'de-CH',
  'EN-us',
  'zh-Hant-TW',
  'sl-rozaj-biske-1994',
  'de-CH-1901',
  'es-419',
  'en-a-bbb-x-a-ccc',
  'x-whatever',
  'i-klingon',
  'zh-min-nan',
  'zh-cmn-Hans-CN',
  'sr-Latn-RS',
  'en-GB-oed',
  'tlh',
])('accepts %s', (tag) => {
  expect(isLanguageTag(tag)).toBe(true);
});

test.each([
  '',
  'e',
  'en_US',
  'en-',
  '-en',
  'en--US',
  'englishlanguage',
  'de-419-DE',
  'a-DE',
  'en-x',
  'en us',
  `en-${'a'.repeat(300)}`,
])('rejects %j', (tag) => {
  expect(isLanguageTag(tag)).toBe(false);
});
