/**
 * Loaded before a server (`node --import`). Shifts its clock by the milliseconds in the file that CLOCK_SHIFT
 * names. The file is read at each use of the clock.
 */
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_SHIFT ?? '';
const RealDate = Date;
const now = () => RealDate.now() + Number(readFileSync(file, 'utf8'));

globalThis.Date = class extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(now());
    else super(...(parts as [number]));
  }

  static override now(): number {
    return now();
  }
} as DateConstructor;
