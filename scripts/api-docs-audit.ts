/** The addresses of the audit trail's list, for docs/api.md; each needs a token with every scope. */
export const auditRows: readonly (readonly string[])[] = [
  [
    'GET `/app/audit`',
    '200',
    '`entries`, newest first, and `next`, which is `before` of the next page. `text` looks in who, what and request id; `action`; `outcome` is `done` or `refused`; `since` an instant; `changes=true` leaves out what changed no record.',
  ],
  [
    'GET `/app/audit/actions`',
    '200',
    '`actions`: each `action` with its number of `entries` among those that the same parameters let through; one without any is left out.',
  ],
  ['GET `/app/audit/events`', '200', 'Every entry as an AuditEvent, one a line.'],
];
