import type { Claim } from './claim.ts';

/** Claims about the installed program and its updates. */
export const releaseClaims: readonly Claim[] = [
  {
    claim:
      'The native code of the database driver is loaded only from its own folder, and only if it equals what the build found. It is verified before it is loaded.',
    tests: [['server/sqlite/native-module.test.ts', 'rejects a file that changed by one bit']],
    cases: ['native-module'],
  },
  {
    claim:
      'A newer version is looked for only when the user asks, and only at a configured address. It is shown only if it is signed with the configured key. Nothing is downloaded or installed.',
    tests: [
      ['main/update-check.test.ts', 'sends no request without a configuration'],
      ['main/update-check.test.ts', 'rejects a release signed with %s'],
      ['main/update-check.test.ts', 'does not report an older version (%s)'],
      ['main/update-check.test.ts', 'shows the result, and opens, downloads and installs nothing'],
    ],
  },
];
