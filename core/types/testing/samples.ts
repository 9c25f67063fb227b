import type { ResourceType } from '../../fhir/resource.ts';
import { carePlanSample } from './care-plan-sample.ts';
import { compositionSample } from './composition-sample.ts';
import { goalSample } from './goal-sample.ts';
import type { TypeSample } from './sample.ts';

const samples: readonly TypeSample[] = [carePlanSample, compositionSample, goalSample];

/**
 * Returns the sample of a type.
 *
 * @throws TypeError for a type without a sample. Otherwise tests would skip the type.
 */
export function sampleOf(type: ResourceType): TypeSample {
  const sample = samples.find(({ record }) => record.resourceType === type);
  if (!sample) throw new TypeError(`core/types/testing has no sample of ${type}`);
  return sample;
}
