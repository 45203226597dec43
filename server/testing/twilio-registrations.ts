import type { Answer } from './stand-in.ts';
import { refuse } from './twilio-error.ts';
import type { Asking } from './twilio-numbers.ts';
import { newSid, type CampaignStatus, type OwnedNumber, type World } from './twilio-world.ts';

/** Puts a number into its own messaging service with a campaign in this state; undefined: none. */
export function enterCampaign(
  { services }: World,
  { sid }: OwnedNumber,
  { status, reason = null }: { status?: CampaignStatus; reason?: string | null },
): void {
  const own = services.find(({ numbers }) => numbers.includes(sid));
  const service = own ?? { sid: newSid('MG'), numbers: [sid], campaign: undefined };
  if (!own) services.push(service);
  service.campaign = status && { sid: newSid('QE'), status, reason };
}

export function listServices({ world, path }: Asking): Answer {
  const services = world.services.map(({ sid, campaign }) => ({
    sid,
    account_sid: world.accountSid,
    friendly_name: 'Campaigns',
    us_app_to_person_registered: campaign?.status === 'VERIFIED',
  }));
  return page('services', services, path);
}

export function listServiceNumbers({ world, path }: Asking, sid: string): Answer {
  const service = world.services.find((one) => one.sid === sid);
  if (!service) return refuse(20_404, path);
  const numbers = world.numbers.filter((number) => service.numbers.includes(number.sid));
  const entries = numbers.map((number) => ({
    sid: number.sid,
    account_sid: world.accountSid,
    service_sid: sid,
    phone_number: number.phoneNumber,
    country_code: 'US',
    capabilities: ['SMS', 'MMS', 'Voice'],
  }));
  return page('phone_numbers', entries, path);
}

export function listCampaigns({ world, path }: Asking, sid: string): Answer {
  const service = world.services.find((one) => one.sid === sid);
  if (!service) return refuse(20_404, path);
  const { campaign } = service;
  const entries = campaign && {
    sid: campaign.sid,
    account_sid: world.accountSid,
    messaging_service_sid: sid,
    campaign_id: 'CSTAND1',
    campaign_status: campaign.status,
    us_app_to_person_usecase: 'LOW_VOLUME',
    errors:
      campaign.reason === null
        ? []
        : [{ error_code: 30_886, description: campaign.reason, fields: ['DESCRIPTION'] }],
    mock: false,
  };
  return page('compliance', entries ? [entries] : [], path);
}

export function listVerifications({ world, path, query }: Asking): Answer {
  const wanted = query.get('TollfreePhoneNumberSid');
  const entries = world.verifications
    .filter(({ number, status }) => {
      const isAsked = wanted === null || wanted === number.sid;
      return isAsked && [null, status].includes(query.get('Status') as typeof status | null);
    })
    .map(({ sid, number, status, reason }) => ({
      sid,
      account_sid: world.accountSid,
      tollfree_phone_number_sid: number.sid,
      tollfree_phone_number: number.phoneNumber,
      status,
      rejection_reason: reason,
      error_code: reason === null ? null : 30_484,
      edit_allowed: reason === null ? null : true,
    }));
  return page('verifications', entries, path);
}

/** This API has paging in `meta`; the stand-in has one page. */
function page(key: string, entries: object[], path: string): Answer {
  const url = `https://messaging.twilio.com${path}`;
  const pages = { page: 0, page_size: 50, next_page_url: null, previous_page_url: null };
  return {
    status: 200,
    body: { [key]: entries, meta: { key, url, first_page_url: url, ...pages } },
  };
}
