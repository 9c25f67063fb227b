import { expect, test } from 'vitest';
import { matchesSchema } from '../json/shape.ts';
import { OpenRequest } from './shell.ts';

test.each([
  [{ kind: 'record', link: { connection: 'Local', id: 'a', type: 'CarePlan' } }, true],
  [{ kind: 'record', link: { connection: 'Local', id: 'a' } }, true],
  [{ kind: 'record', link: { connection: 'Local', id: 'a', type: 'Patient' } }, false],
  [{ kind: 'record', link: { id: 'a' } }, false],
  [{ kind: 'record' }, false],
  [{ kind: 'connection', name: 'Local' }, true],
  [{ kind: 'connection', name: 1 }, false],
  [{ kind: 'files', files: [] }, true],
  [{ kind: 'files', files: [{ name: 'a.json', bytes: new Uint8Array(1) }] }, true],
  [{ kind: 'files', files: [{ name: 'a.json', bytes: 'text' }] }, false],
  [{ kind: 'files', files: [{ bytes: new Uint8Array(1) }] }, false],
  [{ kind: 'other' }, false],
  [undefined, false],
])('accepts %j as an open request: %s', (request, fits) => {
  expect(matchesSchema(OpenRequest, request)).toBe(fits);
});
