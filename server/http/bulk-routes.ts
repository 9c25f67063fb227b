import type { Request } from 'express';
import {
  bulkLimits,
  BulkTurn,
  NewBulkRun,
  NewUndo,
  PlacedTargets,
  type BulkRun,
} from '../../core/app/bulk.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { BulkStore } from '../workspace/bulk-runs.ts';
import { bodyOf, jsonBody } from './body.ts';
import { json } from './reply.ts';
import { idOf, pairsOf, found } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

/** `/app/bulk`: runs that replace elements in many records, as the page reports them (core/app/bulk.ts). */
export function bulkRoutes(runs: BulkStore, serverOf: ServerOf): readonly TableRoute[] {
  const runOf = async (request: Request): Promise<BulkRun> =>
    found(await runs.find(await serverOf(request), idOf(request)), 'No bulk run has this id.');
  async function undo(server: string, asked: NewUndo): Promise<BulkRun> {
    const run = found(await runs.find(server, asked.undoes), 'No bulk run has the id that undoes names.');
    if (run.state === 'running') {
      throw new FhirError('business-rule', {
        text: 'The run is under way, or was interrupted: stop it first.',
      });
    }
    if ((run.counts.done ?? 0) === 0) {
      throw new FhirError('business-rule', { text: 'The run wrote no record: there is nothing to undo.' });
    }
    const made = await runs.undo(server, asked);
    if (made) return made;
    throw new FhirError('exists', { text: 'An undo of this run is kept already.' });
  }
  const create = json(async (request) => {
    const sent = jsonBody(request, 'BulkRun');
    const server = await serverOf(request);
    if (is(NewUndo, sent)) return undo(server, sent);
    if (!is(NewBulkRun, sent)) {
      throw new FhirError('value', {
        text: `A bulk run has a label and 1 to ${bulkLimits.operations} operations: path with value or expression, or a fix.`,
      });
    }
    const made = await runs.create(server, sent);
    if (!made) throw new FhirError('exception', { text: 'The run was not kept.' });
    return made;
  }, 201);
  const turn = json(async (request) => {
    const run = await runOf(request);
    const sent = bodyOf(request, 'BulkRun', BulkTurn, {
      text: 'state is running, stopped or finished.',
      expression: 'state',
    });
    if (sent.state === 'running' && run.undo) {
      throw new FhirError('business-rule', { text: 'The run was undone: it does not go on.' });
    }
    await runs.turn(run.id, sent.state);
    return runOf(request);
  });
  const targets = json(async (request) => {
    const { id } = await runOf(request);
    const after = pairsOf(request).find(([name]) => name === 'after')?.[1];
    return runs.targets(id, after === undefined ? -1 : placeOf(after));
  });
  const save = json(async (request) => {
    const { id } = await runOf(request);
    const sent = bodyOf(request, 'BulkTargets', PlacedTargets, {
      text: `Send a list of at most ${bulkLimits.targetsAtOnce} targets with place, type, id, title and state.`,
    });
    await runs.save(id, sent);
    return { saved: sent.length };
  });
  const remove = json(async (request) => {
    const run = await runOf(request);
    await runs.remove(run.id);
    return run;
  });
  return [
    { method: 'GET', path: '/app/bulk', answer: json(async (request) => runs.list(await serverOf(request))) },
    { method: 'POST', path: '/app/bulk', body: true, answer: create },
    { method: 'GET', path: '/app/bulk/:id', answer: json((request) => runOf(request)) },
    { method: 'PUT', path: '/app/bulk/:id', body: true, answer: turn },
    { method: 'DELETE', path: '/app/bulk/:id', answer: remove },
    { method: 'GET', path: '/app/bulk/:id/targets', answer: targets },
    { method: 'POST', path: '/app/bulk/:id/targets', body: true, answer: save },
  ];
}

function placeOf(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new FhirError('value', { text: 'after is the place of a target.', location: 'http.after' });
}
