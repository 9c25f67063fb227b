import type { AppSection } from './app-section.ts';

/** The worklist, the states of its findings, and quality by day. */
export const qualityAddresses: AppSection = {
  title: 'Quality',
  text: 'The stored records with issues. These parameters narrow each of the lists: `rule` (its ID), `category` (`conformance`, `completeness`, `plausibility`), `severity` (`error`, `warning`), `type`, `text` (part of a rule’s ID or sentence, a record’s title, ID or subject, or a pointer), `state` (`open`: not waived; `assigned`: open and assigned; `waived`), `assignee`, a name, and `group`, one of the groups below: `month:2026-11`.',
  rows: {
    'GET /app/quality 200':
      '`computed` (time of the count), `level`; `records` and `flagged` (with at least one issue) by type, regardless of the filter, and `open`, those with an issue that is not waived; `groups`, most records first: `rule`, its `severity`, `category` and sentence (`text`), its `records` and `findings`, and both by type in `types`; `states`: issues that are `open`, `assigned` (of the open) and `waived`; `undecided` by type if records are checked against profiles: records that could not be checked completely with the installed definitions.',
    'GET /app/quality/findings 200':
      '`findings`, record by record: `type`, `id`, `version`, `title`, `subject`, `status`, `lastUpdated`, `rule`, `severity`, `category`, `message`, its `parameters`, if any, `pointer` of the element, `excerpt` of its text; if the issue involves other records, up to three of them as `others` (`type`, `id`, `title`), and `moreOthers` if there are more; `next`, which is `after` of the next page. `count` is 200, at most 1000.',
    'GET /app/quality/records/{type}/{id} 200':
      'Issues of a record that need other records or earlier versions, so its text alone does not show them: the checked `version`; `findings` with `rule`, `severity`, `category`, `text`, `pointer`, `others` and `moreOthers`.',
    'GET /app/quality.csv 200': 'All issues as CSV, with the names above as its header.',
    'PUT /app/quality/states 200':
      '`set` is `open`, `assigned` (with `assignee`), `waived` (with `reason`, and `until`, its last day) or `note` (with `note`, or without it to delete the note); `findings` (up to 1000 of `type`, `id`, `rule`, `pointer`) or `filter`, a query of the lists. Returns how many `changed`, and how many were `gone`. Each record has an entry in the audit log.',
    'GET /app/quality/groups 200':
      '`by` is `record`, `patient`, `rule`, `source` (the record’s `meta.source`), `author` (of the current version) or `month`: the 200 `groups` with most issues, with `key`, `records` and `findings`; for the last four also `all`: all records of the group (of `type`, if given), with or without issues. This reads every record; `all=false` omits it.',
    'GET /app/quality/measures 200':
      '`from` and `to` are days. `days` that were measured; `series` for each `check` (a rule, `all`, a category, or `waived`) and `type`: `points` with day, records that it applies to, that fail, that could not be checked, and issues. Waived issues count only in `waived`. Today has the current values.',
    'GET /app/quality/measures.csv 200': 'The same as CSV.',
    'GET /app/quality/compared 200':
      'Issues at the end of the days `from` and `to`, `rules` by rule and type: `new`, `resolved`, `persisting`; and how many of today’s are `waived`.',
    'GET /app/quality/report 200':
      'A FHIR R4 MeasureReport of the last measured day between `from` and `to`.',
    'POST /app/quality/judge 202':
      'Checks all records again: `state` (`idle`, `running`), `done` and `total` (records), `parts` (derived data that is rebuilt), `skipped` (records with a damaged text). No body.',
  },
};

/** Profiles for the validation of records. */
export const profileAddresses: AppSection = {
  title: 'Profiles',
  text: 'Records are checked in the background against the profiles in their `meta.profile`, if an installed package has them, and against the profile that the preference `profiles` names for their type. Issues of a profile are in the worklist under the rule `profile/ID#ELEMENT/DEMAND`. A requirement that needs unavailable definitions neither passes nor fails.',
  rows: {
    'GET /app/profiles/progress 200':
      'For each type that is checked against profiles: `done` of `total` versions; the number of records that a profile `applied` to, that fail (`violated`), and that could not be checked completely (`undecided`); `findings`.',
    'GET /app/profiles/undecided 200':
      'Up to 100 `ids` of records of a `type` that could not be checked completely; `$validate` lists the reasons.',
    'POST /app/profiles/findings 200':
      'Issues of the text `record` of a `type`, by the profiles that it claims and the chosen one. The record can be from another server: `findings` with `rule`, `severity`, `category`, `text`, `expression`, `pointer` and `profile`; `undecided` with `profile`, `element`, `expression`, `pointer`, what it `needs`, and its sentence (`text`, `messageCode`, `parameters`); `absent` canonicals of profiles. Nothing is stored or forwarded.',
  },
};

/** Custom checks of stewards. */
export const checkAddresses: AppSection = {
  title: 'Custom checks',
  text: 'Checks that stewards add to the rules, in FHIRPath. They run on every record in the background: on all records when a check is turned on or changed, and then on changed records. Their issues are in the worklist under the rule `my/ID`.',
  rows: {
    'GET /app/checks 200':
      'The checks by `title`: `id`, `type` of the records, `applies` (selects the records to check), `holds` (true for a valid record), `points` (the elements of an issue), `category`, `severity`, `warnAbove` and `failAbove` (`count` or `percent` of records), `owner`, `note`, `active`; `version`, `by`, `at`; `progress` if it is on: `done` of `total` versions, `halted`, and records `applied`, `violated` and `skipped` (could not be checked), `findings`.',
    'PUT /app/checks/{id} 200':
      'Stores a check with the names above from `type` to `active`, over `version`, which is 0 for a new one; **412** if another version is stored. **400** names the expression that cannot be parsed, and the position. At most 100 checks, of which 20 are on.',
    'DELETE /app/checks/{id} 200': 'Removes a check and its issues; returns the others.',
    'POST /app/checks/try 200':
      'Tests `type`, `applies`, `holds` and `points` on 1,000 records, or only on the text in `record`; nothing is stored. `records`, `applied`, `violated`, `skipped`; some that are `broken`, with their `pointers`, and some that are `unasked`, with `why`.',
    'POST /app/checks/findings 200':
      'Issues that the active checks find in the text `record` of a `type`: `rule`, `severity`, `category`, `text` (the check’s title) and `pointer` of each. Nothing is stored.',
    'GET /app/checks/{id}/skipped 200': '`type` and at most 100 `ids` of records that could not be checked.',
  },
};
