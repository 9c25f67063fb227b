/**
 * Loaded before a server (`node --import`): its clock is as many milliseconds off as the file that CLOCK_SHIFT names
 * says, looked up each time that it is asked.
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
