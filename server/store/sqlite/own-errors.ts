import { isBusy, isDiskFault, isFull, sqliteCode } from './sqlite.ts';
import { StoreBusyError, StoreDiskError, StoreFullError } from '../store-error.ts';

/** What the driver threw, as the store says it; anything else as it is. */
export function ownError(thrown: unknown): unknown {
  const code = sqliteCode(thrown);
  if (code === '' || !(thrown instanceof Error)) return thrown;
  const { message } = thrown;
  if (isBusy(thrown)) return new StoreBusyError(message, code, thrown);
  if (isFull(thrown)) return new StoreFullError(message, code, thrown);
  if (isDiskFault(thrown)) return new StoreDiskError(message, code, thrown);
  return thrown;
}

function throwOwn(thrown: unknown): never {
  throw ownError(thrown);
}

const asAssigned = { enumerable: true, writable: true, configurable: true };

/**
 * The part, its methods and those of the plain objects in it throwing and rejecting with the store's own errors. They
 * call each other on the part itself, so that only what leaves it is looked at: once a call, and never once a row.
 */
export function withOwnErrors<Part extends object>(part: Part): Part {
  const told = Object.create(part) as Part;
  for (const [name, inner] of Object.entries(part)) {
    if (isPlain(inner)) Object.defineProperty(told, name, { value: withOwnErrors(inner), ...asAssigned });
  }
  for (const [name, method] of methodsOf(part)) {
    const value = (...given: unknown[]): unknown => {
      try {
        const result: unknown = method.apply(part, given);
        return result instanceof Promise ? result.catch(throwOwn) : result;
      } catch (error) {
        throw ownError(error);
      }
    };
    Object.defineProperty(told, name, { value, ...asAssigned });
  }
  return told;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Reflect.getPrototypeOf(value) === Object.prototype;
}

type Method = (...given: unknown[]) => unknown;

/** The functions of an object and of its classes, the nearest of each name. */
function methodsOf(part: object): Map<string, Method> {
  const methods = new Map<string, Method>();
  for (let at: object | null = part; at && at !== Object.prototype; at = Reflect.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === 'function' && name !== 'constructor' && !methods.has(name))
        methods.set(name, value as Method);
    }
  }
  return methods;
}
