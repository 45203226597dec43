import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { registrationRoutes } from '@matterdesk/contract/registration.ts';
import type { Binder } from '../../../http/bind.ts';
import { clientOf } from '../../../http/client.ts';
import type { RegistrationService } from './service.ts';

export function bindRegistration(binder: Binder, service: RegistrationService) {
  binder.bind(registrationRoutes.readTerms, ({ query }) => service.readTerms(query.invitation));
  binder.bind(accountRoutes.register, ({ body, request }) =>
    service.register(body, clientOf(request).network),
  );
}
