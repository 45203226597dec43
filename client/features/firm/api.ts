import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { mutation } from '../../core/mutation.ts';

export const changeFirm = mutation(firmRoutes.changeFirm, 'Couldn’t save the settings');
