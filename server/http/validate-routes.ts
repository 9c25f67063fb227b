import type { Request, Response } from 'express';
import type { Route } from '../../core/api/contract.ts';
import { parsePrefer } from '../../core/api/prefer.ts';
import { absentText, undecidedText } from '../../core/app/profile-issues.ts';
import type { StoreFinding } from '../../core/app/quality.ts';
import { expressionAt } from '../../core/fhir/expression.ts';
import { FhirError, mostIssues, type OutcomeIssue } from '../../core/fhir/outcome.ts';
import { literalAt } from '../../core/fhir/relations.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { locationOf } from '../../core/fhir/search-values.ts';
import { parsePointer } from '../../core/json/pointer.ts';
import { objectIn } from '../../core/json/scan.ts';
import { outcomeIssues } from '../fhir/judge.ts';
import { storeFindings } from '../fhir/other-records.ts';
import type { RecordService } from '../fhir/service.ts';
import type { ProfileAnswer } from '../judge/profile-messages.ts';
import type { Profiles } from '../judge/profiles.ts';
import type { SharedStore } from '../store/store.ts';
import { sendBytes, outcomeText } from './reply.ts';
import { bodyText, idOf, pairsOf, typeOf } from './request.ts';
import { shapingOf } from './shaping.ts';

/** FHIR R4 valueset-resource-validation-mode.html. */
const modes = ['create', 'update', 'delete', 'profile'];

const parameters = ['mode', 'profile'] as const;

interface Asked {
  readonly resource?: string | undefined;
  readonly mode?: string | undefined;
  readonly profile?: string | undefined;
}

/** Row 85: `$validate`, of a type and of one record. */
export function validateAnswers(
  service: RecordService,
  profiles: Pick<Profiles, 'judge'>,
  store: Pick<SharedStore, 'revision' | 'read' | 'relations'>,
) {
  const validate = async (request: Request, response: Response, route: Route): Promise<void> => {
    const { pretty } = shapingOf(request, parameters);
    const type = typeOf(request);
    const asked = await askedOf(request, service);
    // A record that is not there is not judged, whatever is sent in its place.
    const stored = route.operation !== 'validate' ? await service.readBytes(type, idOf(request)) : undefined;
    const text = asked.resource ?? stored?.bytes.toString();
    if (text === undefined) {
      throw new FhirError('required', { text: 'Send the record, as it is or as the parameter resource.' });
    }
    const findings = await service.validate(type, text);
    const claimed = await service.claimedProfiles(text);
    const own = asked.profile === undefined ? [] : [asked.profile];
    const byProfile = await profiles.judge({ type, text }, [...own, ...claimed]);
    const found = [...findings, ...byProfile.findings];
    // Of the stored text alone: another text is not the one that the store found something at.
    const revision =
      asked.resource === undefined && stored ? await store.revision(type, stored.id) : undefined;
    const atStore = revision ? await storeFindings(store, type, revision) : [];
    const others = [
      ...(asked.mode === 'delete' ? [notDeleted] : []),
      ...openIssues(type, asked.profile, byProfile),
      ...atStore.map((one) => storeIssue(type, one, text)),
    ];
    // "No issue was found" only where all that was asked was looked at.
    const issues = found.length === 0 && others.length > 0 ? others : [...others, ...outcomeIssues(found)];
    const bytes = Buffer.from(outcomeText(response, issues.slice(0, mostIssues)));
    sendBytes(response, route.success, await service.shaped(bytes, { pretty }));
  };
  return { validate, 'validate-stored': validate, 'validate-instance': validate };
}

/** @throws FhirError where what is asked contradicts itself, or is not known. */
async function askedOf(request: Request, service: RecordService): Promise<Asked> {
  const body = bodyText(request);
  const sent = body === '' ? undefined : await service.validateParameters(body);
  const [unknown] = sent?.unknown ?? [];
  const lenient = parsePrefer(request.get('Prefer')).handling === 'lenient';
  if (unknown !== undefined && !lenient) {
    throw new FhirError('not-accepted', {
      text: 'A parameter is not known here; resource, mode and profile are.',
      expression: 'Parameters.parameter',
    });
  }
  const asked = {
    resource: sent ? sent.resource : body === '' ? undefined : body,
    mode: oneOf(request, 'mode', sent?.mode),
    profile: oneOf(request, 'profile', sent?.profile),
  };
  if (asked.mode !== undefined && !modes.includes(asked.mode)) {
    throw new FhirError('value', {
      text: `mode is one of ${modes.join(', ')}.`,
      location: locationOf('mode'),
    });
  }
  return asked;
}

function oneOf(
  request: Request,
  name: (typeof parameters)[number],
  sent: string | undefined,
): string | undefined {
  const values = pairsOf(request).flatMap(([key, value]) => (key === name ? [value] : []));
  const all = new Set([...values, ...(sent === undefined ? [] : [sent])]);
  if (all.size > 1 || all.has('')) {
    throw new FhirError('value', { text: `Send one ${name}, with a value.`, location: locationOf(name) });
  }
  return [...all][0];
}

const notDeleted: OutcomeIssue = {
  severity: 'error',
  code: 'not-supported',
  details: { text: 'Records are not deleted; set status to entered-in-error.' },
};

/** What was not judged: profiles that are not at hand, and what profiles ask that cannot be decided here. */
function openIssues(
  type: ResourceType,
  profile: string | undefined,
  { absent, undecided }: ProfileAnswer,
): OutcomeIssue[] {
  return [...absent.map((one) => absentIssue(type, one, one === profile)), ...undecided.map(openIssue)];
}

/** Nobody may take it for a pass that what was asked for could not be looked at; what is but claimed is a warning. */
function absentIssue(type: ResourceType, profile: string, wasAsked: boolean): OutcomeIssue {
  return {
    severity: wasAsked ? 'error' : 'warning',
    code: 'not-found',
    details: { text: absentText(type) },
    diagnostics: profile,
    ...(wasAsked ? { location: [locationOf('profile')] } : { expression: [`${type}.meta.profile`] }),
  };
}

/** A finding of the store, which names the other records: the one that a reference leads to where it is not there. */
function storeIssue(type: ResourceType, finding: StoreFinding, text: string): OutcomeIssue {
  const { rule, pointer, others = [], moreOthers } = finding;
  const root = rule === 'store/dangling-reference' ? objectIn(text) : undefined;
  const missing = root && literalAt(root, pointer);
  const names = missing ?? others.map((one) => `${one.type}/${one.id}`).join(', ');
  return {
    ...{ severity: 'warning', code: 'business-rule', details: { text: finding.text } },
    ...(names !== '' && { diagnostics: moreOthers ? `${names} and others` : names }),
    expression: [expressionAt(type, parsePointer(pointer) ?? [])],
  };
}

function openIssue(one: ProfileAnswer['undecided'][number]): OutcomeIssue {
  return {
    ...{ severity: 'information', code: 'incomplete' },
    details: { text: undecidedText(one) },
    diagnostics: one.profile,
    expression: [one.expression],
  };
}
