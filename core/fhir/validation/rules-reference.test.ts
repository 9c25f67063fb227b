import { expect, test } from 'vitest';
import { isReferenceLiteral } from './rules-resource.ts';

test.each([
  'Patient/1',
  'Patient/1/_history/2',
  'Patient?identifier=a|b',
  '#p',
  '#',
  'http://x.example/Patient/1',
  'HTTPS://x.example/a b'.replace(' ', ''),
  'ftp://x.example/1',
  'file:///p.json',
  'urn:uuid:C757873D-EC9A-4326-A141-556F43239520',
  'urn:oid:1.2.3',
  'URN:iso:std:iso:3166',
])('takes %s as a reference', (literal) => {
  expect(isReferenceLiteral(literal)).toBe(true);
});

test.each([
  '1',
  'smith',
  'null',
  'N/A',
  'patient/1',
  'PATIENT/1',
  'Patinet/1',
  'Person2/1',
  'ProcedureRequest/1',
  'Patient',
  'Patient/',
  'Patient//1',
  'Patient/1/',
  'Patient/1/_history',
  'Patient/a_b',
  'Patient/{id}',
  'Patient?',
  'Patinet?a=b',
  './Patient/1',
  '/Patient/1',
  'a/Patient/1',
  'Patient:1',
  'localhost:80/Patient/1',
  'http://',
  'http:///Patient/1',
  'http:/x/Patient/1',
  'http//x/Patient/1',
  'http://x.example/a b',
  'urn:',
  'urn:uuid:123',
  'urn:oid:a',
  'www.x.example/Patient/1',
  `Patient/${'a'.repeat(65)}`,
  'a'.repeat(9999),
])('does not take %s as a reference', (literal) => {
  expect(isReferenceLiteral(literal)).toBe(false);
});
