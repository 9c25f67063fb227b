import type { AppSection } from './app-section.ts';

export const packageAddresses: AppSection = {
  title: 'FHIR packages',
  text: 'Packages by whose profiles records are judged, as they lie in `packages` of the data folder, or are shared by the servers of a store. One that is held has `file` (its name there, and in addresses), `state` `held`, `name`, `version`, `title`, `counts` of its definitions by kind, `dependencies` (`name`, `version`, `state`: `held`, `own` where Chartkeeper brings it, `other` where another version is held, `lacking`), `profiles` on the types kept here (`url`, `version`, `type`, `title`, `usable`, and what it `lacks`: canonicals that nothing at hand defines) and `notes` on files in it that could not be read. Another has `state` `reading`, or `refused` with its `problem`. The preference `profiles` says by which profile each record of a type is judged.',
  rows: {
    'GET /app/packages 200': '`folder` (absent where servers share them), and `packages` by their files.',
    'POST /app/packages 201':
      'A package as it is published (`application/gzip`), or without its compression (`application/x-tar`), 128 MiB at most; the answer is the package. 200 where it was here before. 400 says why it is not taken: it is damaged, holds links or paths that lead out of it, or is too large; 409 where the same version is here with other content.',
    'POST /app/packages/look 200':
      'Looks anew at what lies in the folder, and reads what was copied there; the answer is the list. No body.',
    'DELETE /app/packages/{file} 204': 'Removes a package; what its profiles found goes with it.',
    'GET /app/profiles 200':
      '`url`, with `|version` behind it or not: what an editor tells of a profile: `url`, `version`, `type`, `title`; `elements` that it demands, forbids, slices or wants supported: `path`, `short`, `min`, `max`, `mustSupport`, names of `slices`. 404 where no package has it.',
  },
};
