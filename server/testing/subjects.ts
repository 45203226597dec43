import { mailRoutes } from '@matterdesk/contract/mails.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { changed, findValidInput } from './valid-input.ts';

// Every route of the contract with input that it accepts, which tests then spoil.

/** Configures the integrations so that input is validated, at an address where no service listens. */
const unreachable = 'http://127.0.0.1:9';
export const integrations = {
  GOOGLE_CLIENT_ID: 'desk.example',
  GOOGLE_CLIENT_SECRET: 'secret',
  GOOGLE_TOKEN_URL: unreachable,
  GOOGLE_REVOKE_URL: unreachable,
  GMAIL_ROOT_URL: unreachable,
  GOOGLE_CERTS_URL: unreachable,
  GOOGLE_PUBSUB_TOPIC: 'projects/firm-desk/topics/gmail',
  GOOGLE_PUBSUB_ACCOUNT: 'push@firm-desk.iam.gserviceaccount.com',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_BASE_URL: unreachable,
};

/** The attacker's number, which is also the phone number of valid inputs. */
export const PHONE = '+12025550123';
/** The attacker's address, which is also every text of valid inputs. */
export const OWN_EMAIL = 'a.person@firm.example';
/** Members that must belong to the caller: anything else gets 403 before the body is validated. */
export const ownMembers = new Map<Route, { name: string; own: string }>([
  [messageRoutes.sendText, { name: 'from', own: PHONE }],
  [messageRoutes.readHistory, { name: 'from', own: PHONE }],
  [messageRoutes.exportConversation, { name: 'from', own: PHONE }],
  [messageRoutes.buyNumber, { name: 'email', own: OWN_EMAIL }],
  [mailRoutes.finishConnecting, { name: 'userEmail', own: OWN_EMAIL }],
  [mailRoutes.sendMail, { name: 'from', own: OWN_EMAIL }],
  [mailRoutes.keepDraft, { name: 'from', own: OWN_EMAIL }],
  [mailRoutes.changeDraft, { name: 'from', own: OWN_EMAIL }],
]);

function findValidBody(route: Route) {
  const own = ownMembers.get(route);
  const body = route.body && findValidInput(route.body);
  return own ? changed(body, [own.name], own.own) : body;
}

export const subjects = routes.map((route) => ({
  route,
  name: `${route.method} ${route.path}`,
  query: route.query && findValidInput(route.query),
  body: findValidBody(route),
}));
