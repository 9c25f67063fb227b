/** The records of the other server that bench/remote.ts has judged: those of some clinics, again and again. */
import { perType, resourceTypes, type ResourceType } from '../core/fhir/resource.ts';
import { generateMigration } from '../server/demo/migration.ts';
import { doHere } from '../server/fhir/jobs.ts';

export type RemoteTexts = Readonly<Record<ResourceType, readonly string[]>>;

/** Clinics, each with defects of its own; more would only take longer to make. */
const clinics = 20;

/** Two records each have the same instant, as they come from a machine. */
const together = 2;
const start = Date.UTC(2024, 0, 1);

export function remoteTexts(seed: number): RemoteTexts {
  const texts = perType((): string[] => []);
  for (let clinic = 0; clinic < clinics; clinic += 1) {
    for (const { type, text, later = text } of generateMigration({ seed: seed + clinic })) {
      texts[type].push(later);
    }
  }
  return texts;
}

/** How many records of each type there are among so many. */
export function shareOf(records: number): Record<ResourceType, number> {
  const share = Math.floor(records / resourceTypes.length);
  const rest = records - share * resourceTypes.length;
  return perType((type) => share + (type === resourceTypes[0] ? rest : 0));
}

/** The record of a number, as the server sends it. */
export function remoteRecord(texts: RemoteTexts, type: ResourceType, index: number): string {
  const all = texts[type];
  const text = all[index % all.length] ?? '';
  const lastUpdated = new Date(instantOf(index)).toISOString();
  const stamp = `"id":"${type}-${index}","meta":{"versionId":"1","lastUpdated":"${lastUpdated}"`;
  return text.replace(/"id":"[^"]*",(?:"meta":\{)?/, (found) => stamp + (found.endsWith('{') ? ',' : '},'));
}

/** Number of the first record at an instant or behind it; from the beginning where there is none. */
export function firstFrom(instant: string): number {
  return instant === '' ? 0 : Math.max(0, Math.ceil((Date.parse(instant) - start) / 1000) * together);
}

function instantOf(index: number): number {
  return start + Math.floor(index / together) * 1000;
}

/** What the worklist has to count. */
export interface Expected {
  readonly records: Readonly<Record<ResourceType, number>>;
  readonly flagged: Readonly<Record<ResourceType, number>>;
  /** Findings of each rule. */
  readonly findings: Readonly<Record<string, number>>;
}

/** Judges each text once, and counts it as often as it is sent. */
export async function expectedOf(texts: RemoteTexts, records: number): Promise<Expected> {
  const share = shareOf(records);
  const flagged = perType(() => 0);
  const findings: Record<string, number> = {};
  const today = new Date().toISOString().slice(0, 10);
  for (const type of resourceTypes) {
    const { length } = texts[type];
    for (const [index, text] of texts[type].entries()) {
      const times = Math.ceil((share[type] - index) / length);
      const judged = times > 0 ? await doHere('judgeRecord', [text, type, today]) : undefined;
      if (judged && judged.findings.length > 0) flagged[type] += times;
      for (const { rule } of judged?.findings ?? []) findings[rule] = (findings[rule] ?? 0) + times;
    }
  }
  return { records: share, flagged, findings };
}
