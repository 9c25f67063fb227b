import type { AppSection } from './app-section.ts';

/** Addresses of training data and exercises, for docs/api.md. */
export const trainingSections: readonly AppSection[] = [
  {
    title: 'Training',
    text: 'Invented records for practice, in the sets `clean`, `migration` and `busy`. The busy ward is a writer that changes a record every few seconds: `running`, `seconds` between two changes, `changes` since its start, `last`? (`type`, `id`, `title`, `version`, `at`), `problem`? (why it stopped) with its `problemCode`.',
    rows: {
      'GET /app/training 200':
        '`seed`; `sets`: each `set` with its number of `records` and how many are `loaded`; `total` records in the store and how many `others` belong to no set; `ward`, the records that the writer changes in turn (`type`, `id`, `title`); `writer`.',
      'POST /app/training/{set} 200':
        'Stores the missing records of a set: how many were `stored` and how many `unchanged`. `busy` starts the writer. No body.',
      'POST /app/demo 200': 'The older address of the set `clean`.',
      'GET /app/training/migration/defects 200':
        'The defects planted in the set `migration`, as an array: `type`, `id`, `title`, `rule`, `pointer`.',
      'POST /app/training/reset 200':
        '`{"others"}`: makes a backup and deletes all records, if at most this number belongs to no set, otherwise 422: `removed`, and `backup` with `path` and `bytes`.',
      'POST /app/training/writer 200':
        '`{"seconds"}`, 1 to 60: starts the writer and returns it. 422 if none of its records exists.',
      'DELETE /app/training/writer 200': 'Stops the writer and returns it.',
    },
  },
  {
    title: 'Practice',
    text: 'Exercises on the training data: `find`, `mend`, `conflict`, `patch` and `bulk`. The state of an exercise has `exercise`, its `records` (`type`, `id`, `title`, `patient`), when it was `begun`? and what is `left` to do, in sentences, computed from the stored records; empty when it is done. `leftMessages` are the same sentences with their `messageCode` and `parameters`?.',
    rows: {
      'GET /app/practice 200': 'The state of each exercise.',
      'POST /app/practice/{exercise} 200':
        'Starts or restarts an exercise: loads its training set if it is missing and resets its records. Returns its state. No body.',
      'POST /app/practice/conflict/colleague 200':
        'The colleague of the exercise `conflict` saves another element of its record; returns the state. 422 if the exercise was not started. No body.',
    },
  },
];
