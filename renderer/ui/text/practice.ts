import { requiredValues, type Exercise } from '../../../core/app/practice.ts';
import { formatPlural } from '../format.ts';

interface Task {
  readonly name: string;
  /** Task of the exercise. `title` and `patient` are of the first record. */
  readonly task: (record: {
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
      `The ward calls: ${patient}’s plan “${title}” is on hold. Find it, set its status to ${requiredValues.held} and save.`,
    hint: 'Find the plan by name or title in the box at the top. Change the value of "status" in the JSON, then choose Review changes and Save.',
  },
  mend: {
    name: 'Fix an issue',
    task: ({ title, patient }) =>
      `A migration left ${patient}’s plan “${title}” with a status that doesn’t exist in FHIR. Fix it without changing anything else.`,
    hint: 'Quality lists issues by rule. Open takes you to the element. A plan whose period ended long ago is no longer active.',
  },
  conflict: {
    name: 'Resolve a conflict',
    task: ({ title, patient }) =>
      `Open ${patient}’s plan “${title}” and change its title to “${requiredValues.title}”. Before you save, let your colleague save. Keep both changes.`,
    hint: 'The bar above the record shows who saved and offers to merge. If you save first, the conflict view lists both changes.',
  },
  patch: {
    name: 'Send a patch',
    task: ({ title, patient }) =>
      `${patient}’s plan “${title}” starts on ${requiredValues.start}. Send a replace patch for the start of its period. Don’t save the whole record.`,
    hint: 'Put the cursor on "start" in the JSON and choose Patch: the composer opens at that element.',
  },
  bulk: {
    name: 'Change many records, then undo',
    task: ({ patient, count }) =>
      formatPlural(
        count,
        {
          one: 'In one bulk edit, set {n} plan of {patient} that is not {status} to {status}. Then you learn that it was the wrong patient: undo it.',
          other:
            'In one bulk edit, set all {n} plans of {patient} that are not {status} to {status}. Then you learn that it was the wrong patient: undo it.',
        },
        { patient, status: requiredValues.held },
      ),
    hint: 'Search for the patient’s plans, choose Bulk edit, path /status. A finished bulk edit offers Undo; so does the list of bulk edits.',
  },
};

export const practice = {
  name: 'Practice',
  what: 'Five exercises on made-up records. The result is checked in the store.',
  open: 'Open practice',
  close: 'Close practice',
  failed: 'Couldn’t load the exercises.',
  notBegun: 'Couldn’t start the exercise.',
  notSaved: 'Couldn’t save the colleague’s change.',
  local: 'Exercises use this server’s training data. Switch to Local to practice.',
  tasks,
  about: (count: number) => formatPlural(count, { one: 'Record:', other: 'Records:' }),
  begin: 'Start',
  again: 'Restart',
  beginOf: (name: string) => `Start: ${name}`,
  againOf: (name: string) => `Restart: ${name}`,
  begun: (name: string) => `Started: ${name}`,
  beginHint: 'Loads the training data if needed and resets the exercise’s records.',
  hint: 'Hint',
  noHint: 'Hide hint',
  colleague: 'Let your colleague save',
  saved: 'Your colleague has saved',
  left: 'To do',
  done: 'Done. The records are as asked.',
  states: { new: 'not started', begun: 'in progress', done: 'done' },
  progress: (done: number, total: number) => `${done} of ${total} done`,
} as const;
