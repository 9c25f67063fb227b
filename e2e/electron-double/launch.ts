import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createDouble, type Double, type LaunchOptions } from './double.ts';

const entry = resolve(import.meta.dirname, '../../dist/main/main.js');
const doubles = new Map<string, Double>();
/** Key under which the module that replaces `electron` finds its double. */
const registry = Symbol.for('chartkeeper.electron-doubles');
const scheme = 'electron-double:';

Object.assign(globalThis, { [registry]: doubles });

/** Each launch evaluates main again, with its own double as `electron`. */
registerHooks({
  resolve(specifier, context, next) {
    const launch = /[?&]launch=(\d+)$/.exec(context.parentURL ?? '')?.[1];
    if (specifier === 'electron' && launch !== undefined) {
      return { url: scheme + launch, format: 'module', shortCircuit: true };
    }
    if (specifier.startsWith('file:') && specifier.includes('?launch=')) {
      return { url: specifier, format: 'module', shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (url.startsWith(scheme)) {
      const launch = url.slice(scheme.length);
      const names = Object.keys(doubles.get(launch)?.electron ?? {}).join(', ');
      const source = `export const { ${names} } = globalThis[Symbol.for('chartkeeper.electron-doubles')].get('${launch}').electron;`;
      return { format: 'module', source, shortCircuit: true };
    }
    if (url.includes('?launch=')) {
      return { format: 'module', source: readFileSync(fileURLToPath(url), 'utf8'), shortCircuit: true };
    }
    return next(url, context);
  },
});

/**
 * Starts the built main with `argv` after the program's name, as the system does. Resolves when it is set up.
 */
export async function launchDouble(options: LaunchOptions, argv: readonly string[] = []): Promise<Double> {
  const double = createDouble(options);
  const launch = String(doubles.size);
  doubles.set(launch, double);
  const originalArguments = process.argv;
  process.argv = ['chartkeeper', ...argv];
  // Electron's own member: the folder of the archive.
  Object.assign(process, { resourcesPath: resolve(options.userData, 'resources') });
  try {
    await import(`${pathToFileURL(entry).href}?launch=${launch}`);
  } finally {
    process.argv = originalArguments;
  }
  return double;
}
