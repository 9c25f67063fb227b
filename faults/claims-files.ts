import type { Claim } from './claim.ts';

/** Which files the program follows, reads and writes. */
export const fileClaims: readonly Claim[] = [
  {
    claim:
      'An export of settings never writes through a link: it names the link, and writes nothing. An import follows links to files below the folder alone, and names each link, pipe, socket and device that it does not read; none of these keeps it waiting.',
    tests: [
      [
        'server/commands/settings-command.test.ts',
        'an export refuses a folder in which a link stands for a file, and writes nothing',
      ],
      [
        'server/import/odd-files.test.ts',
        'follows a link to a file below the folder, once, and names each that it does not follow',
      ],
      [
        'server/import/odd-files.test.ts',
        'names pipes and sockets, counts other files by their endings, and reads none of them',
      ],
      [
        'server/import/odd-files.test.ts',
        'ends at once for a pipe or a device, and reads a link that was named',
      ],
    ],
  },
];
