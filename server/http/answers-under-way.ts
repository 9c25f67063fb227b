import { limits } from '../../core/api/contract.ts';
import { FhirError } from '../../core/fhir/outcome.ts';

declare module 'express-serve-static-core' {
  interface Locals {
    underWay?: AnswersUnderWay;
  }
}

/** Counts the bytes of a server's answers that their readers have not taken yet, over all connections. */
export class AnswersUnderWay {
  private held = 0;
  private readonly most: number;

  constructor(most: number = limits.underWay) {
    this.most = most;
  }

  /** @throws FhirError `crowded` where an answer of so many bytes would be too much. */
  admit(bytes: number): void {
    if (this.held + bytes <= this.most) return;
    throw new FhirError(
      'crowded',
      { text: 'Other clients have not read what was answered to them; try again in some seconds.' },
      { 'Retry-After': '5' },
    );
  }

  /** Counts bytes that are held from now on; fewer where negative. */
  hold(bytes: number): void {
    this.held += bytes;
  }
}
