import type { AppSection } from './app-section.ts';
import { checkAddresses, profileAddresses, qualityAddresses } from './quality-addresses.ts';
import { trainingSections } from './training-addresses.ts';

/** How a client starts: it exchanges a code for a token. */
export const signInSection: AppSection = {
  title: 'Signing in',
  text: 'Every request but a sign-in, `/fhir-r4/v1/metadata`, the SMART configuration and `/oauth2/token` needs a token, sent as `Authorization: Bearer TOKEN`. `serve` prints a link, `http://HOST:PORT/#code=CODE`, and `chartkeeper link` another. Exchange what stands behind `#code=`, once and within an hour: `POST /app/sign-in` with `Content-Type: application/json` and `{"code": "CODE"}` answers `token`, which is good for 12 hours after its last use. A program that is to stay signed in uses the token in the file of `--token-file`, or one made at `POST /app/tokens`.',
  rows: {
    'POST /app/sign-in 200':
      'Needs no token. `{"code"}`: exchanges a code, once, for a session: `token`, `expires` (12 hours after its last use), `scope` (scopes with a space between two), `name` (the author of what it writes). A code that is used, old or unknown is 401.',
    'POST /app/sign-out 204':
      'Needs the token of a session, of whatever scopes, and ends that session; of who signed in at a provider, all of theirs, and 200 has its `address` where a browser ends the sign-in there. 422 where the token is of none.',
    'GET /app/openid 200':
      'Needs no token. `address` at which a browser begins a sign-in at the provider of `--openid`; absent where there is none. It ends at `/app/openid/callback`, with a code for `POST /app/sign-in`.',
    'POST /app/sign-in-codes 201':
      '`{"scope"?}`: a code for another browser or a test, of the asker’s scopes or fewer: `code`, `link`, `expires` (an hour). It ends with the session or token that made it, and so does its session.',
    'GET /app/sessions 200':
      '`sessions`, the one used last first: `id`, `name` (the author of what it writes), `person`?, `begun`, `used`, `scope`, and whether it is the `current` one.',
    'DELETE /app/sessions/{id} 204': 'Ends a session.',
  },
};

export const appSections: readonly AppSection[] = [
  {
    title: 'Overviews',
    rows: {
      'GET /app/overview 200':
        '`version` of the program; `folder`, its data folder; `level` of validation (`off`, `standard`, `strict`); `counts` of records by type; `subjects`: up to 12 with the newest records, `id` and number of `records`; `rebuild` as `POST /app/quality/judge` answers it; `judged`: `rules`, and `at`, when all records were last judged, absent where some were not by these rules; `damage`: number of damaged `records`, and `scrub` as `GET /app/damage` has it; `disk`: `ok` or `full`; `absent`: of a server over a shared store, the parts that it does not offer yet, whose addresses are 501.',
      'GET /app/overview/records 200':
        '`since` an instant. `statuses`: records by type and status. `changed`: `changes` since then, newest first, at most 12: `author`, `operation`, number of `versions` that were written so, and of distinct `records`, `lastUpdated` and `record` (`type`, `id`, `title`) of the newest; number of `versions` and of distinct `records` that changed since then; whether there may be `more`. `patients`: up to 12 with the newest records: `id`, `name` (empty where their newest records give none), `records` by type, `lastUpdated`.',
      'GET /app/changes 200':
        'A stream of events (`text/event-stream`) for as long as it is read and the token is taken, a comment at least each 15 seconds: `changes`, the newest version of each record that changed since the event before (`type`, `id`, `version`, `lastUpdated`, `author`), 200 at most, and how many `more` records changed; `findings`, where findings changed without a write, or how far the records are judged, at most once a second.',
      'GET /app/find 200':
        'What `q` (at most 200 characters) finds: words, or the beginning of some, in names, titles, displays, identifiers and narratives; a code; an id, its beginning (4 characters and more), or a reference that holds one. `patients`: `id`, `name`, number of `records`; `records`, by `type`: `found`, each `id`, `title`, `status`, `date`, `end` and its `patient`. Best match first, newest first among equals, at most `limit` (8, at most 50) in each group. `behind`: how many versions the index has still to read; null where it cannot be kept now.',
      'POST /app/issue-counts 200':
        '`{"type", "ids"}`, at most 1000 ids: an object with `[errors, warnings]` by id; a record without issues is left out.',
      'GET /app/facets/{type}/{name} 200':
        'The values that the matches of a search have of one element: `values`, the most frequent first (months the latest first), each with `label`, `count`, the `pairs` that narrow the search to it, and of findings the `rule`; `total`, how many values there are. `name` is one of the type’s filters (`status`, `date` by month, ...) or `findings`; `count` is 10, at most 200; all other pairs are those of the search.',
      'POST /app/subject-names 200':
        '`{"of"}`, at most 200 ids of subjects or names of records (`CarePlan/17`), which stand for their own subjects: `names` by each, where a record gives one.',
      'POST /app/reference-names 200':
        '`{"of"}`, at most 200 literal references: `names` by each that leads to a related resource here, with its `type`, its `name`, and its `modifiers`, each with `words` and `negates`, which says that they stand before the name.',
      'GET /app/history/{type}/{id} 200':
        'The versions of a record without their texts: `total`; `versions`, newest first: `version`, `lastUpdated`, `operation` (`create`, `update`, `patch`, `import`), `author` (the token or session), `person`? (who sat at the keyboard), `reason`?, number of `changes` since the version before, the first three of them as JSON Pointers in `paths` and with what became of each in `named` (`kind`: `added`, `removed`, `moved`, `changed`; `pointer`; `from`? in the version before; `title`?), `damaged` where its text is; `next`, which is `page` of the next page. `count` is 50, at most 200.',
      'GET /app/provenance 200':
        'Who wrote each version of all records and why, as FHIR R4 Provenance in NDJSON, oldest first.',
      'GET /app/provenance/{type}/{id} 200': 'The same of one record.',
    },
  },
  {
    title: 'People',
    text: 'A session has a person, whose name stands beside the session’s in what it writes. A token that was minted has none, and no header names one.',
    rows: {
      'GET /app/people 200':
        '`people` by name, each `id` and `name`; `current`?, the id of who sits at the keyboard in the session that asks.',
      'POST /app/people 201': '`{"name"}`: the person of that name, new where it is not known: `id`, `name`.',
      'PUT /app/people/{id} 200':
        '`{"name"}`: another name from now on; 409 where somebody else has it. What was saved keeps the name that it has.',
      'DELETE /app/people/{id} 204': 'Removes a name from the list.',
      'PUT /app/person 204':
        '`{"id"}`: who sits at the keyboard in this session, null for nobody; a new session begins as the last one of its name. 422 where the token is of no session.',
    },
  },
  {
    title: 'Damaged records',
    text: 'A stored text that fails its checksum is 500 on a read of it; searches and histories hold an OperationOutcome in its place, an export one in its last line. An update (PUT) with the whole record mends it.',
    rows: {
      'GET /app/damage 200':
        '`scrub`: when all texts were last `read` to their end (`ended`, or null), how many they were and how many were `found` damaged; `running`: null, or `done` and `total`. `records`: `type`, `id`, `version` of each damaged text, whether it is the `current` version, when it was first `noticed`; `backups` that hold it whole, or the newest version before it (`name`, `version`, `time`); none of a shared store, whose backups are the database’s.',
      'POST /app/damage/scrub 202':
        'Reads all texts from now, unless another server of the store does; the answer is `scrub`. No body.',
      'POST /app/damage/{type}/{id}/mend 200':
        '`{"backup"}`: stores the backup’s version of a damaged record as a new one, and puts the texts of older versions back where it holds them; the answer is the record. 404 where there is no such record or backup, 422 where there is nothing to repair, or nothing to repair it with; 501 over a shared store.',
    },
  },
  {
    title: 'Audit trail',
    text: 'Who did what to which record. An entry has `seq`, rising from 1, `time`, `who` (name of the token, empty where nobody was signed in), `action`, `what` (a record’s or a search’s address, a token’s id, a file’s name, of a move where the chains ended that came with it, and from where), `before` and `after` (versions, where one was written), `status` (0 from the command line), `requestId`. The actions are `read`, `search`, `create`, `update`, `patch`, `delete`, `sign-in`, `sign-out`, `token-create`, `token-revoke`, `backup`, `restore`, `reset`, `seal`, `erase`, `finding`, `move`.',
    rows: {
      'GET /app/audit 200':
        '`entries`, newest first, and `next`, which is `before` of the next page. `person`? and `reason`? as the history has them. `text` looks in who, person, what and request id; `action`; `outcome` is `done` or `refused`; `since` an instant; `changes=true` leaves out what changed no record.',
      'GET /app/audit/actions 200':
        '`actions`: each `action` with its number of `entries` among those that the same parameters let through; one without any is left out.',
      'GET /app/audit/events 200': 'Every entry as an AuditEvent, one a line (`application/fhir+ndjson`).',
      'POST /app/audit/verify 200':
        'Reads the whole chain again: number of `entries`; `broken`, absent where it is whole: the first entry that is not as it was written, `seq` and `reason`. No body.',
      'GET /app/losses 200':
        '`losses`, newest first: acknowledged writes that a start found missing: `id`, `noticed`, `atLeast` (how many), `cause` in sentences, whether somebody has `read` of it.',
      'POST /app/losses/{id}/read 204': 'Notes that somebody read of the loss. No body.',
    },
  },
  {
    title: 'Backups',
    text: 'Of a backup `name`, `time`, `bytes`, `kind` (`timed`, `asked`, `migration`, `reset`, `restore`, `replaced`); `place` (`second` where the data folder lacks it, else `first`), `copied` (the second place holds it too); `compared`: how many `texts` were compared with their SHA-256 when it was made and which are `damaged` (`type`, `id`, `version`), or null where nobody looked.',
    rows: {
      'GET /app/backups 200':
        '`folder`, `backups` (newest first, by the numbers in their names), `skipped`: names of backups under which no file lies but a link, a pipe, a device or a folder, `secondPlace`: null, or its `folder`, `state` (`good`, `copying`, `away`, `failed`), `problem` in a sentence or null, how many it is `lacking`, when a copy was last `compared`, or null.',
      'POST /app/backups 201': 'Makes a backup now; the answer is that backup. No body.',
      'PUT /app/backups/second-place 200':
        '`{"folder"}`: a folder on another disk that each backup is copied to, null for none; the answer is the list. It must be there, and no other data folder’s; else 422.',
      'POST /app/backups/{name}/restore 200':
        'Puts a backup in the place of the records: `restored`, what was there as `before`, and `erased`: the records that were left out, as `CarePlan/abc`. 409 where a text in it is damaged and it does not say so, 422 where it is not good otherwise; both name the next good one. No body.',
    },
  },
  {
    title: 'Erasures',
    text: 'An erased record is 410 on read, vread, history, update and patch, without an ETag; searches do not find it, and neither a restore nor an import brings it back: the answer of `POST /app/backups/{name}/restore` names what was left out as `erased`.',
    rows: {
      'GET /app/erasures 200':
        '`erasures`, newest first: `type`, `id`, `time`, `who`, `reason`, the `backups` that hold something of the record still (`name`, `time`, `place`), those of the workspace and of the second place among them, and `unseen`, the second place where that cannot be looked at. Of a shared store no backup is named: they are the database’s.',
      'POST /app/erasures 201':
        '`{"type", "id", "reason"}`: removes a record with all its versions, drafts and findings, or a companion with those that are about it; the answer is the erasure with its `backups`, also where it was erased before. The reason is one line of at most 500 characters. The owner alone: a minted token is 403. 404 where there is no such record.',
    },
  },
  {
    title: 'Import and export',
    rows: {
      'POST /app/import 200':
        'A record or a Bundle (`application/json`, `application/fhir+json`), or a record a line (`application/x-ndjson`, `application/ndjson`, `application/fhir+ndjson`). `keepIds` and `dryRun` are `true` or `false` (false where absent), `level` is `off`, `standard` or `strict` (the server’s where absent). Resources of other types are stored as related resources. The answer is NDJSON, a line for each: `place` (line or entry, from 1; absent for a record alone), `result` (`stored`, `unchanged`, `refused`; `kept` or `replaced` for a companion; `skipped` for an OperationOutcome or Parameters), `record` (`CarePlan/17`, `Patient/3`), `reason` of a refusal, or the type that was skipped; a refusal also has the `messageCode` and `parameters`? of its sentence, the `expression`? of the element, how many `more`? problems there are, and `storable`?, which is true if rules alone refused the record, so that `level=off` stores it with its issues. The last line is `{"done": …}` with the number of each result, and `companions`?, by type; where it is missing, the import was cut off.',
      'GET /app/export 200':
        'The current records as NDJSON, as they are stored. `type` names one type, and may be repeated; all others are the parameters of a search. An OperationOutcome in the last line names damaged records that were left out.',
    },
  },
  {
    title: 'Companions',
    text: 'Resources that an import brought with the records and that are none: read-only, outside the FHIR API, of any resource type of FHIR R4. They are answered as they came.',
    rows: {
      'GET /app/companions 200': '`types`: each `type` with its `count`.',
      'DELETE /app/companions 200': 'Removes all of them: `removed`.',
      'GET /app/companions/resolve 200':
        '`reference`: the resource that a literal reference leads to, by its fullUrl (`urn:` or address), by type and id, with or without `_history`; `Content-Location` names it. 404 where there is none.',
      'GET /app/companions/export 200':
        'The companions as NDJSON; `type` names a type, and may be repeated. An OperationOutcome in the last line names damaged ones that were left out.',
      'DELETE /app/companions/{type} 200': 'Removes those of a type: `removed`.',
      'GET /app/companions/{type}/{id} 200': 'The resource.',
    },
  },
  {
    title: 'FHIR packages',
    text: 'Packages by whose profiles records are judged, as they lie in `packages` of the data folder, or are shared by the servers of a store. One that is held has `file` (its name there, and in addresses), `state` `held`, `name`, `version`, `title`, `counts` of its definitions by kind, `dependencies` (`name`, `version`, `state`: `held`, `own` where Chartkeeper brings it, `other` where another version is held, `lacking`), `profiles` on the types kept here (`url`, `version`, `type`, `title`, `usable`, and what it `lacks`: canonicals that nothing at hand defines) and `notes` on files in it that could not be read. Another has `state` `reading`, or `refused` with its `problem`. The preference `profiles` says by which profile each record of a type is judged.',
    rows: {
      'GET /app/packages 200': '`folder` (absent where servers share them), and `packages` by their files.',
      'POST /app/packages 201':
        'A package as it is published (`application/gzip`), or without its compression (`application/x-tar`), 128 MiB at most; the answer is the package. 200 where it was already installed. 400 says why it is not taken: it is damaged, holds links or paths that lead out of it, or is too large; 409 where the same version is here with other content.',
      'POST /app/packages/look 200':
        'Looks anew at what lies in the folder, and reads what was copied there; the answer is the list. No body.',
      'DELETE /app/packages/{file} 204': 'Removes a package; what its profiles found goes with it.',
      'GET /app/profiles 200':
        '`url`, with `|version` behind it or not: what an editor tells of a profile: `url`, `version`, `type`, `title`; `elements` that it demands, forbids, slices or wants supported: `path`, `short`, `min`, `max`, `mustSupport`, names of `slices`. 404 where no package has it.',
    },
  },
  qualityAddresses,
  checkAddresses,
  profileAddresses,
  {
    title: 'Bulk runs',
    text: 'Runs that replace elements in many records: the client does the work, and the server keeps it, so that it goes on after a crash. The newest 50 runs are kept. A run has `id`, `label`, `operations`, `state` (`running`, `stopped`, `finished`), `created`, `updated`, and `counts` of its targets by their state; `undoes`? (the run that it undoes), `undo`? (the `run` that undoes it, `done`, how many records it put back, and whether it `stands`, not undone itself), `erased`? (how many of its records were erased since). They are those of the server that `X-Chartkeeper-Connection` names.',
    rows: {
      'GET /app/bulk 200': 'The runs as an array, newest first.',
      'POST /app/bulk 201':
        '`{"label", "operations"}`: 1 to 20 operations: `path` (JSON Pointer; `*` for each item of an array), `now`? (JSON text that must stand there) and `value` (JSON text); or, with `kind` `compute`, `expression` (FHIRPath, of each element) in the place of `value`; or `kind` `fix` and `fix`, the id of a quick fix. Or `{"label", "undoes"}`, the id of a stopped or finished run, once: an undo whose targets are the records that the run wrote. The answer is the run, `stopped`.',
      'GET /app/bulk/{id} 200': 'The run.',
      'PUT /app/bulk/{id} 200': '`{"state"}`; the answer is the run.',
      'DELETE /app/bulk/{id} 200': 'Removes the run; the answer is the run as it was.',
      'GET /app/bulk/{id}/targets 200':
        '`targets` in the order of their places, at most 1000, and `next`, which is `after` of the next page.',
      'POST /app/bulk/{id}/targets/{place}/put-back 200':
        'One step of an undo of this server: the version `before`, stored once more over the version that the run wrote. The errors that the run mended come back with it. Answers `{}` with `ETag`; 412 where another version stands. `X-Provenance` may tell the reason.',
      'POST /app/bulk/{id}/targets 200':
        'An array of at most 1000 targets, new ones or such with a new state: `place` (from 0), `type`, `id`, `title`, `state`, and `version`?, `etag`? (of what was seen or written), `before`? (`version` and `etag` of what the written one replaced, or of what an undo is to put back), `detail`? (why, in a sentence). States are `waiting`, `ready`, `unchanged`, `cannot`, `refused`, `unread`, `done`, `changed`, `gone`, `failed`. The answer is `saved`, their number.',
    },
  },
  {
    title: 'Drafts',
    text: 'What was typed and is not saved; never a version. A draft belongs to one window, and has `id`, `type`, `recordId`, `title`, `baseVersion`? and `baseEtag`? (of the version that it was made on), `window`, `saved`. Ids of drafts and windows are 1 to 64 letters, digits and hyphens, and the client’s to choose. They are those of the server that `X-Chartkeeper-Connection` names.',
    rows: {
      'GET /app/drafts 200': 'The drafts as an array, saved last first, without their texts.',
      'GET /app/drafts/{id} 200': 'The draft with `text` and `base`, the text that it was made on.',
      'PUT /app/drafts/{id} 200':
        '`{"type", "recordId", "title", "baseVersion"?, "baseEtag"?, "window", "text", "base"?}`: saves it; the answer is the draft without its texts. `base` may be left out while the base version stays the same, else 400. 409 where another window has it, 410 where the record was erased.',
      'POST /app/drafts/{id}/claim 200':
        '`{"window"}`: the window that goes on with it; the answer is the draft with its texts.',
      'DELETE /app/drafts/{id} 200': 'Removes it, if it is there; the answer is `{}`.',
    },
  },
  {
    title: 'Searches',
    text: 'A search is `type` and `pairs`, at most 50 arrays of a parameter’s name and its value: `{"type": "CarePlan", "pairs": [["status", "active"]]}`. A saved one has `id` and `name` too. They are those of the server that `X-Chartkeeper-Connection` names.',
    rows: {
      'GET /app/recents 200': 'The last 20 searches as an array, newest first, each once.',
      'POST /app/recents 200': 'A search, which becomes the newest; the answer is the array.',
      'DELETE /app/recents 200': 'Forgets them; the answer is the empty array.',
      'GET /app/searches 200': 'The saved searches as an array, by name.',
      'POST /app/searches 201':
        '`{"name", "type", "pairs"}`: saves a search; the answer is that one. A name is 1 to 80 characters, without spaces at its ends. 409 where another has the name, 422 where 200 are saved.',
      'PUT /app/searches/{id} 200':
        '`{"name"}`: a new name; the answer is the saved search. 409 where another has the name.',
      'DELETE /app/searches/{id} 200': 'Removes it; the answer is the array of the others.',
    },
  },
  {
    title: 'Connections and gateway',
    text: 'Remote FHIR servers, and the way to them. Settings are `name` and `baseUrl`, and where absent a default: `colour` (`gray`, `red`, `pink`, `purple`, `violet`, `indigo`, `blue`, `cyan`, `teal`, `green`, `lime`, `yellow`, `orange`), `environment`? (`production`, `test`, `training`, `development`), `mode` (`read-only`, `confirm`, `normal`), `authentication`, `caFile` (path of a PEM file), `proxy` (`kind`: `default`, as the preference `proxy` says; `system`, by its settings in the desktop app, else by HTTPS_PROXY and NO_PROXY; `none`; `address` with `url`, `http://host:port`, and `user`?), `clientCertificate` (`kind`: `pem` with `certificateFile` and `keyFile`, `pkcs12` with `file`), `timeoutSeconds` (30; 1 to 300), `encounterParameter` (`encounter`), `patchType` (`application/json-patch+json` or `application/json`). `authentication` has `kind`: `none`; `bearer`; or `client-credentials`, `smart-backend`, `authorization-code`, which have `clientId`, `scope`?, `tokenEndpoint`?; the second `algorithm` (`RS384`, `ES384`) and `keyId`? too, the third `authorizationEndpoint`?. A connection is its settings with `id`, `host`, `secretSet`, `proxySecretSet`, `certificateSecretSet`, `access` (`open`, `ready`, `needs-secret`, `needs-sign-in`, `signing-in`), `accessFault`?, a sentence, and `accessMessage`?, the same with its `messageCode` and `parameters`.',
    rows: {
      'GET /app/connections 200':
        '`connections`, what keeps their `secrets`: `session` (memory), `file`, `system` (keychain), and `proxySecretSet` of the default proxy.',
      'POST /app/connections 201':
        'Settings; the answer is the connection. 409 where another has the name, 422 where there are 50.',
      'PUT /app/connections 200':
        '`{"order"}`, ids in the order that the list is to have; those that are not named follow in theirs. The answer is the list.',
      'GET /app/connections/{id} 200': 'The connection.',
      'PUT /app/connections/{id} 200':
        'All its settings; the answer is the connection. Each secret is dropped where what it was given for changes: `baseUrl`, `authentication`, `caFile` or `proxy` for the secret, `proxy` for its password, `clientCertificate` for its pass phrase. 409 where another has the name.',
      'DELETE /app/connections/{id} 204':
        'Removes it with its secret, and with the drafts, searches, tabs and runs of its base URL where no other connection has that.',
      'PUT /app/connections/{id}/secret 204':
        '`{"secret"}`: the token, the client’s secret or the private key (PEM or JWK), by the kind of authentication. It is never answered.',
      'DELETE /app/connections/{id}/secret 204': 'Drops the secret and the tokens that it brought.',
      'PUT /app/connections/{id}/secrets/{kind} 204':
        '`{"secret"}`: the password of the `proxy`, or the pass phrase of the client’s `certificate`. The id `default` has the default proxy’s. Never answered.',
      'DELETE /app/connections/{id}/secrets/{kind} 204': 'Drops it.',
      'POST /app/connections/test 200':
        'Tries `settings` and changes nothing: `secrets`? (`secret`, `proxy`, `certificate`) go with them, and where there is an `id`, those that are kept of it, as far as they still go to the same place. Answers as the next.',
      'POST /app/connections/{id}/test 200':
        'Tries the way to the server, and asks it what it is: `ok`, `ms` and `steps`, each with `step` (`name`, `proxy`, `connection`, `tls`, `authentication`, `fhir`, `rights`), `outcome` (`done`, `failed`, `skipped`), `text`, `messageCode` and `parameters`?; if not ok, `text` says why, with its `messageCode` and `parameters`?; else `software`?, `version`?, `fhirVersion`?, `formats`, `types` (by type `versioning`?, `patch`, `history`, `create`, `update`), `remarks` in sentences, and `remarkMessages`, the same with their codes. No body.',
      'POST /app/connections/{id}/sign-in 200':
        'Of `authorization-code` alone, else 422: `address` to open in a browser, and `ends`, until when; `access` of the connection tells how it went. No body.',
      'POST /app/connections/{id}/sign-out 204': 'Forgets its tokens. No body.',
      'POST /app/connections/sign-out 204': 'Forgets the tokens of all connections. No body.',
      'any /app/connections/{id}/fhir-r4/v1/* 200':
        'Forwards a request of the operations above to the server, and its answer with its own status (`*` is the path and query). A write is 403 in the mode `read-only`, and in `confirm` 428 unless `X-Chartkeeper-Confirmed` names the host. An answer of the gateway has the connection’s id in `X-Chartkeeper-Connection`. 502 and 504 where no usable answer came; with `X-Chartkeeper-Unconfirmed: true` a write may have been done.',
      'GET /app/connections/{id}/quality 200':
        'The worklist of the server’s records as `GET /app/quality` has it, and `job`: `state` (`none`, `running`, `waiting`, `stopped`, `failed`, `done`), records `read` since it began (`since`?), `total`? where the server says so, `until`? and `fault`? while it waits or once it failed, `remarks`: what the server refuses to list.',
      'GET /app/connections/{id}/quality/findings 200':
        'Its findings, as `GET /app/quality/findings` has them.',
      'GET /app/connections/{id}/quality.csv 200': 'All of them as CSV.',
      'POST /app/connections/{id}/quality/judge 202':
        '`{}`: begins, goes on, or reads what changed since the last run; `{"from": "start"}` reads all records anew, and those that are gone leave. The answer is the `job`, which goes on without the page and over restarts.',
      'POST /app/connections/{id}/quality/stop 200': 'Stops it; the answer is the `job`. No body.',
      'GET /app/connections/{id}/page 200':
        'A further page of a Bundle: `link` is the absolute address of its link, below the base URL, `type`? what was searched.',
    },
  },
  {
    title: 'Tokens',
    text: 'Of a token `id` (its `client_id` at `/oauth2/token`), `name`, `scopes` (an array), `created`, `expires`?, `lastUsed`? (to the minute), `revoked`?, `ended: true` where the sign-in or the token that made it has ended, and `current: true` where the request came with it.',
    rows: {
      'GET /app/tokens 200': 'The tokens as an array, newest first.',
      'POST /app/tokens 201':
        '`{"name", "scopes", "expiresIn"?}`: makes a token of 1 to 20 SMART scopes, such as `system/*.read`, for so many seconds or until it is revoked: `id`, and `token`, which is told here alone. `name` is the author of what it writes: at most 100 characters, and not `owner`.',
      'DELETE /app/tokens/{id} 200':
        'Revokes it, and ends the sessions that it began; the answer is the token.',
    },
  },
  {
    title: 'Activity',
    text: 'Requests and jobs of the workbench. Each entry has `seq`, `time`, `connection` (a name) and `kind`. A request’s kind is `search`, `read`, `history`, `write`, `validate` or `app`, and it has `method`, `path` (with its query), `status` (0 where the client went away), `ms`, `requestBytes`, `answerBytes`, `requestId` and `record`? (`type`, `id`, versions `before`? and `after`?). A job’s kind is `bulk`, `import`, `export` or `training`, and it has `note` and `counts`.',
    rows: {
      'GET /app/activity 200':
        '`entries`, newest first, `total` that match, and `next`, which is `before` of the next page. `text` looks in paths, notes and request ids; `method`; `status` is `2xx`, `3xx`, `4xx` or `5xx`; `kind`; `since` an instant; `after` a `seq`; `count` is 100, at most 500.',
      'POST /app/activity 201':
        '`{"kind", "note", "counts", "connection"?}`: adds a job: a sentence of at most 500 characters and at most 20 whole numbers by name; the answer is the entry.',
      'DELETE /app/activity 200': 'Clears it; the answer is `cleared`, how many entries there were.',
    },
  },
  ...trainingSections,
  {
    title: 'Settings of the workbench',
    rows: {
      'GET /app/preferences 200':
        '`theme` (`light`, `dark`, `auto`), `density` (`comfortable`, `compact`), `dateLanguage` (`iso`, `en-GB`, `en-US`, `de`, `fr`, `es`, `it`, `nl`), `sidePanel`, `inspector`, `inspectorUnfolded`, `preview`, `filters`, `practice`, `minimap`, `csvForExcel` and `wordWrap` (true or false), `inspectorTab` (`summary`, `issues`, `history`), `recordView` (`read`, `json`, `both`, or null where the window decides), `editorFont` (12, 13, 14, 16 or 18 pixels), `draftPause` (500, 2000 or 10000 milliseconds), `keys` (those of commands by their ids, empty for none), `demandReason` (whether writes of people without a reason are 422), `proxy` (as a connection has it, of those that name none), `thresholds` (`warnAbove`? and `failAbove`?, records, by a rule’s id), `profiles` (a canonical by type), `readingShare`, `inspectorWidth` and `searchColumns` (any JSON that the client keeps there, or null).',
      'PUT /app/preferences 200': 'Those that change, the others stay; the answer is all of them.',
      'GET /app/settings/files 200':
        'Connections (without secrets), saved searches, columns and preferences as files that can lie in git: `files`, each `path` and `text`, the same bytes for the same settings. `chartkeeper.json` tells format and version; names stand for ids, and `Local` for this server.',
      'POST /app/settings/files 200':
        '`{"files", "dryRun"}`: takes over what is good of such files, or only says what it would do: `dryRun`, and `lines`, each `path`, `result` (`new`, `changed`, `same`, `refused`) and `text`? (what changes, or why it is refused). Nothing is removed. A connection that goes elsewhere loses its secret.',
      'GET /app/session 200':
        'What was open, on the server that `X-Chartkeeper-Connection` names: `tabs`, each `{"kind": "record", "record"}` or `{"kind": "view", "view"}`; index of the `active` one, -1 for the search; `search`? (`type`, `pairs`); `recent` records, newest first. A record is `type`, `id`, `title`.',
      'PUT /app/session 200': 'The same, whole; the answer is what was sent.',
    },
  },
];
