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

/** Time limit of a test in milliseconds. The limit of the connection does not apply. */
const probeTime = 10_000;

/** Text of another server for the page: short, without control characters. */
const Line = v.pipe(
  v.string(),
  v.transform((text) => text.replaceAll(/\p{C}/gu, ' ').slice(0, 120)),
);
const Text = v.fallback(v.optional(Line), undefined);

/** Schema of a list that drops items of another shape. */
function listOf<Item extends v.GenericSchema>(item: Item) {
  const readItems = v.transform((items: unknown[]) =>
    items.flatMap((value) => {
      const parsed = v.safeParse(item, value);
      return parsed.success ? [parsed.output] : [];
    }),
  );
  return v.fallback(v.pipe(v.array(v.unknown()), readItems), []);
}

/**
 * Members of a CapabilityStatement that are read (FHIR R4 capabilitystatement.html). A member of another
 * shape counts as missing.
 */
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
 * Tests a connection step by step and changes nothing. Reports each step and the reason of a failure.
 * `createAccess` opens the remote.
 */
export async function probe(
  connection: Connection,
  createAccess: () => Promise<Remote>,
): Promise<ConnectionTest> {
  const startedAtMs = performance.now();
  const steps = new Steps();
  try {
    const details = await walk(connection, await createAccess(), steps);
    return { ok: true, ms: since(startedAtMs), steps: steps.list(), ...details };
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    const { step, sentence } = error;
    steps.note(step, 'failed', sentence);
    return { ok: false, ms: since(startedAtMs), ...sentence, steps: steps.list() };
  }
}

/** Steps of a test. Steps that did not run are skipped. */
class Steps {
  private readonly stepsByName = new Map<TestStepName, TestStep>();

  note(step: TestStepName, outcome: TestStep['outcome'], message: Message): void {
    this.stepsByName.set(step, { step, outcome, ...message });
  }

  /** Clears a step and all later ones. */
  clearFrom(firstStep: TestStepName): void {
    for (const step of testSteps.slice(testSteps.indexOf(firstStep))) this.stepsByName.delete(step);
  }

  list(): TestStep[] {
    const untested = { outcome: 'skipped', ...messages.notTested() } as const;
    return testSteps.map((step) => this.stepsByName.get(step) ?? { step, ...untested });
  }
}

const since = (startedAtMs: number) => Math.round(performance.now() - startedAtMs);

type ConnectionTestDetails = Omit<Extract<ConnectionTest, { ok: true }>, 'ok' | 'ms' | 'steps'>;

/** @throws AccessError, KeyFileError, RemoteError at the step that fails. */
async function walk(connection: Connection, remote: Remote, steps: Steps): Promise<ConnectionTestDetails> {
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
  const passNetworkOnce = () => {
    passNetwork(steps, url, proxy, peer);
  };
  // Sent without credentials: the network steps must not depend on them.
  const onPeer = (certificate: PeerCertificate) => (peer = certificate);
  try {
    await remote.wire.send({ ...requestOf('metadata'), limit: maxResponseBytes, onPeer });
  } catch (error) {
    if (error instanceof RemoteError) {
      passNetworkOnce();
      steps.clearFrom(error.step);
    }
    throw error;
  }
  passNetworkOnce();
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

/** Passes the network steps by the facts of a first response. */
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

/** Returns true if the response to a search is a FHIR Bundle or OperationOutcome. */
function isFhir(response: TransportResponse): boolean {
  const expected = response.status === 200 ? 'Bundle' : 'OperationOutcome';
  return parseAs(v.object({ resourceType: v.literal(expected) }), textOf(response)) !== undefined;
}

function releaseOf({ software, fhirVersion: version }: CapabilityStatement): Message {
  if (version === undefined) return messages.noVersion();
  const name = [software.name, software.version].filter((part) => part !== undefined).join(' ');
  return name === ''
    ? messages.versionOfUnnamedSoftware({ version })
    : messages.version({ software: name, version });
}

/** The test never writes. It shows the rights that the server announces and the connection mode allows. */
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

function typesOf({ rest: restEntries }: CapabilityStatement): Readonly<Record<string, AnnouncedType>> {
  const resources = restEntries.flatMap(({ resource }) => resource);
  return Object.fromEntries(
    resourceTypes.flatMap((type) => {
      const match = resources.find((resource) => resource.type === type);
      if (!match) return [];
      const codes = match.interaction.map(({ code }) => code);
      const announcedType: AnnouncedType = {
        ...defined({ versioning: match.versioning }),
        patch: codes.includes('patch'),
        history: codes.includes('history-instance') || codes.includes('vread'),
        create: codes.includes('create'),
        update: codes.includes('update'),
      };
      return [[type, announcedType]];
    }),
  );
}

function remarksOf(statement: CapabilityStatement): Message[] {
  const remarks: Message[] = [];
  if (!`${statement.fhirVersion ?? ''}.`.startsWith('4.0.')) remarks.push(messages.otherRelease());
  const types = typesOf(statement);
  for (const type of resourceTypes) {
    const announcedType = types[type];
    if (!announcedType) remarks.push(messages.typeNotListed({ type }));
    else if (!(announcedType.versioning ?? '').startsWith('versioned'))
      remarks.push(messages.noVersioning({ type }));
  }
  return remarks;
}
