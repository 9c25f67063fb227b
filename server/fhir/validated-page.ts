import { bundleDepth, isAside, matchesIdentity } from '../../core/api/identity.ts';
import { nextLink } from '../../core/api/remote.ts';
import { excerptOf } from '../../core/app/excerpt.ts';
import type { QualityFinding } from '../../core/app/quality.ts';
import { isSubsetted } from '../../core/fhir/record.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { summarize } from '../../core/fhir/summary.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { items, member, stringMember, serializeNode, type JsonObject } from '../../core/json/node.ts';
import { formatPointer, locate } from '../../core/json/pointer.ts';
import { scan } from '../../core/json/scan.ts';

type FindingDetails = Pick<
  QualityFinding,
  'rule' | 'severity' | 'category' | 'message' | 'pointer' | 'excerpt'
>;

/** A record of another server with its findings. */
export interface ValidatedRecord extends Pick<
  QualityFinding,
  'type' | 'id' | 'title' | 'subject' | 'status' | 'lastUpdated'
> {
  /** As the server calls it. */
  readonly version: string;
  readonly findings: readonly FindingDetails[];
  /** Present if requested. */
  readonly text?: string;
}

/** A page of a search or a history. */
export interface ValidatedPage {
  readonly records: readonly ValidatedRecord[];
  /** Ids of records that a history lists as deleted. */
  readonly deleted: readonly string[];
  readonly total?: number;
  /** Link to the next page, unchanged. */
  readonly next?: string;
}

/** Jobs on responses of other servers. */
export const judgedPages = {
  /** `withTexts` adds the text of each record. */
  judgePage(text: string, type: ResourceType, today: string, withTexts = false): ValidatedPage {
    const { root } = scan(text, bundleDepth);
    const entries = items(member(root, 'entry'));
    const records = entries.flatMap((entry) => {
      const resource = member(entry, 'resource');
      const isRequestedRecord =
        resource?.kind === 'object' && !isAside(entry) && matchesIdentity(resource, { type });
      if (!isRequestedRecord) return [];
      return [
        { ...toValidatedRecord(resource, type, today), ...(withTexts && { text: serializeNode(resource) }) },
      ];
    });
    const deleted = entries.flatMap((entry) => {
      const request = member(entry, 'request');
      const [deletedType, id] = stringMember(request, 'url')?.split('/').slice(-2) ?? [];
      const isDeleted =
        stringMember(request, 'method') === 'DELETE' && deletedType === type && id !== undefined;
      return isDeleted && !member(entry, 'resource') ? [id] : [];
    });
    const total = member(root, 'total');
    const next = nextLink(root);
    return {
      records,
      deleted,
      ...(total?.kind === 'number' && { total: Number(total.source) }),
      ...(next !== undefined && { next }),
    };
  },

  /** Returns undefined if the text is not a complete record of that type. */
  judgeRecord(text: string, type: ResourceType, today: string): ValidatedRecord | undefined {
    const { root } = scan(text, bundleDepth);
    const isComplete = root.kind === 'object' && matchesIdentity(root, { type }) && !isSubsetted(root);
    return isComplete ? toValidatedRecord(root, type, today) : undefined;
  },
};

function toValidatedRecord(record: JsonObject, type: ResourceType, today: string): ValidatedRecord {
  const { id, version, title, subject, status, lastUpdated } = summarize(record);
  const findings = validate(record, type, { today }).map(({ rule, severity, category, text, tokens }) => ({
    rule,
    severity,
    category,
    message: text,
    pointer: formatPointer(tokens),
    excerpt: tokens.length === 0 ? '' : excerptOf(locate(record, tokens)),
  }));
  return { type, id, version, title, subject, status, lastUpdated, findings };
}
