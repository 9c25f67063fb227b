import type { AppSection } from './app-section.ts';

/** The worklist, what people say of its findings, and quality by day. */
export const qualityAddresses: AppSection = {
  title: 'Quality',
  text: 'The stored records that have issues. `rule` (its id), `category` (`conformance`, `completeness`, `plausibility`), `severity` (`error`, `warning`), `type` and `text` (part of a rule’s id or sentence, a record’s title, id or subject, or a pointer) narrow each of the lists; so do `state` (`open`: not waived; `assigned`: open, and somebody’s; `waived`) and `assignee`, a name.',
  rows: {
    'GET /app/quality 200':
      '`computed` (when it was counted), `level`; `records` and `flagged` (with at least one issue) by type, whatever the filter says; `groups`, most records first: `rule`, its `severity`, `category` and sentence (`text`), its `records` and `findings`, and both by type in `types`; `states`: findings that are `open`, `assigned` (of the open) and `waived`.',
    'GET /app/quality/findings 200':
      '`findings`, record by record: `type`, `id`, `version`, `title`, `subject`, `status`, `lastUpdated`, `rule`, `severity`, `category`, `message`, `pointer` of the element, `excerpt` of its text; `next`, which is `after` of the next page. `count` is 200, at most 1000.',
    'GET /app/quality.csv 200': 'All findings as CSV, with a head of the names above.',
    'PUT /app/quality/states 200':
      '`set` is `open`, `assigned` (with `assignee`), `waived` (with `reason`, and `until`, its last day) or `note` (with `note`, or none to take it away); `findings` (up to 1000 of `type`, `id`, `rule`, `pointer`) or `filter`, a query of the lists. Answers how many `changed`, and how many were `gone`. Each record has its entry in the audit trail.',
    'GET /app/quality/groups 200':
      '`by` is `record`, `patient`, `rule` or `month`: the 200 `groups` with most findings, with `key`, `records` and `findings`.',
    'GET /app/quality/measures 200':
      '`from` and `to` are days. `days` that were measured; `series` of each `check` (a rule, `all`, or a category) and `type`: `points` of day, records that it applies to, that violate it, that were not judged, and findings. Today is as it is now.',
    'GET /app/quality/measures.csv 200': 'The same as CSV.',
    'GET /app/quality/compared 200':
      'Findings at the end of the days `from` and `to` by rule and type: `new`, `resolved`, `persisting`.',
    'GET /app/quality/report 200':
      'A FHIR R4 MeasureReport of the last measured day between `from` and `to`.',
    'POST /app/quality/judge 202':
      'Judges all records anew: `state` (`idle`, `running`), `done` and `total` (records), `parts` (what is made anew), `skipped` (records whose text is damaged). No body.',
  },
};
