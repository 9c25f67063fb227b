import type { Claim } from './claim.ts';

/** Claims about the files that the program follows, reads and writes. */
export const fileClaims: readonly Claim[] = [
  {
    claim:
      'An export of settings never writes through a link: it names the link and writes nothing. An import follows only links to files below the folder, and names each link, pipe, socket and device that it does not read. None of these blocks it.',
    tests: [
      [
        'server/commands/settings-command.test.ts',
        'rejects an export to a folder with a link in place of a file and writes nothing',
      ],
      [
        'server/import/odd-files.test.ts',
        'follows a link to a file below the folder once, and names each link that it skips',
      ],
      [
        'server/import/odd-files.test.ts',
        'names pipes and sockets, and counts files without records by their extension',
      ],
      ['server/import/odd-files.test.ts', 'exits at once for a pipe or a device, and reads a named link'],
    ],
  },
];
