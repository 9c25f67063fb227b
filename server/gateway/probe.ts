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
import { formatList } from '../../core/text/language.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { RemoteError, ConnectionError } from './remote-error.ts';
import { maxResponseBytes, type Remote } from './remote.ts';
import type { PeerCertificate, TransportResponse } from './http-transport.ts';

const messages = defineMessages('gateway.test', {
  notTested: 'Not tested',
  nameResolved: 'Host {host} resolved.',
  nameResolvedByProxy: '{host} is resolved by the proxy.',
  noProxy: 'No proxy used.',
  proxyForwards: '{proxy} forwards requests.',
  connected: '{host} answers.',
  notEncrypted: 'http on this computer only; not encrypted.',
  certificate: 'Issued by {issuer}, valid until {date}.',
  certificateOfUnnamedIssuer: 'The issuer is not named. Valid until {date}.',
  noAuthentication: 'This connection uses none.',
  tokenAvailable: 'Token available.',
  tokenAccepted: 'Token accepted.',
  searchForbidden: 'The server doesn’t allow this connection to search {type} (403).',
  noCapabilityStatement: 'Works, but has no CapabilityStatement.',
  version: '{software} speaks FHIR {version}.',
  versionOfUnnamedSoftware: 'The server speaks FHIR {version}.',
  noVersion: 'The server doesn’t state its FHIR version.',
  readOnly: '{type} can be searched. Writes are blocked: the connection is read-only.',
  writingNotTested: '{type} can be searched. Writing was not tested.',
  writingAnnounced: '{type} can be searched. The server announces {ways}; not tested.',
  noWritingAnnounced: '{type} can be searched. The server announces no way to write; not tested.',
  notFhir: '{host} responds, but not with a FHIR CapabilityStatement as JSON. Check the base URL.',
  metadataStatus: '{host} answered {status} to /metadata. Check the base URL.',
  otherRelease: 'The server uses a FHIR version other than R4 (4.0).',
  typeNotListed: 'The server doesn’t list {type}.',
  noVersioning: 'The server doesn’t announce versions of {type}: changes by others are harder to detect.',
});

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
    if (!(error instanceof ConnectionError)) throw error;
    const { step, sentence } = error;
    steps.note(step, 'failed', sentence);
    return { ok: false, ms: since(started), ...sentence, steps: steps.all() };
  }
}

/** The steps of a test; those that were not come to are skipped. */
class Steps {
  private readonly known = new Map<TestStepName, TestStep>();

  note(step: TestStepName, outcome: TestStep['outcome'], message: Message): void {
    this.known.set(step, { step, outcome, ...message });
  }

  /** Forgets a step and all behind it. */
  clearFrom(first: TestStepName): void {
    for (const step of testSteps.slice(testSteps.indexOf(first))) this.known.delete(step);
  }

  all(): TestStep[] {
    const untested = { outcome: 'skipped', ...messages.notTested() } as const;
    return testSteps.map((step) => this.known.get(step) ?? { step, ...untested });
  }
}

const since = (started: number) => Math.round(performance.now() - started);

type Said = Omit<Extract<ConnectionTest, { ok: true }>, 'ok' | 'ms' | 'steps'>;

/** @throws AccessError, KeyFileError, RemoteError at the step that fails. */
async function walk(connection: Connection, remote: Remote, steps: Steps): Promise<Said> {
  const { baseUrl, timeoutSeconds } = connection;
  const signal = AbortSignal.timeout(Math.min(probeTime, timeoutSeconds * 1000));
  const headers = { Accept: 'application/fhir+json, application/json;q=0.9' };
  const requestOf = (path: string) => ({
    url: new URL(`${baseUrl}/${path}`),
    method: 'GET',
    headers,
    signal,
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
    await remote.wire.send({ ...requestOf('metadata'), limit: maxResponseBytes, onPeer });
  } catch (error) {
    if (error instanceof RemoteError) {
      passed();
      steps.clearFrom(error.step);
    }
    throw error;
  }
  passed();
  const token = await remote.tokens.token();
  if (token === undefined) steps.note('authentication', 'skipped', messages.noAuthentication());
  else steps.note('authentication', 'done', messages.tokenAvailable());
  const metadata = await remote.ask(requestOf('metadata'));
  // A few megabytes at most, and for looking only.
  const statement = metadata.status === 200 ? parseAs(CapabilityStatement, textOf(metadata)) : undefined;
  const search = await remote.ask(requestOf(`${firstType}?_count=1`));
  if (token !== undefined) steps.note('authentication', 'done', messages.tokenAccepted());
  if (!statement && !isFhir(search)) {
    throw new RemoteError('unusable', noStatement(metadata.status, metadata.url.host), true, 'fhir');
  }
  steps.note('fhir', 'done', statement ? releaseOf(statement) : messages.noCapabilityStatement());
  const remarks = statement ? remarksOf(statement) : [messages.noCapabilityStatement()];
  if (search.status === 403) {
    const forbidden = messages.searchForbidden({ type: firstType });
    steps.note('rights', 'failed', forbidden);
    remarks.push(forbidden);
  } else steps.note('rights', 'done', rightsOf(connection, statement));
  return {
    ...(statement ? described(statement) : { formats: [], types: {} }),
    remarks: remarks.map(({ text }) => text),
    remarkMessages: remarks,
  };
}

/** What a first answer shows of the way to it. */
function passNetwork(
  steps: Steps,
  { hostname, host, protocol }: URL,
  proxy: string | undefined,
  peer: PeerCertificate | undefined,
): void {
  if (proxy === undefined) {
    steps.note('name', 'done', messages.nameResolved({ host: hostname }));
    steps.note('proxy', 'skipped', messages.noProxy());
  } else {
    steps.note('name', 'skipped', messages.nameResolvedByProxy({ host: hostname }));
    steps.note('proxy', 'done', messages.proxyForwards({ proxy }));
  }
  steps.note('connection', 'done', messages.connected({ host }));
  if (protocol === 'http:') steps.note('tls', 'skipped', messages.notEncrypted());
  else if (peer) steps.note('tls', 'done', certificateMessage(peer));
}

function certificateMessage({ issuer, until: date }: PeerCertificate): Message {
  return issuer === undefined
    ? messages.certificateOfUnnamedIssuer({ date })
    : messages.certificate({ issuer, date });
}

function textOf({ body }: TransportResponse): string {
  return body.toString('utf8');
}

/** Whether an answer to a search is FHIR: what was found, or why nothing is looked for. */
function isFhir(answer: TransportResponse): boolean {
  const expected = answer.status === 200 ? 'Bundle' : 'OperationOutcome';
  return parseAs(v.object({ resourceType: v.literal(expected) }), textOf(answer)) !== undefined;
}

function releaseOf({ software, fhirVersion: version }: CapabilityStatement): Message {
  if (version === undefined) return messages.noVersion();
  const name = [software.name, software.version].filter((part) => part !== undefined).join(' ');
  return name === ''
    ? messages.versionOfUnnamedSoftware({ version })
    : messages.version({ software: name, version });
}

/** Writing is never tried: what is said of it is what the server announces, and what the connection lets pass. */
function rightsOf({ mode }: Connection, statement: CapabilityStatement | undefined): Message {
  const type = firstType;
  if (mode === 'read-only') return messages.readOnly({ type });
  if (!statement) return messages.writingNotTested({ type });
  const { update = false, patch = false } = typesOf(statement)[firstType] ?? {};
  const ways = [...(update ? ['update'] : []), ...(patch ? ['patch'] : [])];
  return ways.length === 0
    ? messages.noWritingAnnounced({ type })
    : messages.writingAnnounced({ type, ways: formatList(ways) });
}

function noStatement(status: number, host: string): Message {
  return status === 200 ? messages.notFhir({ host }) : messages.metadataStatus({ host, status });
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

function remarksOf(statement: CapabilityStatement): Message[] {
  const remarks: Message[] = [];
  if (!`${statement.fhirVersion ?? ''}.`.startsWith('4.0.')) remarks.push(messages.otherRelease());
  const types = typesOf(statement);
  for (const type of resourceTypes) {
    const found = types[type];
    if (!found) remarks.push(messages.typeNotListed({ type }));
    else if (!(found.versioning ?? '').startsWith('versioned')) remarks.push(messages.noVersioning({ type }));
  }
  return remarks;
}
