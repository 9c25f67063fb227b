import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { mapDriverErrors } from './driver-errors.ts';
import {
  saysFull,
  StoreBusyError,
  StoreDiskError,
  StoreError,
  StoreFullError,
} from '../store/store-error.ts';

const driverError = (code: string) => new Database.SqliteError('as the driver says it', code);

class TestPart {
  private readonly fault: unknown;
  calls = 0;

  constructor(fault: unknown) {
    this.fault = fault;
  }

  get callCount(): number {
    return this.calls;
  }
  readonly inner = {
    fail: (): never => this.throws(),
  };
  throws(): never {
    this.calls += 1;
    throw this.fault;
  }
  async rejects(): Promise<never> {
    await Promise.resolve();
    return this.throws();
  }
  answers(value: number): number {
    return value + this.calls;
  }
}

function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe.each([
  ['SQLITE_BUSY', StoreBusyError],
  ['SQLITE_BUSY_SNAPSHOT', StoreBusyError],
  ['SQLITE_LOCKED', StoreBusyError],
  ['SQLITE_FULL', StoreFullError],
  ['SQLITE_IOERR_WRITE', StoreDiskError],
])('%s', (code, kind) => {
  test('maps driver errors of methods, inner objects and promises', async () => {
    const fault = driverError(code);
    const part = mapDriverErrors(new TestPart(fault));
    const errors = [
      catchError(() => part.throws()),
      catchError(() => part.inner.fail()),
      await part.rejects().catch((error: unknown) => error),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ code, cause: fault });
    }
  });
});

test.each([new TypeError('a mistake'), driverError('SQLITE_CORRUPT')])(
  'leaves other errors unchanged: %s',
  async (fault) => {
    const part = mapDriverErrors(new TestPart(fault));
    expect(catchError(() => part.throws())).toBe(fault);
    await expect(part.rejects()).rejects.toBe(fault);
    expect(fault).not.toBeInstanceOf(StoreError);
  },
);

test('keeps the results and the state of the wrapped object', () => {
  const inner = new TestPart(new Error('a fault'));
  const part = mapDriverErrors(inner);
  expect(part.answers(1)).toBe(1);
  catchError(() => part.throws());
  expect([part.answers(1), part.callCount, inner.callCount]).toEqual([2, 1, 1]);
  expect(part).toBeInstanceOf(TestPart);
});

test('recognizes a full disk from any source', () => {
  const full = catchError(() => mapDriverErrors(new TestPart(driverError('SQLITE_FULL'))).throws());
  expect(saysFull(full)).toBe(true);
  expect(saysFull(Object.assign(new Error('no room'), { code: 'ENOSPC' }))).toBe(true);
  expect(saysFull(new StoreBusyError('busy', 'SQLITE_BUSY', undefined))).toBe(false);
});
