import type { ImportLine } from '../../../core/app/transfer.ts';

/** Kinds of results in the order of a page: what would be stored, what is here, what a choice stores, and what cannot be. */
export const groupKinds = [
  'stored',
  'kept',
  'replaced',
  'unchanged',
  'storable',
  'refused',
  'skipped',
] as const;
type GroupKind = (typeof groupKinds)[number];

/** Filter of the lines of a group. */
export type GroupFilter = `group ${string}`;

/** Results with one reason. */
export interface OutcomeGroup {
  readonly filter: GroupFilter;
  readonly kind: GroupKind;
  /** Reason of its first line; absent if a kind needs none. */
  readonly reason?: string | undefined;
  /** Indexes of its lines. */
  readonly lines: number[];
}

/** Groups the results of an import by reason: refused records by rule, all else that is not stored by message. */
export class OutcomeGroups {
  private readonly groups = new Map<string, OutcomeGroup>();

  /** Adds the next line with its reason in words. */
  add(line: ImportLine, reason: string | undefined, lineIndex: number): void {
    const { result, storable, messageCode, expression } = line;
    const kind = result === 'refused' && storable ? 'storable' : result;
    const isByReason = kind === 'storable' || kind === 'refused' || kind === 'skipped';
    const filter: GroupFilter = `group ${kind} ${isByReason ? (messageCode ?? reason ?? '') : ''}`;
    const group = this.groups.get(filter);
    if (group) group.lines.push(lineIndex);
    else {
      // The element differs from line to line.
      const start = expression === undefined ? '' : `${expression}: `;
      const ownReason = reason?.startsWith(start) ? reason.slice(start.length) : reason;
      this.groups.set(filter, { filter, kind, lines: [lineIndex], ...(isByReason && { reason: ownReason }) });
    }
  }

  /** Returns the groups in order, large ones first within a kind. */
  list(): readonly OutcomeGroup[] {
    return [...this.groups.values()].sort(
      (a, b) => groupKinds.indexOf(a.kind) - groupKinds.indexOf(b.kind) || b.lines.length - a.lines.length,
    );
  }

  linesOf(filter: GroupFilter): readonly number[] {
    return this.groups.get(filter)?.lines ?? [];
  }
}
