import { bundleDepth, isAside, isAsked } from '../../core/api/identity.ts';
import { nextLink } from '../../core/api/remote.ts';
import { excerptOf } from '../../core/app/excerpt.ts';
import type { QualityFinding } from '../../core/app/quality.ts';
import { isSubsetted } from '../../core/fhir/record.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { summarise } from '../../core/fhir/summary.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { items, member, stringMember, type JsonObject } from '../../core/json/node.ts';
import { formatPointer, locate } from '../../core/json/pointer.ts';
import { print } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';

type Found = Pick<QualityFinding, 'rule' | 'severity' | 'category' | 'message' | 'pointer' | 'excerpt'>;

/** A record of another server, and what is wrong with it. */
export interface JudgedRecord extends Pick<
  QualityFinding,
  'type' | 'id' | 'title' | 'subject' | 'status' | 'lastUpdated'
> {
  /** As the server calls it. */
  readonly version: string;
  readonly findings: readonly Found[];
  /** Where it was asked for. */
  readonly text?: string;
}

/** A page of a search or a history. */
export interface JudgedPage {
  readonly records: readonly JudgedRecord[];
  /** Ids of records that a history tells to be deleted. */
  readonly deleted: readonly string[];
  readonly total?: number;
  /** Link to the next page, as it stands. */
  readonly next?: string;
}

/** Jobs with the answers of other servers. */
export const judgedPages = {
  /** `withTexts` has each record's text come along. */
  judgePage(text: string, type: ResourceType, today: string, withTexts = false): JudgedPage {
    const { root } = scan(text, bundleDepth);
    const entries = items(member(root, 'entry'));
    const records = entries.flatMap((entry) => {
      const resource = member(entry, 'resource');
      const held = resource?.kind === 'object' && !isAside(entry) && isAsked(resource, { type });
      if (!held) return [];
      return [{ ...judged(resource, type, today), ...(withTexts && { text: print(resource) }) }];
    });
    const deleted = entries.flatMap((entry) => {
      const request = member(entry, 'request');
      const [at, id] = stringMember(request, 'url')?.split('/').slice(-2) ?? [];
      const gone = stringMember(request, 'method') === 'DELETE' && at === type && id !== undefined;
      return gone && !member(entry, 'resource') ? [id] : [];
    });
    const total = member(root, 'total');
    const next = nextLink(root);
    return {
      ...{ records, deleted },
      ...(total?.kind === 'number' && { total: Number(total.source) }),
      ...(next !== undefined && { next }),
    };
  },

  /** Nothing where the text is not such a record, or a part of it. */
  judgeRecord(text: string, type: ResourceType, today: string): JudgedRecord | undefined {
    const { root } = scan(text, bundleDepth);
    const whole = root.kind === 'object' && isAsked(root, { type }) && !isSubsetted(root);
    return whole ? judged(root, type, today) : undefined;
  },
};

function judged(record: JsonObject, type: ResourceType, today: string): JudgedRecord {
  const { id, version, title, subject, status, lastUpdated } = summarise(record);
  const findings = validate(record, type, { today }).map(({ rule, severity, category, text, tokens }) => ({
    ...{ rule, severity, category, message: text, pointer: formatPointer(tokens) },
    excerpt: tokens.length === 0 ? '' : excerptOf(locate(record, tokens)),
  }));
  return { type, id, version, title, subject, status, lastUpdated, findings };
}
