import { readAddress } from '../store/postgres/address.ts';
import { Postgres, type Session } from '../store/postgres/connection.ts';

/** Does work in a transaction of its own that stands open; what is answered has it committed. */
export async function heldTransaction(
  address: string,
  work: (session: Session) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const database = new Postgres(readAddress(address), 1);
  const [begun, end] = [Promise.withResolvers<true>(), Promise.withResolvers<true>()];
  const done = database.transaction(async (session) => {
    await work(session);
    begun.resolve(true);
    await end.promise;
  });
  await Promise.race([begun.promise, done]);
  return async () => {
    end.resolve(true);
    await done;
    await database.close();
  };
}
