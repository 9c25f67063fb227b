import type { AppSection } from './app-section.ts';

/** Addresses of training data and exercises, for docs/api.md. */
export const trainingSections: readonly AppSection[] = [
  {
    title: 'Training',
    text: 'Made-up records to learn with, in the sets `clean`, `migration` and `busy`. The busy ward is a writer that changes a record every few seconds: `running`, `seconds` between two changes, `changes` since its start, `last`? (`type`, `id`, `title`, `version`, `at`), `problem`? (why it stopped) with its `problemCode`.',
    rows: {
      'GET /app/training 200':
        '`seed`; `sets`: each `set` with its number of `records` and how many are `loaded`; `total` records in the store and how many `others` are of no set; `ward`, the records that the writer takes in turn (`type`, `id`, `title`); `writer`.',
      'POST /app/training/{set} 200':
        'Stores what is missing of a set: how many were `stored` and how many `unchanged`. `busy` starts the writer. No body.',
      'POST /app/demo 200': 'The set `clean`, by its older name.',
      'GET /app/training/migration/defects 200':
        'The defects planted in the set `migration`, as an array: `type`, `id`, `title`, `rule`, `pointer`.',
      'POST /app/training/reset 200':
        '`{"others"}`: makes a backup and removes all records, where no more than so many are of no set, else 422: `removed`, and `backup` with `path` and `bytes`.',
      'POST /app/training/writer 200':
        '`{"seconds"}`, 1 to 60: starts the writer; the answer is the writer. 422 where none of its records is there.',
      'DELETE /app/training/writer 200': 'Stops the writer; the answer is the writer.',
    },
  },
  {
    title: 'Practice',
    text: 'Exercises on the training data: `find`, `mend`, `conflict`, `patch` and `bulk`. The state of one is `exercise`, its `records` (`type`, `id`, `title`, `patient`), when it was `begun`? and what is `left` to be done, in sentences, as the store holds it; none where it is done. `leftMessages` are the same sentences with their `messageCode` and `parameters`?.',
    rows: {
      'GET /app/practice 200': 'The state of each exercise.',
      'POST /app/practice/{exercise} 200':
        'Begins an exercise, or begins it anew: loads its training set where it is missing and puts its records as they are to begin with. The answer is its state. No body.',
      'POST /app/practice/conflict/colleague 200':
        'The colleague of the exercise `conflict` saves another element of its record; the answer is its state. 422 where it was not begun. No body.',
    },
  },
];
