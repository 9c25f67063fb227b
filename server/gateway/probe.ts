import type { AnnouncedType, Connection, ConnectionTest } from '../../core/app/connections.ts';
import { firstType, resourceTypes } from '../../core/fhir/resource.ts';
import { faultSentence } from './fault-sentence.ts';
import type { Remote } from './remote.ts';

/** Milliseconds that the test may take, whatever the connection's own limit. */
const probeTime = 10_000;

type Fields = Readonly<Record<string, unknown>>;

/** Reads /metadata and asks for one record: says what the server announces, or in a sentence why not. */
export async function probe(remote: Remote, connection: Connection): Promise<ConnectionTest> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  const { baseUrl, timeoutSeconds } = connection;
  const signal = AbortSignal.timeout(Math.min(probeTime, timeoutSeconds * 1000));
  const headers = { Accept: 'application/fhir+json, application/json;q=0.9' };
  const ask = (path: string) =>
    remote.ask({ url: new URL(`${baseUrl}/${path}`), method: 'GET', headers, signal });
  try {
    const metadata = await ask('metadata');
    const statement = parsed(metadata.body);
    if (metadata.status !== 200 || statement?.resourceType !== 'CapabilityStatement') {
      return { ok: false, ms: ms(), text: noStatement(metadata.status, metadata.url.host) };
    }
    const remarks = [...remarksOf(statement), ...accessRemarks((await ask(`${firstType}?_count=1`)).status)];
    return { ok: true, ms: ms(), ...described(statement), remarks };
  } catch (error) {
    const text = faultSentence(error);
    if (text === undefined) throw error;
    return { ok: false, ms: ms(), text };
  }
}

function noStatement(status: number, host: string): string {
  return status === 200
    ? `${host} answers at this address, but no FHIR CapabilityStatement as JSON. Check the base URL.`
    : `${host} answered ${status} to /metadata. Check the base URL.`;
}

function accessRemarks(status: number): string[] {
  return status === 403 ? [`The server does not let this connection search ${firstType} (403).`] : [];
}

/** A few megabytes at most, and for looking only. */
function parsed(body: Buffer): Fields | undefined {
  try {
    return fields(JSON.parse(body.toString('utf8')));
  } catch {
    return undefined;
  }
}

function described(statement: Fields) {
  const software = fields(statement.software);
  const optional = {
    software: text(software?.name),
    version: text(software?.version),
    fhirVersion: text(statement.fhirVersion),
  };
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { ...known, formats: texts(statement.format), types: typesOf(statement) };
}

function typesOf(statement: Fields): Readonly<Record<string, AnnouncedType>> {
  const resources = list(statement.rest)
    .flatMap((rest) => list(fields(rest)?.resource))
    .map(fields);
  return Object.fromEntries(
    resourceTypes.flatMap((type) => {
      const found = resources.find((resource) => resource?.type === type);
      if (!found) return [];
      const codes = list(found.interaction).map((one) => text(fields(one)?.code));
      const versioning = text(found.versioning);
      const announced: AnnouncedType = {
        ...(versioning !== undefined && { versioning }),
        patch: codes.includes('patch'),
        history: codes.includes('history-instance') || codes.includes('vread'),
        create: codes.includes('create'),
        update: codes.includes('update'),
      };
      return [[type, announced]];
    }),
  );
}

function remarksOf(statement: Fields): string[] {
  const remarks: string[] = [];
  const version = text(statement.fhirVersion) ?? '';
  if (!`${version}.`.startsWith('4.0.'))
    remarks.push('The server speaks another release of FHIR than R4 (4.0).');
  const types = typesOf(statement);
  for (const type of resourceTypes) {
    const found = types[type];
    if (!found) remarks.push(`The server does not announce ${type}.`);
    else if (!(found.versioning ?? '').startsWith('versioned')) {
      remarks.push(`No versions of ${type} are announced: changes of others are noticed less surely.`);
    }
  }
  return remarks;
}

function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: unknown): readonly string[] {
  return list(value).flatMap((one) => text(one) ?? []);
}

/** Text of another server for the page: short, without control characters. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replaceAll(/\p{C}/gu, ' ').slice(0, 120) : undefined;
}
