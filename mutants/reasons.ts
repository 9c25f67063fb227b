/**
 * Reasons why changes are not noticed: the product behaves the same, or the test that notices them is not
 * measured.
 */
interface Reason {
  readonly file: string;
  /** The original text and its replacement. */
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

const reasons: readonly Reason[] = [
  {
    file: 'core/api/audit-event.ts',
    from: "''",
    to: '"Stryker was here!"',
    reason: 'it is as little the name of a type, or an id, as the empty text for which it stands',
  },
  {
    file: 'core/fhir/fixes/datatype-fixes.ts',
    from: "''",
    to: '"Stryker was here!"',
    reason: 'where no text stands, it is as little a name or a form that is known as the empty one',
  },
  {
    file: 'core/fhir/validation/rules-resource.ts',
    from: 'type !== undefined',
    to: 'true',
    reason: 'no set of types holds undefined; the compiler requires the comparison',
  },
  {
    file: 'core/fhir/validation/kinds.ts',
    from: 'pattern !== undefined',
    to: 'true',
    reason:
      'a regular expression made of undefined fits every text, as no expression does; the compiler requires the comparison',
  },
  {
    file: 'core/fhir/validation/save-preview.ts',
    from: "''",
    to: '"Stryker was here!"',
    reason: 'it stands for a rule or a place that is missing: no rule and no place has this name either',
  },
  {
    file: 'server/store/sqlite/reader-client.ts',
    from: 'type === undefined',
    to: 'type !== undefined',
    reason: 'which thread answers changes no answer: one of them then answers all',
  },
  {
    file: 'server/gateway/http-transport.ts',
    from: 'true',
    to: 'false',
    reason:
      'Node ends a request by an answer, an error or a switch of protocols; this is for an end of which it says nothing',
  },
  {
    file: 'server/http/send.ts',
    from: "this.request.method === 'HEAD'",
    to: 'false',
    reason: 'Node sends no body to HEAD by itself; this spares making it',
  },
  {
    file: 'core/fhir/validation/validate.ts',
    from: 'this.indexes.set(object, index);',
    to: ';',
    reason: 'the index is made anew each time it is asked, and says the same: only the time differs',
  },
  {
    file: 'core/fhir/validation/rules-datatype.ts',
    from: 'bottom !== undefined',
    to: 'true',
    reason: 'undefined is above nothing; the compiler requires the comparison',
  },
  {
    file: 'core/json/scan.ts',
    from: '{\n      for (const member of members) if (member.key === key) return true;\n      return false;\n    }',
    to: '{}',
    reason: 'the set of keys, made of the same members, says the same: only the time differs',
  },
  {
    file: 'core/fhir/profiles/walk.ts',
    from: 'plan.maxLength !== undefined',
    to: 'true',
    reason: 'no length is greater than undefined; the compiler requires the comparison',
  },
  {
    file: 'renderer/features/record/drafts/draft-autosave.ts',
    from: "typeof left !== 'string'",
    to: 'true',
    reason: 'a word has no text that could be that of a draft; the compiler requires the comparison',
  },
  {
    file: 'renderer/features/connections/connection-form.ts',
    from: "proxy.kind === 'address'",
    to: 'true',
    reason: 'no other kind of proxy has an address or a user; the compiler requires the comparison',
  },
  {
    file: 'server/access/link-files.ts',
    from: '{\n    return undefined;\n  }',
    to: '{}',
    reason: 'without it the answer is undefined all the same; the linter refuses an empty block',
  },
  {
    file: 'server/http/audit-routes.ts',
    from: '{\n    assertFound(anchors.readLoss(Number(request.params.id)), messages.lossAbsent());\n  }',
    to: '{}',
    reason: 'server/audit-log-watch.test.ts fails with it, which starts processes of its own',
  },
  {
    file: 'server/shared/move/move.ts',
    from: "name === 'versions'",
    to: "name !== 'versions'",
    reason: 'server/shared/move/refusals.long.test.ts fails with it',
  },
  {
    file: 'server/commands/move-command.ts',
    from: 'found === 0',
    to: 'found !== 0',
    reason: 'server/shared/move/refusals.long.test.ts fails with it',
  },
  {
    file: 'server/gateway/token-source.ts',
    from: "authentication.kind === 'none'",
    to: 'false',
    reason: 'no token is requested if none is needed; the comparison narrows the type',
  },
  {
    file: 'server/shared/postgres/postgres-store.ts',
    from: '[file]',
    to: '[]',
    reason: 'server/shared/packages.long.test.ts fails with it',
  },
  {
    file: 'server/shared/postgres/companions.ts',
    from: '[]',
    to: '["Stryker was here"]',
    reason: 'the table always has its row; the compiler requires a fallback',
  },
  {
    file: 'server/store/sqlite/audit.ts',
    from: 'place > 1',
    to: 'place >= 1',
    reason: 'entries begin at 1, and only earlier entries are requested',
  },
  {
    file: 'server/worker.ts',
    from: "'postMessage'",
    to: '""',
    reason: 'server/worker.test.ts fails with it, which starts a process of its own',
  },
  {
    file: 'server/worker.ts',
    from: "kind !== 'replaced'",
    to: 'false',
    reason: 'server/worker.test.ts fails with it, which starts a process of its own',
  },
  {
    file: 'renderer/platform/safe-markup.ts',
    from: '() => false',
    to: '() => undefined',
    reason:
      'renderer/features/record/inspector/narrative.browser.test.tsx fails with it; it runs when its module is loaded',
  },
  {
    file: 'renderer/features/bulk/bulk-sheet.tsx',
    from: "state.phase !== 'compose' && <BulkProgress state={state} />",
    to: 'false',
    reason: 'renderer/features/bulk/bulk-sheet.long.browser.test.tsx fails with it',
  },
  {
    file: 'renderer/features/bulk/use-bulk.ts',
    from: '() => course.explain(provenanceFor(reason, person))',
    to: '() => undefined',
    reason: 'renderer/features/bulk/bulk-sheet.long.browser.test.tsx fails with it',
  },
  {
    file: 'renderer/features/bulk/bulk-sheet.tsx',
    from: "''",
    to: '"Stryker was here!"',
    reason: 'renderer/features/bulk/bulk-sheet.long.browser.test.tsx fails with it',
  },
  {
    file: 'renderer/features/bulk/target-list.tsx',
    from: "{\n    id: 'detail',\n    label: text.bulk.columns.detail,\n    width: 240,\n    flexShare: 2.6,\n    cell: (row) => <TargetDetail target={row} />,\n    hint: hintOf,\n  }",
    to: '{}',
    reason: 'renderer/features/bulk/bulk-sheet.long.browser.test.tsx fails with it',
  },
  {
    file: 'renderer/features/bulk/bulk-work.ts',
    from: 'run !== undefined && kept?.undoes !== undefined',
    to: 'true',
    reason: 'only an undo uses this value, and it always has a run; the compiler requires the comparison',
  },
  {
    file: 'renderer/features/bulk/bulk-sheet.tsx',
    from: "phase === 'compose'",
    to: "phase !== 'compose'",
    reason: 'renderer/features/bulk/bulk-sheet.long.browser.test.tsx fails with it',
  },
  {
    file: 'renderer/platform/session.ts',
    from: "{\n  phase: desktop !== undefined || kept !== undefined ? 'in' : 'out',\n  token: kept,\n}",
    to: '{}',
    reason: 'the end-to-end tests fail with it; it runs when its module is loaded',
  },
];

/** Returns the reason why a change cannot be noticed, or undefined if none is known. */
export function reasonOf(file: string, from: string, to: string): string | undefined {
  return reasons.find(
    (candidate) => candidate.file === file && candidate.from === from && candidate.to === to,
  )?.reason;
}
