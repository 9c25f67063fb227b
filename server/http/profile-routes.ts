import { check } from '../../core/app/check.ts';
import { RecordText } from '../../core/app/checks.ts';
import { profileSlot, type ProfileFindings } from '../../core/app/profiles.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isResourceType, typeList } from '../../core/fhir/resource.ts';
import { formatPointer } from '../../core/json/pointer.ts';
import type { RecordService } from '../fhir/service.ts';
import type { Checks } from '../judge/checks.ts';
import type { ProfileAnswer } from '../judge/profile-messages.ts';
import type { Profiles } from '../judge/profiles.ts';
import { localServer } from '../workspace/server-key.ts';
import { json } from './reply.ts';
import { jsonBody, valueOf } from './body.ts';
import { pairsOf } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

interface ProfileRouteParts {
  readonly checks: Pick<Checks, 'profiles' | 'undecided'>;
  readonly profiles: Pick<Profiles, 'judge'>;
  readonly service: Pick<RecordService, 'claimedProfiles'>;
  readonly serverOf: ServerOf;
}

/**
 * `/app/profiles`: how far records are judged by profiles, of which something cannot be decided, and what profiles say of a
 * text (core/app/profiles.ts), which may be another server's: nothing of it leaves this one.
 */
export function profileRoutes(parts: ProfileRouteParts): readonly TableRoute[] {
  const { checks, profiles, service, serverOf } = parts;
  const undecided = json(async (request) => {
    const [[name, type] = ['', ''], ...others] = pairsOf(request);
    if (name !== 'type' || !isResourceType(type) || others.length > 0) {
      throw new FhirError('value', { text: `Send one type: ${typeList}.`, location: 'http.type' });
    }
    return { type, ids: await checks.undecided(profileSlot(type)) };
  });
  const findings = json(async (request) => {
    const { type, record: text } = valueOf(check(RecordText, jsonBody(request, 'Record')));
    const another = (await serverOf(request)) !== localServer;
    const answer = await profiles.judge({ type, text, another }, await service.claimedProfiles(text));
    return toldOf(answer);
  });
  return [
    { method: 'GET', path: '/app/profiles/progress', answer: json(() => checks.profiles()) },
    { method: 'GET', path: '/app/profiles/undecided', audit: 'search', answer: undecided },
    { method: 'POST', path: '/app/profiles/findings', body: true, answer: findings },
  ];
}

function toldOf({ findings, undecided, absent }: ProfileAnswer): ProfileFindings {
  return {
    findings: findings.map(({ rule, severity, category, text, expression, tokens, diagnostics }) => ({
      ...{ rule, severity, category, text, expression },
      ...{ pointer: formatPointer(tokens), profile: diagnostics.slice(rule.length + 2) },
    })),
    undecided: undecided.map(({ profile, element, expression, tokens, needs }) => ({
      ...{ profile, element, expression, needs },
      pointer: formatPointer(tokens),
    })),
    absent: [...absent],
  };
}
