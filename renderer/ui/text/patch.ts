import { formatPlural } from '../format.ts';

export const patch = {
  title: 'Compose patch',
  close: 'Close patch composer',
  pathColumn: 'Path',
  currentColumn: 'Current value',
  valueColumn: 'New value',
  path: (index: number) => (index === 0 ? 'Path' : `Path ${index + 1}`),
  value: (index: number) => (index === 0 ? 'Value' : `Value ${index + 1}`),
  operation: (number: number) => `Operation ${number}`,
  operations: 'Operations',
  pathHint: '/status',
  valueHint: 'JSON, or plain text',
  jsonHint: 'JSON',
  dateHints: {
    date: 'YYYY, YYYY-MM or YYYY-MM-DD',
    dateTime: 'YYYY-MM-DD, or date, time and zone',
    instant: 'YYYY-MM-DDThh:mm:ssZ',
  },
  numberHint: '1.50',
  chooseCode: 'Choose a code',
  notAllowed: (code: string) => `${code} (not allowed here)`,
  listOf: (type: string) => `list of ${type}`,
  unknownType: 'not an element of FHIR R4',
  bound: (count: number) => formatPlural(count, { one: '{n} code', other: '{n} codes' }),
  suggestions: 'Elements of the record',
  absent: 'not present',
  notRead: 'not loaded',
  asString: (source: string) => `Will be sent as the string ${source}`,
  add: 'Add operation',
  here: 'Patch this element',
  element: (expression: string) => `Patch ${expression}`,
  remove: (number: number) => `Remove operation ${number}`,
  takeCurrent: (number: number) => `Use current value in operation ${number}`,
  asJson: (number: number) => `Edit value of operation ${number} as JSON`,
  asControl: (number: number) => `Edit value of operation ${number} in a form field`,
  view: 'View operations as',
  viewRows: 'Rows',
  viewJson: 'JSON',
  body: 'Request body',
  noRows: {
    invalid: (fault: string) => `Can’t show this array as rows. ${fault}`,
    noArray: 'Can’t show this as rows: not a JSON array.',
    noReplace: (number: number) =>
      `Can’t show this array as rows: operation ${number} isn’t a plain replace.`,
  },
  atLine: (message: string, line: number, column: number) =>
    `JSON error in line ${line}, column ${column}: ${message}`,
  effect: 'Result',
  noEffect: 'The record already has these values.',
  nothingYet: 'No changes yet. Choose an element and enter a new value.',
  noPreview: 'Couldn’t load the record, so the result can’t be shown.',
  before: (version: number | undefined) => (version === undefined ? 'On the server' : `Version ${version}`),
  after: 'After the patch',
  saveAs: (version: number | undefined, connection: string) =>
    version === undefined ? `Saves to ${connection}` : `Saves as version ${version + 1} to ${connection}`,
  cancel: 'Cancel',
  leaveTitle: 'Discard operations?',
  leaveDetail: 'The operations you composed were not sent and will be lost.',
  leaveConfirm: 'Discard operations',
  leaveKeep: 'Keep composing',
  apply: 'Apply patch',
  applied: (record: string, version: number | undefined) =>
    version === undefined ? `${record} patched` : `${record} patched: version ${version}`,
  failed: 'Couldn’t apply the patch. Your operations are kept.',
  needsToken: 'The access token was refused. Your operations are kept. Sign in again, then apply the patch.',
  tree: 'Elements of the record',
  treeFilter: 'Find an element',
  treeNone: 'No matching elements.',
  expand: (name: string) => `Expand ${name}`,
  items: (count: number) => formatPlural(count, { one: '{n} item', other: '{n} items' }),
  members: (count: number) => formatPlural(count, { one: '{n} element', other: '{n} elements' }),
  notSet: 'not set',
  byServer: 'set by the server',
  problems: {
    'target missing': 'Nothing exists at this path. A replace operation needs an existing element.',
    'array index out of range': 'The list has no such item. A replace operation needs an existing element.',
    'array index malformed': 'Use 0 or digits without a leading zero for list items.',
    'server-owned': 'The server sets this element. Choose another one.',
    'path malformed': 'Write the path as /activity/0/detail/status or activity[0].detail.status.',
    'path empty': 'A patch can’t replace the whole record. Choose an element.',
    'forbidden name': 'The path contains a name that isn’t allowed.',
  } as Readonly<Record<string, string>>,
  misfits: {
    code: 'This code isn’t allowed here.',
    date: 'Enter a date as YYYY, YYYY-MM or YYYY-MM-DD.',
    dateTime: 'Enter YYYY, YYYY-MM, YYYY-MM-DD, or a date with time and zone.',
    instant: 'Enter a date with time and zone, such as 2026-03-01T12:00:00Z.',
    number: 'Enter a number such as 12 or 1.50.',
    integer: 'Enter a whole number.',
    string: 'Enter a string.',
    form: (type: string) => `Not a valid ${type}.`,
    boolean: 'Enter true or false.',
    object: (type: string) => `Enter one ${type} as a JSON object.`,
    list: (type: string) => `Enter a list of ${type} as a JSON array.`,
  },
  conflictTitle: (version: number | undefined, author?: string) => {
    if (version === undefined) {
      return 'Someone else saved a newer version. Nothing was written, and your operations are kept.';
    }
    return author === undefined
      ? `Someone else saved version ${version}. Nothing was written, and your operations are kept.`
      : `${author} saved version ${version}. Nothing was written, and your operations are kept.`;
  },
  conflictOwn: (version: number) =>
    `You saved version ${version} in another window. Nothing was written, and your operations are kept.`,
  conflictSame: 'It doesn’t change the elements you are patching.',
  conflictChanged: 'It changes the elements you are patching:',
  conflictSend: (version: number | undefined) =>
    version === undefined
      ? 'Apply patch sends your operations against the newer version.'
      : `Apply patch sends your operations against version ${version}.`,
  conflictUnread: 'Couldn’t load the newer version.',
  unconfirmedTitle: 'Not confirmed: the patch was sent, but no answer came.',
  unconfirmedDetail: 'It may have been applied. Load the record again before you resend it.',
  unconfirmedNot: (version: number | undefined) =>
    version === undefined
      ? 'The record has not changed: the patch did not arrive. You can send it again.'
      : `The record is still version ${version}: the patch did not arrive. You can send it again.`,
  unconfirmedOther: (version: number | undefined) =>
    version === undefined
      ? 'The record has changed and differs from the result of this patch.'
      : `The record is now version ${version} and differs from the result of this patch.`,
  readAgain: 'Reload record',
  reading: 'Loading the record',
  unreadable: 'Couldn’t load the record.',
  composeWithoutLoading: 'Compose without loading',
  sendWithoutIfMatch: 'Send without If-Match: patches whatever version is current',
  byIdTitle: 'Patch a record by ID',
  byIdType: 'Resource type',
  byIdId: 'ID',
  byIdHint: '7f0e52d4-…',
  byIdBad: 'An ID has 1 to 64 letters, digits, hyphens and dots.',
  byIdOpen: 'Load and compose',
} as const;
