/** The records of the other server in bench/remote.ts: repeated records of some clinics. */
import { perType, resourceTypes, type ResourceType } from '../core/fhir/resource.ts';
import { generateMigration } from '../server/demo/migration.ts';
import { doHere } from '../server/fhir/drafts.ts';

export type RemoteTexts = Readonly<Record<ResourceType, readonly string[]>>;

/** Number of clinics, each with different defects. More would only take longer to create. */
const clinicCount = 20;

/** Records with the same instant, as a machine creates them. */
const recordsPerInstant = 2;
const startTime = Date.UTC(2024, 0, 1);

export function createRemoteTexts(seed: number): RemoteTexts {
  const texts = perType((): string[] => []);
  for (let clinic = 0; clinic < clinicCount; clinic += 1) {
    for (const { type, text, laterText = text } of generateMigration({ seed: seed + clinic })) {
      texts[type].push(laterText);
    }
  }
  return texts;
}

/** Returns the number of records of each type. */
export function computeShares(records: number): Record<ResourceType, number> {
  const share = Math.floor(records / resourceTypes.length);
  const remainder = records - share * resourceTypes.length;
  return perType((type) => share + (type === resourceTypes[0] ? remainder : 0));
}

/** Returns the record at an index, as the server sends it. */
export function createRemoteRecord(texts: RemoteTexts, type: ResourceType, index: number): string {
  const textsOfType = texts[type];
  const text = textsOfType[index % textsOfType.length] ?? '';
  const lastUpdated = new Date(getInstant(index)).toISOString();
  const serverMembers = `"id":"${type}-${index}","meta":{"versionId":"1","lastUpdated":"${lastUpdated}"`;
  return text.replace(
    /"id":"[^"]*",(?:"meta":\{)?/,
    (match) => serverMembers + (match.endsWith('{') ? ',' : '},'),
  );
}

/** Returns the index of the first record at or after an instant, or 0 without one. */
export function findFirstIndex(instant: string): number {
  return instant === ''
    ? 0
    : Math.max(0, Math.ceil((Date.parse(instant) - startTime) / 1000) * recordsPerInstant);
}

function getInstant(index: number): number {
  return startTime + Math.floor(index / recordsPerInstant) * 1000;
}

/** The expected counts of the worklist. */
export interface Expected {
  readonly records: Readonly<Record<ResourceType, number>>;
  readonly flagged: Readonly<Record<ResourceType, number>>;
  /** Findings of each rule. */
  readonly findings: Readonly<Record<string, number>>;
}

/** Validates each text once and multiplies its findings by the number of its records. */
export async function computeExpected(texts: RemoteTexts, records: number): Promise<Expected> {
  const share = computeShares(records);
  const flaggedCounts = perType(() => 0);
  const findings: Record<string, number> = {};
  const today = new Date().toISOString().slice(0, 10);
  for (const type of resourceTypes) {
    const { length } = texts[type];
    for (const [index, text] of texts[type].entries()) {
      const times = Math.ceil((share[type] - index) / length);
      const validation = times > 0 ? await doHere('judgeRecord', [text, type, today]) : undefined;
      if (validation && validation.findings.length > 0) flaggedCounts[type] += times;
      for (const { rule } of validation?.findings ?? []) findings[rule] = (findings[rule] ?? 0) + times;
    }
  }
  return { records: share, flagged: flaggedCounts, findings };
}
