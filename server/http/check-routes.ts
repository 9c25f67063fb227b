import { check } from '../../core/app/check.ts';
import { checkPut, RecordText, Trial } from '../../core/app/checks.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { Checks } from '../judge/checks.ts';
import { doerOf } from './access.ts';
import { jsonBody, valueOf } from './body.ts';
import { json } from './reply.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/checks`: checks that stewards add to the rules (core/app/checks.ts). */
export function checkRoutes(checks: Checks): readonly TableRoute[] {
  const put = json(async (request, response) => {
    const { definition, version } = valueOf(checkPut(request.params.id, jsonBody(request, 'Check')));
    const { who, person = who } = doerOf(response);
    const kept = await checks.put(definition, version, person);
    // Removed again by the time it was looked up.
    if (!kept) throw unknown();
    return kept;
  });
  const remove = json((request) => {
    if (!checks.remove(String(request.params.id))) throw unknown();
    return checks.list();
  });
  const trial = json((request) => checks.try(valueOf(check(Trial, jsonBody(request, 'Trial')))));
  const findings = json(async (request) => {
    const { type, record } = valueOf(check(RecordText, jsonBody(request, 'Record')));
    const [found = []] = await checks.findings(type, [record]);
    return found;
  });
  const skipped = json(async (request) => {
    const found = await checks.skipped(String(request.params.id));
    if (!found) throw unknown();
    return found;
  });
  return [
    { method: 'GET', path: '/app/checks', answer: json(() => checks.list()) },
    { method: 'POST', path: '/app/checks/try', body: true, audit: 'search', answer: trial },
    { method: 'POST', path: '/app/checks/findings', body: true, answer: findings },
    { method: 'PUT', path: '/app/checks/:id', body: true, answer: put },
    { method: 'DELETE', path: '/app/checks/:id', answer: remove },
    { method: 'GET', path: '/app/checks/:id/skipped', audit: 'search', answer: skipped },
  ];
}

function unknown(): FhirError {
  return new FhirError('unknown-path', { text: 'There is no check with this id.' });
}
