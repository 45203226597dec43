import type { Answer, Asked } from './stand-in.ts';
import { refuse } from './twilio-error.ts';
import {
  createMessage,
  fetchMessage,
  listMedia,
  listMessages,
  openMedium,
  serveMedium,
} from './twilio-messages.ts';
import {
  buyNumber,
  fetchPrices,
  listAvailable,
  listNumbers,
  releaseNumber,
  updateNumber,
  type Asking,
} from './twilio-numbers.ts';
import {
  listCampaigns,
  listServiceNumbers,
  listServices,
  listVerifications,
} from './twilio-registrations.ts';
import { rfc2822, type World } from './twilio-world.ts';

type Handler = (asking: Asking, first: string, second: string) => Answer;

const routes: [method: string, path: RegExp, handler: Handler][] = [
  ['GET', /^\.json$/, account],
  ['GET', /^\/AvailablePhoneNumbers\/([A-Z]{2})\/Local\.json$/, listAvailable],
  ['GET', /^\/IncomingPhoneNumbers\.json$/, listNumbers],
  ['POST', /^\/IncomingPhoneNumbers\.json$/, buyNumber],
  ['GET', /^\/IncomingPhoneNumbers\/(PN\w+)\.json$/, updateNumber],
  ['POST', /^\/IncomingPhoneNumbers\/(PN\w+)\.json$/, updateNumber],
  ['DELETE', /^\/IncomingPhoneNumbers\/(PN\w+)\.json$/, releaseNumber],
  ['GET', /^\/Messages\.json$/, listMessages],
  ['POST', /^\/Messages\.json$/, createMessage],
  ['GET', /^\/Messages\/(\w+)\.json$/, fetchMessage],
  ['GET', /^\/Messages\/(\w+)\/Media\.json$/, listMedia],
  ['GET', /^\/Messages\/(\w+)\/Media\/(\w+)$/, openMedium],
];

const messaging: typeof routes = [
  ['GET', /^\/PhoneNumbers\/Countries\/([A-Z]{2})$/, fetchPrices],
  ['GET', /^\/Services$/, listServices],
  ['GET', /^\/Services\/(MG\w+)\/PhoneNumbers$/, listServiceNumbers],
  ['GET', /^\/Services\/(MG\w+)\/Compliance\/Usa2p$/, listCampaigns],
  ['GET', /^\/Tollfree\/Verifications$/, listVerifications],
];

/** Replies like Twilio's REST APIs of 2010-04-01, and of messaging and pricing v1. */
export function answerTwilio(world: World, asked: Asked): Answer {
  const medium = serveMedium(world, asked.path);
  if (medium) return medium;
  if (!isAuthentic(world, asked)) return refuse(20_003);
  const account = `/2010-04-01/Accounts/${world.accountSid}`;
  const { method, path, query, body } = asked;
  const root = path.startsWith('/v1/') ? '/v1' : account;
  if (!path.startsWith(root)) return refuse(20_404, path);
  for (const [verb, pattern, handler] of root === account ? routes : messaging) {
    const found = verb === method ? pattern.exec(path.slice(root.length)) : null;
    const form = new URLSearchParams(body.toString());
    if (found) return handler({ world, path, query, form }, found[1] ?? '', found[2] ?? '');
  }
  return refuse(20_404, path);
}

function account({ world: { accountSid } }: Asking): Answer {
  const now = rfc2822(new Date());
  const given = { friendly_name: 'Stand-in', status: 'active', type: 'Full', date_created: now };
  return { status: 200, body: { sid: accountSid, ...given, date_updated: now } };
}

function isAuthentic({ accountSid, authToken }: World, { headers }: Asked): boolean {
  const given = /^Basic (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return Buffer.from(given, 'base64').toString() === `${accountSid}:${authToken}`;
}
