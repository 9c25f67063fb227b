import * as v from 'valibot';
import type { AnnouncedType, Connection, ConnectionTest } from '../../core/app/connections.ts';
import { firstType, resourceTypes } from '../../core/fhir/resource.ts';
import { defined } from '../../core/json/defined.ts';
import { parseAs } from '../../core/json/shape.ts';
import { faultSentence } from './fault-sentence.ts';
import type { Remote } from './remote.ts';

/** Milliseconds that the test may take, whatever the connection's own limit. */
const probeTime = 10_000;

/** Text of another server for the page: short, without control characters. */
const Line = v.pipe(
  v.string(),
  v.transform((text) => text.replaceAll(/\p{C}/gu, ' ').slice(0, 120)),
);
const Text = v.fallback(v.optional(Line), undefined);

/** The items of a list that are what is expected; the others are passed over. */
function listOf<Item extends v.GenericSchema>(item: Item) {
  const read = v.transform((items: unknown[]) =>
    items.flatMap((one) => {
      const found = v.safeParse(item, one);
      return found.success ? [found.output] : [];
    }),
  );
  return v.fallback(v.pipe(v.array(v.unknown()), read), []);
}

/** What is read of a CapabilityStatement (FHIR R4 capabilitystatement.html); what is something else counts as absent. */
const CapabilityStatement = v.object({
  resourceType: v.literal('CapabilityStatement'),
  fhirVersion: Text,
  software: v.fallback(v.object({ name: Text, version: Text }), {}),
  format: listOf(Line),
  rest: listOf(
    v.object({
      resource: listOf(
        v.object({ type: Text, versioning: Text, interaction: listOf(v.object({ code: Text })) }),
      ),
    }),
  ),
});
type CapabilityStatement = v.InferOutput<typeof CapabilityStatement>;

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
    // A few megabytes at most, and for looking only.
    const statement = parseAs(CapabilityStatement, metadata.body.toString('utf8'));
    if (metadata.status !== 200 || !statement) {
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

function described(statement: CapabilityStatement) {
  const { software, fhirVersion, format } = statement;
  return {
    ...defined({ software: software.name, version: software.version, fhirVersion }),
    formats: format,
    types: typesOf(statement),
  };
}

function typesOf({ rest }: CapabilityStatement): Readonly<Record<string, AnnouncedType>> {
  const resources = rest.flatMap(({ resource }) => resource);
  return Object.fromEntries(
    resourceTypes.flatMap((type) => {
      const found = resources.find((resource) => resource.type === type);
      if (!found) return [];
      const codes = found.interaction.map(({ code }) => code);
      const announced: AnnouncedType = {
        ...defined({ versioning: found.versioning }),
        patch: codes.includes('patch'),
        history: codes.includes('history-instance') || codes.includes('vread'),
        create: codes.includes('create'),
        update: codes.includes('update'),
      };
      return [[type, announced]];
    }),
  );
}

function remarksOf(statement: CapabilityStatement): string[] {
  const remarks: string[] = [];
  if (!`${statement.fhirVersion ?? ''}.`.startsWith('4.0.'))
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
