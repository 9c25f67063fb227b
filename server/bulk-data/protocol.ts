/** Requests and responses of the Bulk Data Access IG: kick-off, status and manifest of an export. */
import * as v from 'valibot';
import { readOutcome } from '../../core/api/answers.ts';
import { formatQuery } from '../../core/api/query.ts';
import { isLoopback } from '../../core/app/base-url.ts';
import type { NewServerExport } from '../../core/app/server-exports.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isR4Type } from '../../core/fhir/r4-names.ts';
import { parseAs } from '../../core/json/shape.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { ListedFile } from './export-job.ts';

const messages = defineMessages('serverExport', {
  invalidAddress: '{host} sent an address that isn’t used: only https to a server, without a user name.',
});

const groupPath = '/Group/';

/** Returns the address that starts an export. */
export function formatKickOff(baseUrl: string, { group, since, types }: NewServerExport): URL {
  const url = new URL(`${baseUrl}${group === undefined ? '' : `${groupPath}${group}`}/$export`);
  url.search = formatQuery([
    ['_outputFormat', 'application/fhir+ndjson'],
    ...(since === undefined ? [] : [['_since', since] as const]),
    ...(types === undefined ? [] : [['_type', types.join(',')] as const]),
  ]);
  return url;
}

/**
 * Returns an address that a server sent, such as that of a file.
 *
 * @throws FhirError for one that is not reached safely. http is for this computer only, and only if the connection uses it.
 */
export function readAddress(text: string, from: URL, baseUrl: string): URL {
  const base = new URL(baseUrl);
  if (URL.canParse(text, from.href)) {
    const url = new URL(text, from.href);
    const isPlain = url.protocol === 'http:' && base.protocol === 'http:' && isLoopback(url.hostname);
    if ((url.protocol === 'https:' || isPlain) && url.username === '' && url.password === '') return url;
  }
  throw new FhirError('unusable', messages.invalidAddress({ host: from.host }));
}

const count = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0)));
const File = v.object({ url: v.string(), type: v.exactOptional(v.string()), count });
const Files = v.optional(v.array(File), []);
const Manifest = v.object({
  requiresAccessToken: v.exactOptional(v.boolean()),
  output: v.array(File),
  error: Files,
  deleted: Files,
});

export interface ExportManifest {
  /** True if its files require the token of the export. Absent if the manifest does not say. */
  readonly requiresToken?: boolean;
  readonly files: readonly ListedFile[];
}

/** Parses the manifest of a finished export; undefined for other text. */
export function parseManifest(text: string): ExportManifest | undefined {
  const manifest = parseAs(Manifest, text);
  if (!manifest) return undefined;
  const { requiresAccessToken: requiresToken } = manifest;
  const files = (['output', 'error', 'deleted'] as const).flatMap((list) =>
    manifest[list].map(({ url, type = '', count: listedCount }, index) => ({
      list,
      url,
      // Names that the other server chose could be equal, or say nothing.
      name: `${list === 'output' && isR4Type(type) ? type : list}-${index + 1}.ndjson`,
      state: 'open' as const,
      ...(listedCount !== undefined && { count: listedCount }),
    })),
  );
  return { files, ...(requiresToken !== undefined && { requiresToken }) };
}

/** Issue codes of failures that pass (R4 IssueType, transient). */
const passingCodes = new Set(['transient', 'lock-error', 'no-store', 'timeout', 'incomplete', 'throttled']);

/** True for a failed status request after which the export may still go on. */
export function isPassingFailure(status: number, body: Buffer): boolean {
  if (status === 408 || status === 429 || (status > 501 && status <= 504)) return true;
  const [issue] = readOutcome(body.toString())?.issue ?? [];
  return status >= 500 && passingCodes.has(issue?.code ?? '');
}

/** Characters of a progress report that are shown, at most (the IG allows 100). */
const maxProgress = 100;

/** Returns the progress that a status response reports; undefined without any. */
export function readProgress(header: string | string[] | undefined): string | undefined {
  const text = (typeof header === 'string' ? header : '').replace(/[^\x20-\x7e]/g, ' ').trim();
  return text === '' ? undefined : text.slice(0, maxProgress);
}
