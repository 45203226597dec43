import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { registrationRoutes } from '@matterdesk/contract/registration.ts';
import type { Binder } from '../../../http/bind.ts';
import { clientOf } from '../../../http/client.ts';
import { readRegistrationTerms, registerUser } from './service.ts';

export function serveRegistration(binder: Binder) {
  binder.serve(registrationRoutes, {
    readTerms: ({ context, query }) => readRegistrationTerms(context, query.invitation),
  });
  const { register } = accountRoutes;
  binder.serve(
    { register },
    {
      register: ({ context, body, request }) =>
        registerUser(context, body, clientOf(request).network),
    },
  );
}
