import type { ResourceType } from '../../core/fhir/resource.ts';
import type { CommandId } from '../../core/app/commands.ts';

interface Asked {
  readonly type: ResourceType;
  readonly patient: string;
  readonly encounter: string;
}

const of = (number: number | undefined) => (number === undefined ? '' : ` ${number}`);

function scope({ patient, encounter }: Asked): string {
  return `${patient === '' ? '' : ` of patient ${patient}`}${encounter === '' ? '' : ` in encounter ${encounter}`}`;
}

/** All text of the interface. Neutral and short: what happened, and what can be done. */
export const text = {
  app: { name: 'Chartkeeper' },
  frame: {
    theme: 'Theme',
    themeNow: (theme: string) => `Theme: ${theme === 'auto' ? 'system' : theme}`,
    themes: { light: 'Light', dark: 'Dark', auto: 'System' },
    help: 'Keyboard shortcuts',
    plural: (type: string, count: number) => `${type}${count === 1 ? '' : 's'}`,
  },
  side: {
    name: 'Views',
    find: 'Find records',
    recent: 'Recent',
    noRecent: 'What you look for in this session is listed here.',
    open: 'Open records',
    noOpen: 'None yet.',
  },
  tabs: {
    name: 'Open tabs',
    search: 'Search',
    unsaved: 'Unsaved changes',
    close: (title: string) => `Close ${title}`,
    closed: (title: string) => `Closed ${title}`,
  },
  status: {
    cursor: (line: number, column: number) => `Ln ${line}, Col ${column}`,
    invalid: (line: number, column: number, message: string) => `Line ${line}, column ${column}: ${message}`,
    phases: {
      loading: 'Reading',
      unreadable: 'Not read',
      clean: 'Unchanged',
      dirty: 'Changed',
      reviewing: 'In review',
      saving: 'Saving',
      saved: 'Saved',
      conflict: 'Conflict',
      failed: 'Not saved',
      unconfirmed: 'Not confirmed',
    },
  },
  search: {
    form: 'Records',
    type: 'Resource type',
    patient: 'Patient',
    encounter: 'Encounter',
    idHint: 'Id or reference',
    submit: 'Search',
    patientMissing:
      'A CarePlan search needs a patient. Enter an id, or choose Composition to search without one.',
    target: ({ patient, encounter }: Asked) => [patient, encounter].filter(Boolean).join(' · ') || 'all',
    describe: (asked: Asked) =>
      [asked.type, asked.patient, asked.encounter && `encounter ${asked.encounter}`]
        .filter(Boolean)
        .join(' · '),
  },
  results: {
    name: 'Results',
    loading: 'Loading',
    failed: 'The search did not succeed.',
    more: 'Load more',
    keys: '↑ ↓ move, Enter opens',
    loaded: (loaded: string, total: string) => `${loaded} of ${total} loaded`,
    total: (asked: Asked, total: number) =>
      `${total.toLocaleString('en-US')} ${asked.type}${total === 1 ? '' : 's'}${scope(asked)}`,
    found: (asked: Asked, total: number) =>
      `Found ${total.toLocaleString('en-US')} ${asked.type}${total === 1 ? '' : 's'}${scope(asked)}`,
    none: (asked: Asked) => `No ${asked.type}${scope(asked)}.`,
    noneHint: 'Check the id: a bare id and every literal reference to it are found alike.',
    anyEncounter: 'Look in all encounters',
    otherType: (type: ResourceType) => `Look for ${type}s instead`,
    columns: {
      status: 'Status',
      title: 'Title',
      subject: 'Subject',
      encounter: 'Encounter',
      date: 'Date',
      version: 'Version',
      lastUpdated: 'Updated',
      id: 'Id',
    },
  },
  start: {
    what: 'A workbench for clinical data stewards: find, read, mend and patch FHIR R4 CarePlan and Composition records. There are no records here yet.',
    demoHeading: 'Start with the demo clinic',
    demoHint: '200 invented patients with their CarePlans and Compositions, the same on every machine.',
    loadDemo: 'Load demo records',
    demoLoaded: (stored: number) => `Loaded ${stored.toLocaleString('en-US')} demo records`,
    demoFailed: 'The demo records were not loaded.',
    importHeading: 'Or bring your own',
    importHint: 'JSON files, NDJSON, Bundles or folders, from a terminal:',
    importCommand: 'npm run chartkeeper -- import PATH... --data DIR',
    heading: 'Find records',
    hint: 'Enter a patient or an encounter above, or begin with one of these.',
    picks: 'Patients with the newest records',
    allCompositions: 'Show all Compositions',
  },
  record: {
    region: 'Record JSON',
    editor: 'JSON text of the record',
    loading: 'Reading the record',
    format: 'Format',
    reload: 'Reload',
    patch: 'Patch',
    review: 'Review changes',
    hints: {
      'record.format': 'Lay the JSON out; no digit changes',
      'record.reload': 'Read the record from the server again',
      'record.patch': 'Replace single elements',
      'record.review': 'See what changes before it is saved',
    } as Partial<Record<CommandId, string>>,
    refusal: {
      loading: 'The record is being read.',
      unread: 'The record was not read.',
      clean: 'Nothing is changed yet.',
      invalid: 'The text is not valid JSON; the status bar says where.',
      dirty: 'The text has changes: save or discard them before patching.',
    },
    version: (version: number) => `version ${version}`,
    opened: (title: string, version?: number) =>
      `Opened ${title}${version === undefined ? '' : `, version ${version}`}`,
    unreadableTitle: 'The record was not read.',
    unreadable: (title: string) => `${title} was not read`,
    saved: (version: number | undefined) => (version === undefined ? 'Saved' : `Saved version ${version}`),
    nothingToSave: (version: number) => `Version ${version} already holds this; nothing was written`,
  },
  review: {
    title: 'Review changes',
    close: 'Close review',
    changes: 'Changed paths',
    before: 'Before',
    after: 'After',
    diff: 'Difference',
    request: 'Request',
    yours: 'Your text',
    serverVersion: (version: number | undefined) => `Version${of(version)} on the server`,
    keepEditing: 'Keep editing',
    save: 'Save',
    saveAs: (version: number | undefined, connection: string) =>
      version === undefined ? `to ${connection}` : `as version ${version + 1} to ${connection}`,
    failedTitle: 'The record was not saved. Your text is kept.',
    conflictTitle: (version: number | undefined) =>
      version === undefined
        ? 'Another client saved a newer version.'
        : `Version ${version} was saved by another client.`,
    conflictDetail: 'Nothing was written and your text is kept. Compare the two, or keep editing.',
    reloadCompare: 'Reload and compare',
    comparing: (version: number | undefined) =>
      `Below, version${of(version)} from the server stands beside your text.`,
    rebase: (version: number | undefined) => `Continue on version${of(version)}`,
    takeTheirs: (version: number | undefined) => `Discard my changes, take version${of(version)}`,
    unconfirmedTitle: 'Not confirmed: the connection was lost after sending.',
    unconfirmedDetail: 'The change may or may not have been saved. Read the record again to find out.',
    reread: 'Read again and compare',
    notArrived: (version: number | undefined) =>
      `The server still holds version${of(version)}: the change did not arrive. Save sends it again.`,
  },
  patch: {
    title: 'Compose patch',
    close: 'Close composer',
    pathColumn: 'Path',
    currentColumn: 'Now',
    valueColumn: 'Replace with',
    path: (index: number) => (index === 0 ? 'Path' : `Path ${index + 1}`),
    value: (index: number) => (index === 0 ? 'Value' : `Value ${index + 1}`),
    operation: (number: number) => `Operation ${number}`,
    pathHint: '/status',
    valueHint: 'JSON, or plain text',
    suggestions: 'Elements of the record',
    absent: 'nothing here',
    asString: (source: string) => `Sent as the string ${source}`,
    add: 'Add operation',
    remove: (number: number) => `Remove operation ${number}`,
    body: 'Request body',
    effect: 'Effect',
    noEffect: 'The record already holds this.',
    incomplete: 'Give each operation a path and a new value.',
    cancel: 'Cancel',
    apply: 'Apply patch',
    failed: 'The patch was not applied.',
    reloadFirst:
      'Another client saved a newer version. Close the composer, reload the record, and compose again.',
  },
  discard: {
    title: 'Unsaved changes',
    detail: (title: string) => `${title} has changes that are not saved.`,
    confirm: (title: string) => `Discard changes of ${title}`,
    keep: 'Keep editing',
  },
  token: {
    title: 'Access token needed',
    where:
      'The server prints an address with a token when it starts; open that address, or paste the token here.',
    kept: 'What is open stays as it is.',
    field: 'Access token',
    use: 'Use token',
  },
  help: {
    close: 'Close help',
    rows: [
      { label: 'Move between rows, tabs', keys: '↑+↓+←+→' },
      { label: 'Open the chosen row', keys: 'Enter' },
      { label: 'Find in the record', keys: 'Mod+F' },
      { label: 'Outline of the record', keys: 'Mod+Shift+O' },
      { label: 'Go to line', keys: 'Ctrl+G' },
      { label: 'Undo', keys: 'Mod+Z' },
      { label: 'Let Tab leave the editor', keys: 'Ctrl+M' },
    ],
  },
  failure: {
    noAnswer: 'The server did not answer. It may have stopped, or the connection was lost.',
    notDrawn: 'The editor could not be shown.',
    notDrawnHint: 'Once the server answers again, close this tab and reload the page.',
    retry: 'Try again',
    request: (id: string) => `Request ${id}`,
  },
} as const;
