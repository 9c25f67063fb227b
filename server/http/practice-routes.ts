import { Exercise, exercises } from '../../core/app/practice.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { Practice } from '../import/practice.ts';
import { doerOf } from './access.ts';
import { json } from './reply.ts';
import type { TableRoute } from './route-table.ts';

/** Exercises on the training data. */
export function practiceRoutes(practice: Practice): readonly TableRoute[] {
  const begin = json((request, response) => {
    const { exercise } = request.params;
    if (!is(Exercise, exercise)) {
      throw new FhirError('unknown-path', { text: `The exercises are ${exercises.join(', ')}.` });
    }
    return practice.begin(exercise, doerOf(response));
  });
  return [
    { method: 'GET', path: '/app/practice', answer: json(() => practice.state()) },
    { method: 'POST', path: '/app/practice/conflict/colleague', answer: json(() => practice.colleague()) },
    { method: 'POST', path: '/app/practice/:exercise', answer: begin },
  ];
}
