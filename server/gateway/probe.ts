import * as v from 'valibot';
import {
  testSteps,
  type AnnouncedType,
  type Connection,
  type ConnectionTest,
  type TestStep,
  type TestStepName,
} from '../../core/app/connections.ts';
import { firstType, resourceTypes } from '../../core/fhir/resource.ts';
import { defined } from '../../core/json/defined.ts';
import { parseAs } from '../../core/json/shape.ts';
import { RemoteFault, ConnectionFault } from './remote-fault.ts';
import { answerLimit, type Remote } from './remote.ts';
import type { PeerCertificate, WireAnswer } from './wire.ts';

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

/**
 * Tries a connection step by step, and changes nothing: what was done, and in a sentence what failed. `reached` makes
 * the way to the server.
 */
export async function probe(connection: Connection, reached: () => Promise<Remote>): Promise<ConnectionTest> {
  const started = performance.now();
  const steps = new Steps();
  try {
    const said = await walk(connection, await reached(), steps);
    return { ok: true, ms: since(started), steps: steps.all(), ...said };
  } catch (error) {
    if (!(error instanceof ConnectionFault)) throw error;
    const { step, message: text } = error;
    steps.note(step, 'failed', text);
    return { ok: false, ms: since(started), text, steps: steps.all() };
  }
}

/** The steps of a test; those that were not come to are skipped. */
class Steps {
  private readonly known = new Map<TestStepName, TestStep>();

  note(step: TestStepName, outcome: TestStep['outcome'], text: string): void {
    this.known.set(step, { step, outcome, text });
  }

  /** Forgets a step and all behind it. */
  clearFrom(first: TestStepName): void {
    for (const step of testSteps.slice(testSteps.indexOf(first))) this.known.delete(step);
  }

  all(): TestStep[] {
    return testSteps.map((step) => this.known.get(step) ?? { step, outcome: 'skipped', text: 'Not tried.' });
  }
}

const since = (started: number) => Math.round(performance.now() - started);

type Said = Omit<Extract<ConnectionTest, { ok: true }>, 'ok' | 'ms' | 'steps'>;

/** @throws AccessFault, KeyFileError, RemoteFault at the step that fails. */
async function walk(connection: Connection, remote: Remote, steps: Steps): Promise<Said> {
  const { baseUrl, timeoutSeconds } = connection;
  const signal = AbortSignal.timeout(Math.min(probeTime, timeoutSeconds * 1000));
  const headers = { Accept: 'application/fhir+json, application/json;q=0.9' };
  const requestOf = (path: string) => ({
    ...{ url: new URL(`${baseUrl}/${path}`), method: 'GET', headers, signal },
  });
  const { url } = requestOf('metadata');
  const proxy = await remote.wire.proxyOf(url, signal);
  let peer: PeerCertificate | undefined;
  const passed = () => {
    passNetwork(steps, url, proxy, peer);
  };
  // Without credentials: how far the way goes is not to depend on them.
  const onPeer = (shown: PeerCertificate) => (peer = shown);
  try {
    await remote.wire.send({ ...requestOf('metadata'), limit: answerLimit, onPeer });
  } catch (error) {
    if (error instanceof RemoteFault) {
      passed();
      steps.clearFrom(error.step);
    }
    throw error;
  }
  passed();
  const token = await remote.tokens.token();
  if (token === undefined) steps.note('authentication', 'skipped', 'None is asked for by this connection.');
  else steps.note('authentication', 'done', 'There is a token to send.');
  const metadata = await remote.ask(requestOf('metadata'));
  // A few megabytes at most, and for looking only.
  const statement = metadata.status === 200 ? parseAs(CapabilityStatement, textOf(metadata)) : undefined;
  const search = await remote.ask(requestOf(`${firstType}?_count=1`));
  if (token !== undefined) steps.note('authentication', 'done', 'The token is taken.');
  if (!statement && !isFhir(search)) {
    throw new RemoteFault('unusable', noStatement(metadata.status, metadata.url.host), true, 'fhir');
  }
  steps.note('fhir', 'done', statement ? releaseOf(statement) : noCapabilities);
  const refused = search.status === 403;
  if (refused) steps.note('rights', 'failed', notAllowed);
  else steps.note('rights', 'done', rightsOf(connection, statement));
  const remarks = statement ? remarksOf(statement) : [noCapabilities];
  if (refused) remarks.push(notAllowed);
  return { ...(statement ? described(statement) : { formats: [], types: {} }), remarks };
}

const notAllowed = `The server does not let this connection search ${firstType} (403).`;
const noCapabilities = 'It works; it has no CapabilityStatement.';

/** What a first answer shows of the way to it. */
function passNetwork(
  steps: Steps,
  { hostname, host, protocol }: URL,
  proxy: string | undefined,
  peer: PeerCertificate | undefined,
): void {
  if (proxy === undefined) {
    steps.note('name', 'done', `${hostname} is found.`);
    steps.note('proxy', 'skipped', 'None is used.');
  } else {
    steps.note('name', 'skipped', `The proxy looks up ${hostname}.`);
    steps.note('proxy', 'done', `${proxy} lets requests through.`);
  }
  steps.note('connection', 'done', `${host} answers.`);
  if (protocol === 'http:') steps.note('tls', 'skipped', 'http on this machine alone: nothing is encrypted.');
  else if (peer) steps.note('tls', 'done', `Signed by ${peer.issuer}, good until ${peer.until}.`);
}

function textOf({ body }: WireAnswer): string {
  return body.toString('utf8');
}

/** Whether an answer to a search is FHIR: what was found, or why nothing is looked for. */
function isFhir(answer: WireAnswer): boolean {
  const expected = answer.status === 200 ? 'Bundle' : 'OperationOutcome';
  return parseAs(v.object({ resourceType: v.literal(expected) }), textOf(answer)) !== undefined;
}

function releaseOf({ software, fhirVersion = 'of an unnamed release' }: CapabilityStatement): string {
  const name = [software.name, software.version].filter((part) => part !== undefined).join(' ');
  return `${name === '' ? 'The server' : name} speaks FHIR ${fhirVersion}.`;
}

/** Writing is never tried: what is said of it is what the server announces, and what the connection lets pass. */
function rightsOf({ mode }: Connection, statement: CapabilityStatement | undefined): string {
  const read = `${firstType} can be searched.`;
  if (mode === 'read-only') return `${read} Nothing is written: the connection is read-only.`;
  if (!statement) return `${read} Writing was not tried.`;
  const { update = false, patch = false } = typesOf(statement)[firstType] ?? {};
  const ways = [...(update ? ['update'] : []), ...(patch ? ['patch'] : [])];
  const announced = ways.length === 0 ? 'no way to write' : ways.join(' and ');
  return `${read} The server announces ${announced}; it was not tried.`;
}

function noStatement(status: number, host: string): string {
  return status === 200
    ? `${host} answers at this address, but no FHIR CapabilityStatement as JSON. Check the base URL.`
    : `${host} answered ${status} to /metadata. Check the base URL.`;
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
