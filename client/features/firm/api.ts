import { firmRoutes, type FirmPatch } from '@matterdesk/contract/firm.ts';
import { call } from '../../api.ts';

export async function changeFirm(body: FirmPatch) {
  const { firm } = await call(firmRoutes.changeFirm, {
    body,
    failing: 'Couldn’t save the settings',
  });
  return firm;
}
