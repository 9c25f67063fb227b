import { asked, type Exercise } from '../../../core/app/practice.ts';

interface Task {
  readonly name: string;
  /** What is asked for; `title` and `patient` are those of the first record. */
  readonly task: (about: {
    readonly title: string;
    readonly patient: string;
    readonly count: number;
  }) => string;
  readonly hint: string;
}

const tasks: Readonly<Record<Exercise, Task>> = {
  find: {
    name: 'Find a plan',
    task: ({ title, patient }) =>
      `The ward calls: the plan “${title}” of ${patient} is paused. Find it, set its status to ${asked.held} and save.`,
    hint: 'The box at the top finds names and titles. Replace the text behind "status" in the JSON; Review changes leads to Save.',
  },
  mend: {
    name: 'Mend a finding',
    task: ({ title, patient }) =>
      `A migration brought the plan “${title}” of ${patient} with a status that FHIR does not know. Mend it, and leave everything else as it is.`,
    hint: 'Quality lists what is wrong by rule; Fix leads to the element. A plan whose period is long over is not active any more.',
  },
  conflict: {
    name: 'Work through a conflict',
    task: ({ title, patient }) =>
      `Open the plan “${title}” of ${patient} and change its title to “${asked.title}”. Before you save, let the colleague save. Keep both changes.`,
    hint: 'The bar over the record says who saved meanwhile and offers to merge. Where you save first, the conflict sheet lists both changes.',
  },
  patch: {
    name: 'Send a patch',
    task: ({ title, patient }) =>
      `The plan “${title}” of ${patient} begins on ${asked.start}. Send a replace patch for the start of its period; do not save it whole.`,
    hint: 'Put the cursor on "start" in the JSON and choose Patch: the composer opens at that element.',
  },
  bulk: {
    name: 'Change many, undo it',
    task: ({ patient, count }) =>
      `Set the status of all plans of ${patient} that are not ${asked.held} to ${asked.held}, ${count} in all, in one run. Then you hear that it was another patient: undo the run.`,
    hint: 'Search the plans of the patient, Replace in all, path /status. A run that has ended offers Undo run, and so does the list of bulk runs.',
  },
};

export const practice = {
  name: 'Practice',
  what: 'Five exercises on invented records. Each is judged by what the store then holds.',
  open: 'Open practice',
  close: 'Close practice',
  failed: 'The exercises could not be read.',
  notBegun: 'The exercise was not begun.',
  local: 'Exercises are on this server’s own training data. Switch to it to practise.',
  tasks,
  about: 'It is about this record:',
  aboutMany: 'It is about these records:',
  begin: 'Begin',
  again: 'Begin again',
  beginOf: (name: string) => `Begin: ${name}`,
  againOf: (name: string) => `Begin again: ${name}`,
  begun: (name: string) => `Begun: ${name}`,
  beginHint:
    'Loads the training data where it is missing, and puts the records of the exercise as they were.',
  hint: 'Hint',
  noHint: 'Hide hint',
  colleague: 'Let the colleague save',
  saved: 'The colleague has saved',
  left: 'Still to do',
  done: 'Done: the store holds what was asked for.',
  states: { new: 'not begun', begun: 'begun', done: 'done' },
  progress: (done: number, all: number) => `${done} of ${all} done`,
} as const;
