import type { Environment } from '../../../core/app/connections.ts';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';

/** What a server is for, in a colour that is the same whatever colour the connection has. */
export function EnvironmentTag({ of }: { readonly of: Environment | undefined }) {
  if (!of) return null;
  return (
    <span className={styles.environment} data-environment={of}>
      {text.connections.environments[of]}
    </span>
  );
}
