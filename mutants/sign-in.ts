import type { Mutant } from './mutant.ts';

/** How people sign in, and what a token file must be. */
export const signInMutants: readonly Mutant[] = [
  {
    mechanism: 'token file: one that is open is refused',
    file: 'server/commands/token-file.ts',
    text: 'isOpenToOthers(mode)',
    instead: 'mode === 0',
    test: { file: 'server/serve.test.ts', title: 'a token file %s is refused with what mends it' },
  },
  {
    mechanism: 'token file: a short one is refused',
    file: 'server/commands/token-file.ts',
    text: 'held.length >= shortest && ',
    test: { file: 'server/serve.test.ts', title: 'a token file %s is refused with what mends it' },
  },
  {
    mechanism: 'sign-in: a code works once',
    file: 'server/access/sign-in-codes.ts',
    text: "if (found.used) return 'used';",
    test: {
      file: 'server/http/sign-in-routes.test.ts',
      title: 'a code is exchanged for a session once; what it gives is told',
    },
  },
  {
    mechanism: 'sign-in: a code grows old',
    file: 'server/access/sign-in-codes.ts',
    text: "if (found.expires <= clock()) return 'old';",
    test: {
      file: 'server/access/sign-in-codes.test.ts',
      title: 'a code holds for an hour, and is called old for a day',
    },
  },
  {
    mechanism: 'sign-in: a code that was left is taken away',
    file: 'server/access/link-files.ts',
    text: 'rmSync(path);\n      return left',
    instead: 'return left',
    test: {
      file: 'server/http/sign-in-routes.test.ts',
      title: 'chartkeeper link makes a code beside the running server',
    },
  },
  {
    mechanism: 'session: ends without use',
    file: 'server/workspace/sessions.ts',
    text: "if (isIdle(row, now)) return 'expired';",
    test: {
      file: 'server/workspace/sessions.test.ts',
      title: 'a session ends 12 hours after its last use, not after its beginning',
    },
  },
  {
    mechanism: 'session: ends with the token that made its code',
    file: 'server/workspace/sessions.ts',
    text: 'if (!row || isRevoked(row)) return undefined;',
    instead: 'if (!row) return undefined;',
    test: {
      file: 'server/http/sign-in-routes.test.ts',
      title: 'a session writes under the name of who made its code, and ends with that token',
    },
  },
  {
    mechanism: 'session: no wider than who makes its code',
    file: 'server/http/sign-in-routes.ts',
    text: 'if (list.every((one) => covers(scopes, one))) return list;',
    instead: 'if (list.length > 0) return list;',
    test: { file: 'server/http/sign-in-routes.test.ts', title: 'a code is not made for %s' },
  },
];
