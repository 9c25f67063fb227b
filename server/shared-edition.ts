import { codeOf } from './store/store-error.ts';

/**
 * Awaits a module of the shared edition (server/shared), which a build may leave out.
 *
 * @throws Error with a message for users if this build has no such module.
 */
export async function loadShared<Module>(module: Promise<Module>): Promise<Module> {
  try {
    return await module;
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      'This edition of Chartkeeper keeps its records in a data folder. Servers of a shared store, moves and sign-in at a provider need the edition for servers.',
      { cause: error },
    );
  }
}
