import { check } from '../../core/app/check.ts';
import { RecordText } from '../../core/app/checks.ts';
import { profileSlot, type ProfileFindings } from '../../core/app/profiles.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isResourceType, typeChoice } from '../../core/fhir/resource.ts';
import { formatPointer } from '../../core/json/pointer.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { RecordService } from '../fhir/service.ts';
import type { Checks } from '../validation/checks.ts';
import type { ProfileAnswer } from '../validation/profile-messages.ts';
import type { Profiles } from '../validation/profiles.ts';
import { localServer } from '../workspace/server-key.ts';
import { createJsonHandler } from './reply.ts';
import { parseJsonBody, getCheckedValue } from './body.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

const messages = defineMessages('profile', { invalidType: 'Send exactly one type: {types}.' });

interface ProfileRouteDependencies {
  readonly checks: Pick<Checks, 'profiles' | 'undecided'>;
  readonly profiles: Pick<Profiles, 'judge'>;
  readonly service: Pick<RecordService, 'claimedProfiles'>;
  readonly serverOf: ServerOf;
}

/**
 * `/app/profiles`: progress of profile validation, undecided records, and findings of one text
 * (core/app/profiles.ts).
 *
 * The text may come from a remote server. It never leaves this server.
 */
export function createProfileRoutes(dependencies: ProfileRouteDependencies): readonly TableRoute[] {
  const { checks, profiles, service, serverOf } = dependencies;
  const listUndecided = createJsonHandler(async (request) => {
    const [[name, type] = ['', ''], ...furtherParameters] = request.query;
    if (name !== 'type' || !isResourceType(type) || furtherParameters.length > 0) {
      throw new FhirError('value', { ...messages.invalidType({ types: typeChoice }), location: 'http.type' });
    }
    return { type, ids: await checks.undecided(profileSlot(type)) };
  });
  const findings = createJsonHandler(async (request) => {
    const { type, record: text } = getCheckedValue(check(RecordText, parseJsonBody(request, 'Record')));
    const isRemote = (await serverOf(request)) !== localServer;
    const validation = await profiles.judge(
      { type, text, isRemote: isRemote },
      await service.claimedProfiles(text),
    );
    return toProfileFindings(validation);
  });
  return [
    { method: 'GET', path: '/app/profiles/progress', handler: createJsonHandler(() => checks.profiles()) },
    { method: 'GET', path: '/app/profiles/undecided', audit: 'search', handler: listUndecided },
    { method: 'POST', path: '/app/profiles/findings', body: true, handler: findings },
  ];
}

function toProfileFindings({ findings, undecidedRules, missingProfiles }: ProfileAnswer): ProfileFindings {
  return {
    findings: findings.map(({ tokens, diagnostics, code: _, ...finding }) => ({
      ...finding,
      pointer: formatPointer(tokens),
      profile: diagnostics.slice(finding.rule.length + 2),
    })),
    undecided: undecidedRules.map(({ tokens, ...demand }) => ({ ...demand, pointer: formatPointer(tokens) })),
    absent: [...missingProfiles],
  };
}
