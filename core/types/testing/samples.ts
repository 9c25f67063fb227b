import type { ResourceType } from '../../fhir/resource.ts';
import { carePlanSample } from './care-plan-sample.ts';
import { compositionSample } from './composition-sample.ts';
import { goalSample } from './goal-sample.ts';
import type { TypeSample } from './sample.ts';

const samples: readonly TypeSample[] = [carePlanSample, compositionSample, goalSample];

/** @throws TypeError for a type without a sample: what is written over all types would leave it out. */
export function sampleOf(type: ResourceType): TypeSample {
  const found = samples.find(({ record }) => record.resourceType === type);
  if (!found) throw new TypeError(`core/types/testing has no sample of ${type}`);
  return found;
}
