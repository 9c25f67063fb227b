import { expect, test } from 'vitest';
import { toGrant } from './openid.ts';

const settings = {
  issuer: 'https://login.example',
  clientId: 'c',
  scope: 'openid',
  nameClaim: 'preferred_username',
  roleClaim: 'roles',
  roles: { steward: 'system/*.*' },
};
const readName = (preferred: unknown) => {
  const claims = { iss: 'https://login.example', sub: 'subject-1', roles: ['steward'] };
  return toGrant({ ...claims, preferred_username: preferred }, settings)?.name;
};

test('names a person by the claim without control characters', () => {
  expect(readName(' a.\u202emiller\n')).toMatch(/^a\. miller \([0-9a-f]{8}\)$/);
});

test.each([[''], ['  '], ['\u200b\n'], [7], [undefined]])(
  'names a person by the subject if the claim is %j',
  (claim) => {
    expect(readName(claim)).toMatch(/^subject-1 \([0-9a-f]{8}\)$/);
  },
);
