import { useEffect, useState } from 'react';
import { openIdAddress } from './sign-in.ts';

/** Where a sign-in at the organisation's provider begins; undefined where the server has none, or has not said yet. */
export function useOpenIdOffer(): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    // Where the server does not answer the field for a link is there all the same.
    void openIdAddress().then(setAddress, () => undefined);
  }, []);
  return address;
}
