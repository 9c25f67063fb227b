import { expect, test } from 'vitest';
import { createSharedCodes, type SharedCodeStore } from './sign-in-codes.ts';
import { createSignInCodes } from '../access/sign-in-codes.ts';

/** Shared code store in memory. */
function createCodeStore(): SharedCodeStore {
  const codes = new Map<string, Parameters<SharedCodeStore['add']>[0] | 'used'>();
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
    createSharedCodes(
      createSignInCodes('nowhere', () => 0),
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
  expect(await createServer().consume(code)).toEqual(grant);
  expect(await createServer().consume(code)).toBe('used');
});
