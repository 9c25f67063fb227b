import type { RequestHandler, Response } from 'express';
import { TrainingReset, TrainingSet, WriterRequest, writerSeconds } from '../../core/app/training.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { Training } from '../import/training.ts';
import { principalOf } from './access.ts';
import { hasEntry } from './audit-recorder.ts';
import { jsonBody } from './body.ts';
import { requestIdOf, sendJson } from './reply.ts';
import type { TableRoute } from './route-table.ts';

/** Training data; `/demo` is the clean clinic under its older name. */
export function trainingRoutes(training: Training, readBody: RequestHandler): readonly TableRoute[] {
  const state: RequestHandler = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await training.state()));
  };
  const demo: RequestHandler = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await training.load('clean', ...doerOf(response))));
  };
  const load: RequestHandler = async (request, response) => {
    const { set } = request.params;
    if (!is(TrainingSet, set)) {
      throw new FhirError('unknown-path', { text: 'The training sets are clean, migration and busy.' });
    }
    sendJson(response, 200, JSON.stringify(await training.load(set, ...doerOf(response))));
  };
  const defects: RequestHandler = (_request, response) => {
    sendJson(response, 200, JSON.stringify(training.defects()));
  };
  const reset: RequestHandler = async (request, response) => {
    const sent = jsonBody(request, 'Reset');
    if (!is(TrainingReset, sent)) {
      throw new FhirError('value', {
        text: 'A reset says how many records beside the training data it may remove: {"others": 0}.',
      });
    }
    const [who, requestId] = doerOf(response);
    const emptied = await training.reset(sent, { who, requestId });
    hasEntry(response);
    sendJson(response, 200, JSON.stringify(emptied));
  };
  const start: RequestHandler = async (request, response) => {
    const sent = jsonBody(request, 'Writer');
    if (!is(WriterRequest, sent)) {
      const { least, most } = writerSeconds;
      throw new FhirError('value', {
        text: `The busy ward's pace is a whole number of seconds from ${least} to ${most}: {"seconds": 5}.`,
      });
    }
    sendJson(response, 200, JSON.stringify(await training.startWriter(sent.seconds)));
  };
  const stop: RequestHandler = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await training.stopWriter()));
  };
  return [
    { method: 'post', path: '/demo', handlers: [demo] },
    { method: 'get', path: '/training', handlers: [state] },
    { method: 'get', path: '/training/migration/defects', handlers: [defects] },
    { method: 'post', path: '/training/reset', audit: 'reset', handlers: [readBody, reset] },
    { method: 'post', path: '/training/writer', handlers: [readBody, start] },
    { method: 'delete', path: '/training/writer', handlers: [stop] },
    { method: 'post', path: '/training/:set', handlers: [load] },
  ];
}

function doerOf(response: Response): [author: string, requestId: string] {
  return [principalOf(response).name, requestIdOf(response)];
}
