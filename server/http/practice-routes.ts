import { Exercise, exercises } from '../../core/app/practice.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { Practice } from '../import/practice.ts';
import { doerOf } from './access.ts';
import { sendJson } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** Exercises on the training data. */
export function practiceRoutes(practice: Practice): readonly TableRoute[] {
  const state: Answer = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await practice.state()));
  };
  const begin: Answer = async (request, response) => {
    const { exercise } = request.params;
    if (!is(Exercise, exercise)) {
      throw new FhirError('unknown-path', { text: `The exercises are ${exercises.join(', ')}.` });
    }
    sendJson(response, 200, JSON.stringify(await practice.begin(exercise, doerOf(response))));
  };
  const colleague: Answer = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await practice.colleague()));
  };
  return [
    { method: 'GET', path: '/app/practice', answer: state },
    { method: 'POST', path: '/app/practice/conflict/colleague', answer: colleague },
    { method: 'POST', path: '/app/practice/:exercise', answer: begin },
  ];
}
