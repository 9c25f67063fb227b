import { expect, test } from 'vitest';
import { sharedCodes, type KeptCodes } from './shared-codes.ts';
import { signInCodes } from './sign-in-codes.ts';

/** What servers share, in memory. */
function keptCodes(): KeptCodes {
  const codes = new Map<string, Parameters<KeptCodes['add']>[0] | 'used'>();
  return {
    add: (code) => Promise.resolve(void codes.set(code.sha256, code)),
    take(sha256) {
      const found = codes.get(sha256);
      if (found !== undefined) codes.set(sha256, 'used');
      return Promise.resolve(found);
    },
  };
}

test('a code that one server gave gives at another all that was granted, this once', async () => {
  const kept = keptCodes();
  const server = () =>
    sharedCodes(
      signInCodes('nowhere', () => 0),
      kept,
      () => 0,
    );
  const grant = {
    ...{ name: 'Ada', scopes: ['system/*.read'], mintedBy: 'token-1', subject: 'ada' },
    ...{ maker: 'session-1', until: 1 },
  };
  const { code } = await server().issue(grant);
  expect(await server().take(code)).toEqual(grant);
  expect(await server().take(code)).toBe('used');
});
