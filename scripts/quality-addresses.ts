import type { AppSection } from './app-section.ts';

/** The worklist, the states of its findings, and quality by day. */
export const qualityAddresses: AppSection = {
  title: 'Quality',
  text: 'The stored records that have issues. `rule` (its id), `category` (`conformance`, `completeness`, `plausibility`), `severity` (`error`, `warning`), `type` and `text` (part of a rule’s id or sentence, a record’s title, id or subject, or a pointer) narrow each of the lists; so do `state` (`open`: not waived; `assigned`: open, and somebody’s; `waived`), `assignee`, a name, and `group`, one of the groups below: `month:2026-11`.',
  rows: {
    'GET /app/quality 200':
      '`computed` (when it was counted), `level`; `records` and `flagged` (with at least one issue) by type, whatever the filter says, and `open`, those with one that is not waived; `groups`, most records first: `rule`, its `severity`, `category` and sentence (`text`), its `records` and `findings`, and both by type in `types`; `states`: findings that are `open`, `assigned` (of the open) and `waived`; `undecided` by type where records are judged by profiles: those of which something cannot be decided with the definitions at hand.',
    'GET /app/quality/findings 200':
      '`findings`, record by record: `type`, `id`, `version`, `title`, `subject`, `status`, `lastUpdated`, `rule`, `severity`, `category`, `message`, the `parameters` that fill it if it has any, `pointer` of the element, `excerpt` of its text; where it is about other records, up to three of them as `others` (`type`, `id`, `title`), and `moreOthers` where there are more; `next`, which is `after` of the next page. `count` is 200, at most 1000.',
    'GET /app/quality/records/{type}/{id} 200':
      'What the store finds at a record and its text alone does not tell, as it needs other records or the versions before: the `version` that it was found at; `findings` with `rule`, `severity`, `category`, `text`, `pointer`, `others` and `moreOthers`.',
    'GET /app/quality.csv 200': 'All findings as CSV, with a head of the names above.',
    'PUT /app/quality/states 200':
      '`set` is `open`, `assigned` (with `assignee`), `waived` (with `reason`, and `until`, its last day) or `note` (with `note`, or none to take it away); `findings` (up to 1000 of `type`, `id`, `rule`, `pointer`) or `filter`, a query of the lists. Answers how many `changed`, and how many were `gone`. Each record has its entry in the audit trail.',
    'GET /app/quality/groups 200':
      '`by` is `record`, `patient`, `rule`, `source` (the record’s `meta.source`), `author` (who wrote it as it stands) or `month`: the 200 `groups` with most findings, with `key`, `records` and `findings`; of the last four also `all`: the records of the group, those of `type` where that is given, whether anything was found of them or not, which looks at every record; `all=false` leaves it out.',
    'GET /app/quality/measures 200':
      '`from` and `to` are days. `days` that were measured; `series` of each `check` (a rule, `all`, a category, or `waived`) and `type`: `points` of day, records that it applies to, that violate it, that were not judged, and findings. What is waived counts in `waived` alone. Today is as it is now.',
    'GET /app/quality/measures.csv 200': 'The same as CSV.',
    'GET /app/quality/compared 200':
      'Findings at the end of the days `from` and `to`, `rules` by rule and type: `new`, `resolved`, `persisting`; of those that stand today, how many are `waived`.',
    'GET /app/quality/report 200':
      'A FHIR R4 MeasureReport of the last measured day between `from` and `to`.',
    'POST /app/quality/judge 202':
      'Judges all records anew: `state` (`idle`, `running`), `done` and `total` (records), `parts` (what is made anew), `skipped` (records whose text is damaged). No body.',
  },
};

/** Profiles for the validation of records. */
export const profileAddresses: AppSection = {
  title: 'Profiles',
  text: 'Records are judged in the background by the profiles that they claim in `meta.profile`, as far as a package at hand has them, and by the one that the preference `profiles` names for their type. What a profile finds stands in the worklist under the rule `profile/ID#ELEMENT/DEMAND`. What needs more than is at hand is neither passed nor found.',
  rows: {
    'GET /app/profiles/progress 200':
      'For each type that is judged by profiles: `done` of `total` versions; records that any profile was `applied` to, that it finds `violated`, and of which something is `undecided`; `findings`.',
    'GET /app/profiles/undecided 200':
      'Of a `type` up to 100 `ids` of records of which something is undecided; `$validate` says what.',
    'POST /app/profiles/findings 200':
      'What the profiles that it claims, and the one that is chosen, say of the text `record` of a `type`, which may be another server’s: `findings` with `rule`, `severity`, `category`, `text`, `expression`, `pointer` and `profile`; `undecided` with `profile`, `element`, `expression`, `pointer`, what it `needs`, and its sentence (`text`, `messageCode`, `parameters`); canonicals of profiles that are `absent`. Nothing is kept, and nothing sent on.',
  },
};

/** Custom checks of stewards. */
export const checkAddresses: AppSection = {
  title: 'Checks',
  text: 'Checks that stewards add to the rules, in FHIRPath: asked of every record in the background, of all of them when a check is switched on or changed, and then of what changes. What one finds stands in the worklist under the rule `my/ID`.',
  rows: {
    'GET /app/checks 200':
      'The checks by `title`: `id`, `type` of the records, `applies` (which of them it is asked of), `holds` (what is true where all is well), `points` (the elements that a finding is on), `category`, `severity`, `warnAbove` and `failAbove` (`count` or `percent` of records), `owner`, `note`, `active`; `version`, `by`, `at`; `progress` where it is switched on: `done` of `total` versions, `halted`, and records `applied`, `violated` and `skipped` (it could not be asked), `findings`.',
    'PUT /app/checks/{id} 200':
      'Keeps a check, of the names above from `type` to `active`, in the place of `version`, which is 0 for a new one; **412** where another stands. **400** names the expression that cannot be parsed, and where. At most 100, of which 20 are switched on.',
    'DELETE /app/checks/{id} 200': 'Removes a check, and what it found; answers the others.',
    'POST /app/checks/try 200':
      'Asks `type`, `applies`, `holds` and `points` of 1,000 records, or of the text in `record` alone; nothing is kept. `records`, `applied`, `violated`, `skipped`; some that are `broken`, with their `pointers`, and some that are `unasked`, with `why`.',
    'POST /app/checks/findings 200':
      'What the checks that are switched on find in the text `record` of a `type`: `rule`, `severity`, `category`, `text` (the check’s title) and `pointer` of each. Nothing is kept.',
    'GET /app/checks/{id}/skipped 200':
      '`type` and 100 `ids` at most of records for which it could not be asked.',
  },
};
