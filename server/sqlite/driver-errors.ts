import { isBusy, isDiskError, isFull, sqliteCode } from './sqlite.ts';
import { StoreBusyError, StoreDiskError, StoreFullError } from '../store/store-error.ts';

/** Maps a driver error to a StoreError. Returns other errors unchanged. */
export function toStoreError(error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === '' || !(error instanceof Error)) return error;
  const { message } = error;
  if (isBusy(error)) return new StoreBusyError(message, code, error);
  if (isFull(error)) return new StoreFullError(message, code, error);
  if (isDiskError(error)) return new StoreDiskError(message, code, error);
  return error;
}

function throwStoreError(error: unknown): never {
  throw toStoreError(error);
}

const asAssigned = { enumerable: true, writable: true, configurable: true };

/**
 * Wraps an object so that its methods, and those of plain objects in it, throw store errors. The methods call each
 * other on the original object. Errors are mapped once per call and never once per row.
 */
export function mapDriverErrors<Part extends object>(part: Part): Part {
  const wrapped = Object.create(part) as Part;
  for (const [name, inner] of Object.entries(part)) {
    if (isPlain(inner))
      Object.defineProperty(wrapped, name, { value: mapDriverErrors(inner), ...asAssigned });
  }
  for (const [name, method] of methodsOf(part)) {
    const value = (...parameters: unknown[]): unknown => {
      try {
        const result: unknown = method.apply(part, parameters);
        return result instanceof Promise ? result.catch(throwStoreError) : result;
      } catch (error) {
        throw toStoreError(error);
      }
    };
    Object.defineProperty(wrapped, name, { value, ...asAssigned });
  }
  return wrapped;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Reflect.getPrototypeOf(value) === Object.prototype;
}

type Method = (...parameters: unknown[]) => unknown;

/** Returns the methods of an object and its classes. The nearest of each name wins. */
function methodsOf(part: object): Map<string, Method> {
  const methods = new Map<string, Method>();
  for (
    let owner: object | null = part;
    owner && owner !== Object.prototype;
    owner = Reflect.getPrototypeOf(owner)
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (typeof value === 'function' && name !== 'constructor' && !methods.has(name))
        methods.set(name, value as Method);
    }
  }
  return methods;
}
