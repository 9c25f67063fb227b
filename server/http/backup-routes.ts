import { SecondPlaceChange } from '../../core/app/backups.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { Backups } from '../backups/backups.ts';
import { doerOf } from './access.ts';
import { jsonBody } from './body.ts';
import { sendJson } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** Backups of the records; a name is one of the list, never a path. */
export function backupRoutes(backups: Backups, readBody: Answer): readonly TableRoute[] {
  const list: Answer = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await backups.list()));
  };
  const make: Answer = async (_request, response) => {
    sendJson(response, 201, JSON.stringify(await backups.make(doerOf(response))));
  };
  const restore: Answer = async (request, response) => {
    sendJson(
      response,
      200,
      JSON.stringify(await backups.restore(String(request.params.name), doerOf(response))),
    );
  };
  const secondPlace: Answer = async (request, response) => {
    const change = jsonBody(request, 'Second place');
    if (!is(SecondPlaceChange, change)) {
      throw new FhirError('value', { text: 'Send the full path of a folder as "folder", or null for none.' });
    }
    sendJson(response, 200, JSON.stringify(await backups.useSecondPlace(change.folder)));
  };
  return [
    { method: 'GET', path: '/app/backups', answer: list },
    { method: 'POST', path: '/app/backups', answer: make },
    { method: 'PUT', path: '/app/backups/second-place', readBody, answer: secondPlace },
    { method: 'POST', path: '/app/backups/:name/restore', answer: restore },
  ];
}
