import { FhirError } from '../../core/fhir/outcome.ts';
import { SecretStoreError } from '../gateway/secrets.ts';

/** A change of secrets, whose fault is told as it is. */
export async function kept(change: Promise<void>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (error instanceof SecretStoreError) throw new FhirError('exception', { text: error.message });
    throw error;
  }
}
