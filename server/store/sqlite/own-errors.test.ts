import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { withOwnErrors } from './own-errors.ts';
import { saysFull, StoreBusyError, StoreDiskError, StoreError, StoreFullError } from '../store-error.ts';

const driverError = (code: string) => new Database.SqliteError('as the driver says it', code);

class Part {
  private readonly fault: unknown;
  calls = 0;

  constructor(fault: unknown) {
    this.fault = fault;
  }

  get called(): number {
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

function thrownBy(work: () => unknown): unknown {
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
  test('leaves a part as the error of the store, whichever way it comes', async () => {
    const fault = driverError(code);
    const part = withOwnErrors(new Part(fault));
    const found = [
      thrownBy(() => part.throws()),
      thrownBy(() => part.inner.fail()),
      await part.rejects().catch((error: unknown) => error),
    ];
    for (const one of found) {
      expect(one).toBeInstanceOf(kind);
      expect(one).toMatchObject({ code, cause: fault });
    }
  });
});

test.each([new TypeError('a mistake'), driverError('SQLITE_CORRUPT')])(
  'what says nothing of lock or disk stays what it is: %s',
  async (fault) => {
    const part = withOwnErrors(new Part(fault));
    expect(thrownBy(() => part.throws())).toBe(fault);
    await expect(part.rejects()).rejects.toBe(fault);
    expect(fault).not.toBeInstanceOf(StoreError);
  },
);

test('a part answers as it did, and what it remembers is its own', () => {
  const inner = new Part(new Error('a fault'));
  const part = withOwnErrors(inner);
  expect(part.answers(1)).toBe(1);
  thrownBy(() => part.throws());
  expect([part.answers(1), part.called, inner.called]).toEqual([2, 1, 1]);
  expect(part).toBeInstanceOf(Part);
});

test('a full disk is one whoever met it', () => {
  const full = thrownBy(() => withOwnErrors(new Part(driverError('SQLITE_FULL'))).throws());
  expect(saysFull(full)).toBe(true);
  expect(saysFull(Object.assign(new Error('no room'), { code: 'ENOSPC' }))).toBe(true);
  expect(saysFull(new StoreBusyError('busy', 'SQLITE_BUSY', undefined))).toBe(false);
});
