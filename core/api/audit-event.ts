import { parseAddress } from './address.ts';
import type { AuditAction, AuditEntry } from '../app/audit.ts';
import { base64 } from '../fhir/base64.ts';
import { isFhirId, isResourceType } from '../fhir/resource.ts';

const codingOf = (system: string) => (code: string) => ({ system, code });
type Coding = ReturnType<typeof dicom>;

const terminology = 'http://terminology.hl7.org/CodeSystem';
const dicom = codingOf('http://dicom.nema.org/resources/ontology/DCM');
const lifecycle = codingOf(`${terminology}/iso-21089-lifecycle`);
const interaction = codingOf('http://hl7.org/fhir/restful-interaction');
const entityType = codingOf(`${terminology}/audit-entity-type`);
const objectRole = codingOf(`${terminology}/object-role`);
const rest = codingOf(`${terminology}/audit-event-type`)('rest');

interface Kind {
  readonly type: Coding;
  readonly subtype: Coding;
  /** FHIR R4 valueset-audit-event-action: create, read, update, delete, execute. */
  readonly action: 'C' | 'R' | 'U' | 'D' | 'E';
}

/** What each action is in the value sets of FHIR R4 auditevent.html#bnr. */
const kinds: Readonly<Record<AuditAction, Kind>> = {
  read: { type: rest, subtype: interaction('read'), action: 'R' },
  search: { type: rest, subtype: interaction('search-type'), action: 'E' },
  create: { type: rest, subtype: interaction('create'), action: 'C' },
  update: { type: rest, subtype: interaction('update'), action: 'U' },
  patch: { type: rest, subtype: interaction('patch'), action: 'U' },
  delete: { type: rest, subtype: interaction('delete'), action: 'D' },
  // User Authentication: Login.
  'sign-in': { type: dicom('110114'), subtype: dicom('110122'), action: 'E' },
  // User Authentication: Logout.
  'sign-out': { type: dicom('110114'), subtype: dicom('110123'), action: 'E' },
  // Security Alert: User Security Attributes Changed.
  'token-create': { type: dicom('110113'), subtype: dicom('110137'), action: 'C' },
  'token-revoke': { type: dicom('110113'), subtype: dicom('110137'), action: 'D' },
  // Export and Import.
  backup: { type: dicom('110106'), subtype: lifecycle('archive'), action: 'R' },
  restore: { type: dicom('110107'), subtype: lifecycle('restore'), action: 'U' },
  // Patient Record.
  reset: { type: dicom('110110'), subtype: lifecycle('destroy'), action: 'D' },
  // Security Alert: Security Configuration.
  seal: { type: dicom('110113'), subtype: dicom('110129'), action: 'U' },
  erase: { type: dicom('110110'), subtype: lifecycle('destroy'), action: 'D' },
  finding: { type: dicom('110110'), subtype: lifecycle('verify'), action: 'U' },
  // Import.
  move: { type: dicom('110107'), subtype: lifecycle('receive'), action: 'C' },
};

/** An AuditEvent (FHIR R4 auditevent.html) that tells an entry of the audit trail. */
export function auditEvent(entry: AuditEntry): object {
  const { seq, time, action, status, reason } = entry;
  const kind = kinds[action];
  return {
    resourceType: 'AuditEvent',
    id: String(seq),
    type: kind.type,
    subtype: [subtypeOf(entry)],
    action: kind.action,
    recorded: time,
    outcome: outcomeOf(status),
    ...(status >= 400 && { outcomeDesc: `HTTP ${status}` }),
    ...(reason !== undefined && { purposeOfEvent: [{ text: reason }] }),
    agent: [agentOf(entry)],
    source: { observer: { display: 'Chartkeeper' } },
    entity: [entityOf(entry)],
  };
}

/** The person, with the token as another name; the token alone where no person is known. */
function agentOf({ who, person }: AuditEntry): object {
  const name = person ?? who;
  return {
    ...(person !== undefined && { altId: who }),
    ...(name !== '' && { name }),
    requestor: true,
  };
}

/** FHIR R4 valueset-audit-event-outcome: success, minor failure, serious failure. */
function outcomeOf(status: number): '0' | '4' | '8' {
  if (status < 400) return '0';
  return status < 500 ? '4' : '8';
}

function subtypeOf({ action, what }: AuditEntry): Coding {
  const { subtype } = kinds[action];
  const { operation, version } = parseAddress(what) ?? {};
  if (operation !== '_history') return subtype;
  if (action === 'search') return interaction('history-type');
  return interaction(version === undefined ? 'history-instance' : 'vread');
}

/** A record by reference, a search by its query, and what else there is by its name. */
function entityOf(entry: AuditEntry): object {
  const { what, action } = entry;
  const detail = detailOf(entry);
  if (action === 'search') {
    return { type: entityType('2'), role: objectRole('24'), query: base64(what), ...detail };
  }
  const reference = referenceOf(entry);
  if (reference === undefined) return { type: entityType('2'), name: what, ...detail };
  return { what: { reference }, type: entityType('2'), role: objectRole('4'), ...detail };
}

function referenceOf({ what, after }: AuditEntry): string | undefined {
  const { type = '', id = '', version = after } = parseAddress(what) ?? {};
  if (!isResourceType(type) || !isFhirId(id)) return undefined;
  return version === undefined ? `${type}/${id}` : `${type}/${id}/_history/${version}`;
}

function detailOf({ before, after, status, requestId }: AuditEntry): object {
  const details = [
    ...(before === undefined ? [] : [['version before', String(before)]]),
    ...(after === undefined ? [] : [['version after', String(after)]]),
    ...(status === 0 ? [] : [['HTTP status', String(status)]]),
    ...(requestId === '' ? [] : [['X-Request-Id', requestId]]),
  ].map(([type, valueString]) => ({ type, valueString }));
  return details.length === 0 ? {} : { detail: details };
}
