import { isJudging } from '../../../core/app/rebuild.ts';
import { useOverview } from '../../platform/app-queries.ts';
import { useConnection } from '../../platform/connection.ts';

/** Whether the local server judges its records at this moment: what is listed may not be all. */
export function useJudging(): boolean {
  const { remote } = useConnection();
  const { data } = useOverview();
  return !remote && data?.rebuild.state === 'running' && isJudging(data.rebuild);
}
