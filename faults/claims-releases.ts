import type { Claim } from './claim.ts';

/** What is installed, and how a newer one is heard of. */
export const releaseClaims: readonly Claim[] = [
  {
    claim:
      'The native code of the database driver is loaded only where it is what the build found, and from no other place. It is looked at before it is loaded, not while.',
    tests: [['server/store/sqlite/native-module.test.ts', 'a file that changed by one bit is another']],
    cases: ['native-module'],
  },
  {
    claim:
      'A newer version is looked for when the user asks, at a configured address alone, and told only where it is signed with the configured key. Nothing is downloaded or installed.',
    tests: [
      ['main/update-check.test.ts', 'asks nobody where nothing is configured'],
      ['main/update-check.test.ts', 'a release signed with %s is none'],
      ['main/update-check.test.ts', 'an older file (%s) leads to no older version'],
      ['main/update-check.test.ts', 'says what came of it, and opens, downloads and installs nothing'],
    ],
  },
];
