import { expect, test } from 'vitest';
import { sharedCodes, type KeptCodes } from './shared-codes.ts';
import { signInCodes } from './sign-in-codes.ts';

/** Shared code store in memory. */
function createCodeStore(): KeptCodes {
  const codes = new Map<string, Parameters<KeptCodes['add']>[0] | 'used'>();
  return {
    add: (code) => Promise.resolve(void codes.set(code.sha256, code)),
    take(sha256) {
      const code = codes.get(sha256);
      if (code !== undefined) codes.set(sha256, 'used');
      return Promise.resolve(code);
    },
  };
}

test('grants a code of one server in full at another, once', async () => {
  const codeStore = createCodeStore();
  const createServer = () =>
    sharedCodes(
      signInCodes('nowhere', () => 0),
      codeStore,
      () => 0,
    );
  const grant = {
    name: 'Ada',
    scopes: ['system/*.read'],
    mintedBy: 'token-1',
    subject: 'ada',
    maker: 'session-1',
    until: 1,
  };
  const { code } = await createServer().issue(grant);
  expect(await createServer().take(code)).toEqual(grant);
  expect(await createServer().take(code)).toBe('used');
});
