import type { AppSection } from './app-section.ts';
import { checkAddresses, profileAddresses, qualityAddresses } from './quality-addresses.ts';

/** Addresses of training data and exercises, for docs/api.md. */
const trainingSections: readonly AppSection[] = [
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
    title: 'Practice store',
    text: 'A second data folder (`practice` in the data folder), opened by the same program as a server of its own. The page reaches it as a connection. The addresses of training and practice concern it if `X-Chartkeeper-Connection` names its connection.',
    rows: {
      'GET /app/practice-store 200': '`connection`?, the ID of its connection, once it was opened.',
      'POST /app/practice-store 200':
        'Opens it, adds its connection if it is missing, and stores the missing records of the set `clean`: `connection`, and how many were `stored` and `unchanged`. No body.',
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

/** How a client starts: it exchanges a code for a token. */
export const signInSection: AppSection = {
  title: 'Signing in',
  text: 'Every request needs a token, sent as `Authorization: Bearer TOKEN`, except a sign-in, `/fhir-r4/v1/metadata`, the SMART configuration and `/oauth2/token`. `serve` prints a link, `http://HOST:PORT/#code=CODE`, and `chartkeeper link` prints another. The code after `#code=` works once, within an hour. `POST /app/sign-in` with `Content-Type: application/json` and `{"code": "CODE"}` returns `token`, which is valid until 12 hours after its last use. A program that stays signed in uses the token in the file of `--token-file`, or one created with `POST /app/tokens`.',
  rows: {
    'POST /app/sign-in 200':
      'Needs no token. `{"code"}`: exchanges a code, once, for a session: `token`, `expires` (12 hours after its last use), `scope` (scopes separated by spaces), `name` (the author of its writes). A used, expired or unknown code is 401.',
    'POST /app/sign-out 204':
      'Needs the token of a session, with any scopes, and ends that session. For a sign-in at a provider it ends all sessions of the person, and returns 200 with the `address` at which a browser ends the sign-in there. 422 if the token belongs to no session.',
    'GET /app/openid 200':
      'Needs no token. `address` at which a browser starts a sign-in at the provider of `--openid`; absent if there is none. The sign-in ends at `/app/openid/callback`, with a code for `POST /app/sign-in`.',
    'POST /app/sign-in-codes 201':
      '`{"scope"?}`: a code for another browser or a test, with the caller’s scopes or fewer: `code`, `link`, `expires` (in an hour). The code and its session end with the session or token that created it.',
    'GET /app/sessions 200':
      '`sessions`, most recently used first: `id`, `name` (the author of its writes), `person`?, `begun`, `used`, `scope`, and whether it is the `current` one.',
    'DELETE /app/sessions/{id} 204': 'Ends a session.',
  },
};

export const appSections: readonly AppSection[] = [
  {
    title: 'Overviews',
    rows: {
      'GET /app/overview 200':
        '`version` of the program; `folder`, its data folder; `level` of validation (`off`, `standard`, `strict`); `counts` of records by type; `subjects`: up to 12 with the newest records, `id` and number of `records`; `rebuild`, as in `POST /app/quality/judge`; `judged`: `rules`, and `at`, when all records were last checked, absent if some were checked with other rules; `damage`: number of damaged `records`, and `scrub` as in `GET /app/damage`; `disk`: `ok` or `full`; `absent`: the parts that a server with a shared store does not offer (their addresses are 501).',
      'GET /app/overview/records 200':
        '`since` is an instant. `statuses`: records by type and status. `changed`: `changes` since then, newest first, at most 12: `author`, `operation`, number of `versions` and of distinct `records` written like this, `lastUpdated` and `record` (`type`, `id`, `title`) of the newest; number of `versions` and of distinct `records` changed since then; whether there may be `more`. `patients`: up to 12 with the newest records: `id`, `name` (empty if their newest records have none), `records` by type, `lastUpdated`.',
      'GET /app/changes 200':
        'A stream of events (`text/event-stream`), open while the client reads and the token is valid, with a comment at least every 15 seconds: `changes`, the newest version of each record changed since the previous event (`type`, `id`, `version`, `lastUpdated`, `author`), at most 200, and how many `more` records changed; `findings`, at most once a second, if issues changed without a write, or the progress of checking changed.',
      'GET /app/find 200':
        'Finds `q` (at most 200 characters): words or beginnings of words in names, titles, displays, identifiers and narratives; a code; an ID, its beginning (at least 4 characters), or a reference that contains one. `patients`: `id`, `name`, number of `records`; `records`, by `type`: `found`, each with `id`, `title`, `status`, `date`, `end` and its `patient`. Best match first, then newest first, at most `limit` (8, at most 50) in each group. `behind`: number of versions that the index has not read yet; null if the index is unavailable.',
      'POST /app/issue-counts 200':
        '`{"type", "ids"}`, at most 1000 IDs: an object with `[errors, warnings]` by ID. Records without issues are omitted.',
      'GET /app/facets/{type}/{name} 200':
        'The values of one element in the matches of a search: `values`, most frequent first (months latest first), each with `label`, `count`, the `pairs` that narrow the search to it, and for issues the `rule`; `total`, the number of values. `name` is one of the type’s filters (`status`, `date` by month, ...) or `findings`; `count` is 10, at most 200; all other pairs are those of the search.',
      'POST /app/subject-names 200':
        '`{"of"}`, at most 200 IDs of subjects, or names of records (`CarePlan/17`), which represent their subjects: `names` by each, if a record has one.',
      'POST /app/reference-names 200':
        '`{"of"}`, at most 200 literal references: `names` by each that resolves to a stored related resource, with its `type`, `name` and `modifiers`, each with `words` and `negates`, which means that they come before the name.',
      'GET /app/history/{type}/{id} 200':
        'The versions of a record without their texts: `total`; `versions`, newest first: `version`, `lastUpdated`, `operation` (`create`, `update`, `patch`, `import`), `author` (the token or session), `person`? (the profile), `reason`?, number of `changes` since the previous version, the first three of them as JSON Pointers in `paths`, and described in `named` (`kind`: `added`, `removed`, `moved`, `changed`; `pointer`; `from`? in the previous version; `title`?), `damaged` if its text is; `next`, which is `page` of the next page. `count` is 50, at most 200.',
      'GET /app/provenance 200':
        'The author and the reason of each version of all records, as FHIR R4 Provenance in NDJSON, oldest first.',
      'GET /app/provenance/{type}/{id} 200': 'The same for one record.',
    },
  },
  {
    title: 'People',
    text: 'A session has a person, whose name is stored next to the session’s with each write. A created token has none, and no header names one.',
    rows: {
      'GET /app/people 200':
        '`people` by name, each with `id` and `name`; `current`?, the ID of the person of the calling session.',
      'POST /app/people 201': '`{"name"}`: the person with that name, created if unknown: `id`, `name`.',
      'PUT /app/people/{id} 200':
        '`{"name"}`: renames a person; 409 if someone else has the name. Saved versions keep the previous name.',
      'DELETE /app/people/{id} 204': 'Removes a name from the list.',
      'PUT /app/person 204':
        '`{"id"}`: sets the person of this session, null for none; a new session starts with the last person of its name. 422 if the token belongs to no session.',
    },
  },
  {
    title: 'Damaged records',
    text: 'A read of a stored text that fails its checksum is 500. Searches and histories have an OperationOutcome in its place, an export has one in its last line. An update (PUT) with the complete record repairs it.',
    rows: {
      'GET /app/damage 200':
        '`scrub`: when all texts were last `read` completely (`ended`, or null), their number and how many were `found` damaged; `running`: null, or `done` and `total`. `records`: `type`, `id`, `version` of each damaged text, whether it is the `current` version, when it was first `noticed`; `backups` with an intact copy, or with the newest version before it (`name`, `version`, `time`); none for a shared store, whose backups are the database’s.',
      'POST /app/damage/scrub 202':
        'Starts an integrity check of all texts, unless another server of the store runs one; returns `scrub`. No body.',
      'POST /app/damage/{type}/{id}/mend 200':
        '`{"backup"}`: stores the backup’s version of a damaged record as a new one, and restores the texts of older versions that it contains; returns the record. 404 if there is no such record or backup, 422 if there is nothing to repair, or no intact copy; 501 with a shared store.',
    },
  },
  {
    title: 'Audit log',
    text: 'Who did what to which record. An entry has `seq`, increasing from 1, `time`, `who` (name of the token, empty if nobody was signed in), `action`, `what` (the address of a record or a search, a token’s ID, a file’s name, or the ends and the source of moved chains), `before` and `after` (versions, if one was written), `status` (0 from the command line), `requestId`. The actions are `read`, `search`, `create`, `update`, `patch`, `delete`, `sign-in`, `sign-out`, `token-create`, `token-revoke`, `backup`, `restore`, `reset`, `seal`, `erase`, `finding`, `move`.',
    rows: {
      'GET /app/audit 200':
        '`entries`, newest first, and `next`, which is `before` of the next page. `person`? and `reason`? as in the history. `text` searches who, person, what and request ID; `action`; `outcome` is `done` or `refused`; `since` is an instant; `changes=true` omits entries that changed no record.',
      'GET /app/audit/actions 200':
        '`actions`: each `action` with its number of `entries` that match the same parameters; actions without entries are omitted.',
      'GET /app/audit/events 200': 'Every entry as an AuditEvent, one per line (`application/fhir+ndjson`).',
      'POST /app/audit/verify 200':
        'Verifies the complete chain: number of `entries`; `broken`, absent if the chain is intact: the first entry that was changed, `seq` and `reason`. No body.',
      'GET /app/losses 200':
        '`losses`, newest first: acknowledged writes that a start found missing: `id`, `noticed`, `atLeast` (how many), `cause` in sentences, whether someone has acknowledged it (`read`).',
      'POST /app/losses/{id}/read 204': 'Marks the loss as acknowledged. No body.',
    },
  },
  {
    title: 'Backups',
    text: 'A backup has `name`, `time`, `bytes`, `kind` (`timed`, `asked`, `migration`, `reset`, `restore`, `replaced`); `place` (`second` if the data folder lacks it, otherwise `first`), `copied` (the second location has it too); `compared`: how many `texts` were compared with their SHA-256 when it was made and which are `damaged` (`type`, `id`, `version`), or null if they were not compared.',
    rows: {
      'GET /app/backups 200':
        '`folder`, `backups` (newest first, by the numbers in their names), `skipped`: names of backups that are not a file but a link, a pipe, a device or a folder, `secondPlace`: null, or its `folder`, `state` (`good`, `copying`, `away`, `failed`), `problem` in a sentence or null, number of `lacking` copies, when a copy was last `compared`, or null.',
      'POST /app/backups 201': 'Makes a backup now and returns it. No body.',
      'PUT /app/backups/second-place 200':
        '`{"folder"}`: a folder on another disk to which each backup is copied, null for none; returns the list. The folder must exist and must not belong to another data folder, otherwise 422.',
      'POST /app/backups/{name}/restore 200':
        'Replaces the records with a backup: `restored`, the replaced records as `before`, and `erased`: the records that were skipped, as `CarePlan/abc`. 409 if a text in it is damaged and the backup does not say so, 422 if it is invalid otherwise; both name the next intact one. No body.',
    },
  },
  {
    title: 'Erasures',
    text: 'An erased record is 410 on read, vread, history, update and patch, without an ETag. Searches do not find it, and neither a restore nor an import brings it back: the response of `POST /app/backups/{name}/restore` lists skipped records as `erased`.',
    rows: {
      'GET /app/erasures 200':
        '`erasures`, newest first: `type`, `id`, `time`, `who`, `reason`, the `backups` that still contain something of the record (`name`, `time`, `place`), including those of the workspace and of the second location, and `unseen`, the second location if it can’t be read. For a shared store no backup is listed, because they are the database’s.',
      'POST /app/erasures 201':
        '`{"type", "id", "reason"}`: erases a record with all its versions, drafts and issues, or a related resource with those that are about it; returns the erasure with its `backups`, also if it was erased before. The reason is one line of at most 500 characters. Only for the owner: a created token is 403. 404 if there is no such record.',
    },
  },
  {
    title: 'Import and export',
    rows: {
      'POST /app/import 200':
        'A record or a Bundle (`application/json`, `application/fhir+json`), or one record per line (`application/x-ndjson`, `application/ndjson`, `application/fhir+ndjson`). `keepIds` and `dryRun` are `true` or `false` (the default), `level` is `off`, `standard` or `strict` (the server’s by default). Resources of other types are stored as related resources. The response is NDJSON with a line for each: `place` (line or entry, from 1; absent for a single record), `result` (`stored`, `unchanged`, `refused`; `kept` or `replaced` for a related resource; `skipped` for an OperationOutcome or Parameters), `record` (`CarePlan/17`, `Patient/3`), `reason` of a refusal, or the skipped type. A refusal also has the `messageCode` and `parameters`? of its sentence, the `expression`? of the element, the number of `more`? problems, and `storable`?, which is true if only rules refused the record, so that `level=off` stores it with its issues. The last line is `{"done": …}` with the number of each result, and `companions`?, by type, and the ID of the `batch`, unless it was a dry run. If it is missing, the import was interrupted. Several requests can bring one batch: each sends the same UUID as `batch`, and all but the last send `more=true`. `name` names the batch, and `form` (`page`, `command` or `http`) says how it came.',
      'GET /app/export 200':
        'The current records as NDJSON, as stored. `type` names one type, and can be repeated; all other parameters are those of a search. An OperationOutcome in the last line names skipped damaged records.',
    },
  },
  {
    title: 'Exports of other servers',
    text: 'A bulk export (`$export`) that this server requests from a connection, to import its files as one batch. It goes on without the page and after restarts. It has `id`, `connection`, `host`, `started`, `group`?, `state` (`running`; `waiting` until `until`; `asking`: see `servers`; `stopped`, `failed`, `done`), `step` (`request`, `prepare`, `download`, `import`), `progress`? in the words of the other server, `fault`?, a sentence, `files`? (`total`, `read`), `bytes`? that were read, `result`?, as the last line of `POST /app/import`, and `problems`?, its lines about the first 100 refused parts.',
    rows: {
      'GET /app/server-exports 200': 'The exports as an array, newest first.',
      'POST /app/connections/{id}/server-exports 202':
        '`{"group"?, "since"?, "types"?, "keepIds"?, "level"?}`: requests everything, or the patients of a group, optionally only what changed since an instant, and only some resource types. Resources keep their addresses at the other server as their source. `keepIds` and `level` are those of an import.',
      'POST /app/server-exports/{id}/servers 202':
        '`{"servers": [{"origin", "sendsToken"}]}`: allows servers that have files of an `asking` export. Nothing is sent to another server before. The token of the connection goes along only if `sendsToken` is true and the server of the export says that its files require it (`requiresToken`).',
      'POST /app/server-exports/{id}/resume 202':
        'Continues a failed export at the step that failed. No body.',
      'POST /app/server-exports/{id}/stop 200':
        'Stops it, cancels it at the other server (DELETE), and removes the files that were read. What was imported stays. `fault` says if the other server did not confirm it. No body.',
      'DELETE /app/server-exports/{id} 204': 'Removes it from the list after its end; 422 before.',
    },
  },
  {
    title: 'Import batches',
    text: 'Each import is a batch. It has `id`, `name` (empty if nobody named it), `form` (`page`, `command` or `http`), `time`, `author`, `person`?, `state` (`running`, `stopped` before its end, `done` or `undone`), `ended`?, the `counts` of its entries by result, and `undone`? (`time`, `author`, `person`?, `reason`?). Searches find its records with `import-batch=ID`, and the worklist narrows to them with `batch=ID`. An undo removes the records that are new with the batch and unchanged since. They are 410 on every address like erased ones, but keep their versions, and an import with `keepIds=true` stores the next version. Erasures remove what batches keep of the erased.',
    rows: {
      'GET /app/batches 200':
        '`batches`, newest first, and `next`?. `count` is 50 by default, `after` the `next` of the page before.',
      'GET /app/batches/{id} 200':
        'The batch with `records`: how many are `asImported`, `changed` since, `removed` by an undo, and how many have issues (`withIssues`).',
      'GET /app/batches/{id}/lines 200':
        '`lines` of the report in the order in which they were stored, each with its `position`, and `next`?. `result`, `count` and `after` narrow them.',
      'POST /app/batches/{id}/lines 200':
        '`{"lines", "done"?}`: adds lines of entries that the client could not read (`refused` or `skipped`). `done` ends the batch. Returns the batch.',
      'GET /app/batches/{id}/compared 200':
        'Compares its records with those of the batch `with` by the addresses that they came with: `counts` (`new`, `gone`, `different`, `same`) and the differing `records` (`kind`, `address`, `record`?, `other`?), sorted by address, and `next`?. `kind`, `count` and `after` narrow them.',
      'POST /app/batches/{id}/undo 200':
        '`{"dryRun"?, "reason"?}`: undoes the batch, or returns what an undo would do: records `removed`, `restored` to the version before, and `changed` since, which stay; the first 1,000 of these as `changedRecords`; related resources `resourcesRemoved`, `resourcesRestored` to their former text, and `resourcesKept` because something else refers to them. 422 if it is running or was undone.',
      'GET /app/removed/{type}/{id} 200':
        'How an undo removed the record (`version`, `time`, `author`, `person`?, `reason`?), and its `versions`, newest first, each with its exact `text`.',
    },
  },
  {
    title: 'Related resources',
    text: 'Resources of other types from imports: read-only, outside the FHIR API, of any resource type of FHIR R4. They are returned unchanged.',
    rows: {
      'GET /app/companions 200': '`types`: each `type` with its `count`.',
      'DELETE /app/companions 200': 'Removes all of them: `removed`.',
      'GET /app/companions/resolve 200':
        '`reference`: the target of a literal reference, by its fullUrl (`urn:` or address), or by type and ID, with or without `_history`; `Content-Location` names it. 404 if there is none.',
      'GET /app/companions/export 200':
        'The related resources as NDJSON; `type` names a type, and can be repeated. An OperationOutcome in the last line names skipped damaged ones.',
      'DELETE /app/companions/{type} 200': 'Removes those of a type: `removed`.',
      'GET /app/companions/{type}/{id} 200': 'The resource.',
    },
  },
  {
    title: 'FHIR packages',
    text: 'Packages with the profiles for checking records, in `packages` of the data folder or shared by the servers of a store. An installed one has `file` (its name there, and in addresses), `state` `held`, `name`, `version`, `title`, `counts` of its definitions by kind, `dependencies` (`name`, `version`, `state`: `held`, `own` if Chartkeeper includes it, `other` if another version is installed, `lacking`), `profiles` on the served types (`url`, `version`, `type`, `title`, `usable`, and the missing canonicals in `lacks`) and `notes` on unreadable files in it. Others have `state` `reading`, or `refused` with the `problem`. The preference `profiles` names the profile for each record of a type.',
    rows: {
      'GET /app/packages 200': '`folder` (absent if servers share them), and `packages` by their files.',
      'POST /app/packages 201':
        'A published package (`application/gzip`), or uncompressed (`application/x-tar`), at most 128 MiB; returns the package. 200 if it was already installed. 400 says why it is refused: it is damaged, contains links or paths outside itself, or is too large; 409 if the same version is installed with other content.',
      'POST /app/packages/look 200':
        'Reads the folder again, including packages that were copied there; returns the list. No body.',
      'DELETE /app/packages/{file} 204': 'Removes a package and the issues of its profiles.',
      'GET /app/profiles 200':
        '`url`, with or without `|version`: a profile as the editor shows it: `url`, `version`, `type`, `title`; `elements` that it requires, forbids, slices or marks as must support: `path`, `short`, `min`, `max`, `mustSupport`, names of `slices`. 404 if no package has it.',
    },
  },
  qualityAddresses,
  checkAddresses,
  profileAddresses,
  {
    title: 'Bulk edits',
    text: 'A bulk edit (run) replaces elements in many records. The client does the work, and the server stores the run, so it can resume after a crash. The newest 50 runs are kept. A run has `id`, `label`, `operations`, `state` (`running`, `stopped`, `finished`), `created`, `updated`, and `counts` of its targets by state; `undoes`? (the run that it undoes), `undo`? (the `run` that undoes it, `done`, the number of restored records, and `stands`, false if it was undone itself), `erased`? (number of its records erased since). The runs are those of the server that `X-Chartkeeper-Connection` names.',
    rows: {
      'GET /app/bulk 200': 'The runs as an array, newest first.',
      'POST /app/bulk 201':
        '`{"label", "operations"}`: 1 to 20 operations: `path` (JSON Pointer; `*` for each item of an array), `now`? (JSON text of the required current value) and `value` (JSON text); or, with `kind` `compute`, `expression` (FHIRPath, for each element) instead of `value`; or `kind` `fix` and `fix`, the ID of a quick fix. Or `{"label", "undoes"}`, the ID of a stopped or finished run, once: an undo whose targets are the records that the run wrote. Returns the run, `stopped`.',
      'GET /app/bulk/{id} 200': 'The run.',
      'PUT /app/bulk/{id} 200': '`{"state"}`; returns the run.',
      'DELETE /app/bulk/{id} 200': 'Removes the run and returns its last state.',
      'GET /app/bulk/{id}/targets 200':
        '`targets` in the order of their places, at most 1000, and `next`, which is `after` of the next page.',
      'POST /app/bulk/{id}/targets/{place}/put-back 200':
        'One step of an undo on this server: stores the version `before` again, over the version that the run wrote. Errors that the run fixed come back with it. Returns `{}` with `ETag`; 412 if there is another version. `X-Provenance` can give the reason.',
      'POST /app/bulk/{id}/targets 200':
        'An array of at most 1000 targets, new ones or existing ones with a new state: `place` (from 0), `type`, `id`, `title`, `state`, and `version`?, `etag`? (of the version that was read or written), `before`? (`version` and `etag` of the replaced version, or of the version that an undo restores), `detail`? (the reason in a sentence). States are `waiting`, `ready`, `unchanged`, `cannot`, `refused`, `unread`, `done`, `changed`, `gone`, `failed`. Returns `saved`, their number.',
    },
  },
  {
    title: 'Drafts',
    text: 'Unsaved changes, never a version. A draft belongs to one window, and has `id`, `type`, `recordId`, `title`, `baseVersion`? and `baseEtag`? (of the version that it started from), `window`, `saved`. The client chooses IDs of drafts and windows: 1 to 64 letters, digits and hyphens. The drafts are those of the server that `X-Chartkeeper-Connection` names.',
    rows: {
      'GET /app/drafts 200': 'The drafts as an array, last saved first, without their texts.',
      'GET /app/drafts/{id} 200': 'The draft with `text` and `base`, the text that it started from.',
      'PUT /app/drafts/{id} 200':
        '`{"type", "recordId", "title", "baseVersion"?, "baseEtag"?, "window", "text", "base"?}`: saves it; returns the draft without its texts. `base` is optional while the base version stays the same, otherwise 400. 409 if another window has it, 410 if the record was erased.',
      'POST /app/drafts/{id}/claim 200':
        '`{"window"}`: assigns the draft to this window; returns the draft with its texts.',
      'DELETE /app/drafts/{id} 200': 'Removes it, if it exists; returns `{}`.',
    },
  },
  {
    title: 'Searches',
    text: 'A search is `type` and `pairs`, at most 50 arrays of a parameter’s name and its value: `{"type": "CarePlan", "pairs": [["status", "active"]]}`. A saved one also has `id` and `name`. The searches are those of the server that `X-Chartkeeper-Connection` names.',
    rows: {
      'GET /app/recents 200': 'The last 20 searches as an array, newest first, each once.',
      'POST /app/recents 200': 'A search, which becomes the newest; returns the array.',
      'DELETE /app/recents 200': 'Deletes them; returns the empty array.',
      'GET /app/searches 200': 'The saved searches as an array, by name.',
      'POST /app/searches 201':
        '`{"name", "type", "pairs"}`: saves a search and returns it. A name is 1 to 80 characters, without leading or trailing spaces. 409 if another has the name, 422 if 200 are saved.',
      'PUT /app/searches/{id} 200':
        '`{"name"}`: a new name; returns the saved search. 409 if another has the name.',
      'DELETE /app/searches/{id} 200': 'Removes it; returns the array of the others.',
    },
  },
  {
    title: 'Connections and gateway',
    text: 'Remote FHIR servers and the gateway to them. Settings are `name` and `baseUrl`, and with defaults: `colour` (`gray`, `red`, `pink`, `purple`, `violet`, `indigo`, `blue`, `cyan`, `teal`, `green`, `lime`, `yellow`, `orange`), `environment`? (`production`, `test`, `training`, `development`), `mode` (`read-only`, `confirm`, `normal`), `authentication`, `caFile` (path of a PEM file), `proxy` (`kind`: `default`, the preference `proxy`; `system`, the system’s settings in the desktop app, otherwise HTTPS_PROXY and NO_PROXY; `none`; `address` with `url`, `http://host:port`, and `user`?), `clientCertificate` (`kind`: `pem` with `certificateFile` and `keyFile`, `pkcs12` with `file`), `timeoutSeconds` (30; 1 to 300), `encounterParameter` (`encounter`), `patchType` (`application/json-patch+json` or `application/json`). `authentication` has `kind`: `none`; `bearer`; or `client-credentials`, `smart-backend`, `authorization-code`, which have `clientId`, `scope`?, `tokenEndpoint`?; the second also has `algorithm` (`RS384`, `ES384`) and `keyId`?, the third `authorizationEndpoint`?. A connection is its settings with `id`, `host`, `secretSet`, `proxySecretSet`, `certificateSecretSet`, `access` (`open`, `ready`, `needs-secret`, `needs-sign-in`, `signing-in`), `accessFault`?, a sentence, and `accessMessage`?, the same with its `messageCode` and `parameters`.',
    rows: {
      'GET /app/connections 200':
        '`connections`, the storage of their `secrets`: `session` (memory), `file`, `system` (keychain), and `proxySecretSet` of the default proxy.',
      'POST /app/connections 201':
        'Settings; returns the connection. 409 if another has the name, 422 if there are 50.',
      'PUT /app/connections 200':
        '`{"order"}`, IDs in the new order of the list; others follow in their current order. Returns the list.',
      'GET /app/connections/{id} 200': 'The connection.',
      'PUT /app/connections/{id} 200':
        'All its settings; returns the connection. Each secret is deleted if its destination changes: `baseUrl`, `authentication`, `caFile` or `proxy` for the secret, `proxy` for its password, `clientCertificate` for its passphrase. 409 if another has the name.',
      'DELETE /app/connections/{id} 204':
        'Removes it with its secret, and with the drafts, searches, tabs and bulk edits of its base URL if no other connection has that.',
      'PUT /app/connections/{id}/secret 204':
        '`{"secret"}`: the token, the client’s secret or the private key (PEM or JWK), depending on the authentication. It is never returned.',
      'DELETE /app/connections/{id}/secret 204': 'Deletes the secret and the tokens obtained with it.',
      'PUT /app/connections/{id}/secrets/{kind} 204':
        '`{"secret"}`: the password of the `proxy`, or the passphrase of the client’s `certificate`. The ID `default` is the default proxy’s. Never returned.',
      'DELETE /app/connections/{id}/secrets/{kind} 204': 'Deletes it.',
      'POST /app/connections/test 200':
        'Tests `settings` and changes nothing. Optional `secrets` (`secret`, `proxy`, `certificate`) are used for the test, and with an `id`, the stored secrets of that connection if they go to the same destination. Same response as the next endpoint.',
      'POST /app/connections/{id}/test 200':
        'Tests the connection and reads the server’s capabilities: `ok`, `ms` and `steps`, each with `step` (`name`, `proxy`, `connection`, `tls`, `authentication`, `fhir`, `rights`), `outcome` (`done`, `failed`, `skipped`), `text`, `messageCode` and `parameters`?. If not ok, `text` gives the reason, with its `messageCode` and `parameters`?; otherwise `software`?, `version`?, `fhirVersion`?, `formats`, `types` (by type `versioning`?, `patch`, `history`, `create`, `update`), `remarks` in sentences, and `remarkMessages`, the same with their codes. No body.',
      'POST /app/connections/{id}/sign-in 200':
        'Only for `authorization-code`, otherwise 422: `address` to open in a browser, and `ends`, its expiry; `access` of the connection shows the result. No body.',
      'POST /app/connections/{id}/sign-out 204': 'Deletes its tokens. No body.',
      'POST /app/connections/sign-out 204': 'Deletes the tokens of all connections. No body.',
      'any /app/connections/{id}/fhir-r4/v1/* 200':
        'Forwards a request of the operations above to the server, and returns its response with its status (`*` is the path and query). A write is 403 in the mode `read-only`, and in `confirm` 428 unless `X-Chartkeeper-Confirmed` names the host. A response of the gateway has the connection’s ID in `X-Chartkeeper-Connection`. 502 and 504 if there was no usable response; with `X-Chartkeeper-Unconfirmed: true`, a write may have succeeded.',
      'GET /app/connections/{id}/quality 200':
        'The worklist of the server’s records as in `GET /app/quality`, and `job`: `state` (`none`, `running`, `waiting`, `stopped`, `failed`, `done`), records `read` since its start (`since`?), `total`? if the server returns it, `until`? and `fault`? while it waits or after a failure, `remarks`: the lists that the server refuses.',
      'GET /app/connections/{id}/quality/findings 200': 'Its issues, as in `GET /app/quality/findings`.',
      'GET /app/connections/{id}/quality.csv 200': 'All of them as CSV.',
      'POST /app/connections/{id}/quality/judge 202':
        '`{}`: starts, resumes, or reads changes since the last run; `{"from": "start"}` reads all records again, and removes deleted ones. Returns the `job`, which continues without the page and after restarts.',
      'POST /app/connections/{id}/quality/stop 200': 'Stops it; returns the `job`. No body.',
      'GET /app/connections/{id}/page 200':
        'The next page of a Bundle: `link` is the absolute address of its link, below the base URL, `type`? is the searched type.',
    },
  },
  {
    title: 'Tokens',
    text: 'A token has `id` (its `client_id` at `/oauth2/token`), `name`, `scopes` (an array), `created`, `expires`?, `lastUsed`? (to the minute), `revoked`?, `ended: true` if the session or token that created it has ended, and `current: true` if the request used it.',
    rows: {
      'GET /app/tokens 200': 'The tokens as an array, newest first.',
      'POST /app/tokens 201':
        '`{"name", "scopes", "expiresIn"?}`: creates a token with 1 to 20 SMART scopes, such as `system/*.read`, valid for the given seconds or until it is revoked: `id`, and `token`, which is returned only here. `name` is the author of its writes: at most 100 characters, and not `owner`.',
      'DELETE /app/tokens/{id} 200': 'Revokes it, and ends the sessions started with it; returns the token.',
    },
  },
  {
    title: 'Activity',
    text: 'Requests and jobs of the workbench. Each entry has `seq`, `time`, `connection` (a name) and `kind`. A request’s kind is `search`, `read`, `history`, `write`, `validate` or `app`, and it has `method`, `path` (with its query), `status` (0 if the client disconnected), `ms`, `requestBytes`, `answerBytes`, `requestId` and `record`? (`type`, `id`, versions `before`? and `after`?). A job’s kind is `bulk`, `import`, `export` or `training`, and it has `note` and `counts`.',
    rows: {
      'GET /app/activity 200':
        '`entries`, newest first, the `total` of matches, and `next`, which is `before` of the next page. `text` searches paths, notes and request IDs; `method`; `status` is `2xx`, `3xx`, `4xx` or `5xx`; `kind`; `since` is an instant; `after` is a `seq`; `count` is 100, at most 500.',
      'POST /app/activity 201':
        '`{"kind", "note", "counts", "connection"?}`: adds a job: a sentence of at most 500 characters and at most 20 integers by name; returns the entry.',
      'DELETE /app/activity 200': 'Clears it; returns `cleared`, the number of entries.',
    },
  },
  ...trainingSections,
  {
    title: 'Settings of the workbench',
    rows: {
      'GET /app/preferences 200':
        '`theme` (`light`, `dark`, `auto`), `density` (`comfortable`, `compact`), `dateLanguage` (`iso`, `en-GB`, `en-US`, `de`, `fr`, `es`, `it`, `nl`), `sidePanel`, `inspector`, `inspectorUnfolded`, `preview`, `filters`, `practice`, `minimap`, `csvForExcel` and `wordWrap` (true or false), `inspectorTab` (`summary`, `issues`, `history`), `recordView` (`read`, `json`, `both`, or null to follow the window’s width), `editorFont` (12, 13, 14, 16 or 18 pixels), `draftPause` (500, 2000 or 10000 milliseconds), `keys` (shortcuts of commands by ID, empty for none), `demandReason` (whether writes of people without a reason are 422), `proxy` (as in a connection, for connections with the default), `thresholds` (`warnAbove`? and `failAbove`?, in records, by rule ID), `profiles` (a canonical by type), `readingShare`, `inspectorWidth` and `searchColumns` (any JSON of the client, or null).',
      'PUT /app/preferences 200': 'The changed ones; the others stay. Returns all of them.',
      'GET /app/settings/files 200':
        'Connections (without secrets), saved searches, columns and preferences as files for git: `files`, each with `path` and `text`, the same bytes for the same settings. `chartkeeper.json` has format and version. Names replace IDs; `Local` is this server.',
      'POST /app/settings/files 200':
        '`{"files", "dryRun"}`: imports the valid files, or only reports the effects: `dryRun`, and `lines`, each with `path`, `result` (`new`, `changed`, `same`, `refused`) and `text`? (the changes, or the reason of a refusal). Nothing is removed. A connection with a new destination loses its secret.',
      'GET /app/session 200':
        'The open tabs on the server that `X-Chartkeeper-Connection` names: `tabs`, each `{"kind": "record", "record"}` or `{"kind": "view", "view"}`; index of the `active` one, -1 for the search; `search`? (`type`, `pairs`); `recent` records, newest first. A record has `type`, `id`, `title`.',
      'PUT /app/session 200': 'The complete session, in the same form; returns the request body.',
    },
  },
];
