import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { useDayIn } from '../ui/days.ts';
import { firm } from './firm.ts';
import { useResource } from './use-resource.ts';

const fetched = firm.fetchedBy(async (_, { read }) => (await read(firmRoutes.readFirm)).firm);

/** The settings of the firm. */
export function useFirm() {
  return useResource(fetched, 'firm');
}

/** The firm's day, by which deadlines and statutes of limitations count, wherever the reader is. */
export function useFirmDay(): string {
  return useDayIn(useFirm().data?.timeZone);
}
