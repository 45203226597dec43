import type { StandInReply } from './stand-in.ts';
import { page, refuse } from './twilio-replies.ts';
import {
  isE164,
  ownNumber,
  rfc2822,
  type OwnedNumber,
  type World,
  newSid,
  type CampaignStatus,
} from './twilio-world.ts';

export type TwilioRequest = {
  world: World;
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
};

type Place = { area: string; locality: string; region: string };
type Offer = Place & { country: string; phoneNumber: string; mms: boolean; sms: boolean };

const COUNTRIES: Record<string, { code: string; places: Place[] }> = {
  US: {
    code: '1',
    places: [
      { area: '212', locality: 'New York', region: 'NY' },
      { area: '415', locality: 'San Francisco', region: 'CA' },
      { area: '312', locality: 'Chicago', region: 'IL' },
      { area: '518', locality: 'Albany', region: 'NY' },
      { area: '617', locality: 'Boston', region: 'MA' },
    ],
  },
  CA: {
    code: '1',
    places: [
      { area: '416', locality: 'Toronto', region: 'ON' },
      { area: '604', locality: 'Vancouver', region: 'BC' },
    ],
  },
  GB: { code: '44', places: [{ area: '20', locality: 'London', region: '' }] },
};
const OF_EACH_PLACE = 12;

export function listAvailable(asking: TwilioRequest, country: string): StandInReply {
  const { world, query } = asking;
  const isFree = ({ phoneNumber }: Offer) => !isTaken(world, phoneNumber);
  const fits = (offer: Offer) =>
    matches(query.get('AreaCode'), offer.area) &&
    matches(query.get('InRegion'), offer.region) &&
    matches(query.get('InLocality'), offer.locality) &&
    (query.get('SmsEnabled') !== 'true' || offer.sms) &&
    (query.get('MmsEnabled') !== 'true' || offer.mms) &&
    offer.phoneNumber.includes(query.get('Contains')?.replaceAll(/\D/g, '') ?? '');
  const wanted = query.get('AreaCode');
  if (!COUNTRIES[country]) return refuse(20_404, asking.path);
  const offers = offersIn(country, wanted).filter(isFree).filter(fits).map(describeOffer);
  const size = Number(query.get('PageSize')) || 30;
  return {
    status: 200,
    body: { available_phone_numbers: offers.slice(0, size), uri: asking.path },
  };
}

export function buyNumber({ world, form }: TwilioRequest): StandInReply {
  const areaCode = form.get('AreaCode');
  const isFree = ({ phoneNumber, sms }: Offer) => sms && !isTaken(world, phoneNumber);
  const phoneNumber = form.get('PhoneNumber') ?? offersIn('US', areaCode).find(isFree)?.phoneNumber;
  if (phoneNumber === undefined) return refuse(21_452, areaCode ?? '');
  if (!isE164(phoneNumber)) return refuse(21_421, phoneNumber);
  const offer = findOffer(phoneNumber);
  if (!offer || isTaken(world, phoneNumber)) return refuse(21_422, phoneNumber);
  if (offer.country === 'GB' && !form.get('AddressSid')) return refuse(21_615, phoneNumber);
  const number = ownNumber(phoneNumber, { friendlyName: friendly(offer) });
  world.numbers.push(change(number, form));
  world.onBuy(number);
  return { status: 201, body: describe(world, number) };
}

export function listNumbers(asking: TwilioRequest): StandInReply {
  const { world, query } = asking;
  const wanted = query.get('PhoneNumber')?.replaceAll('*', '');
  const found = world.numbers.filter(
    (number) =>
      (wanted === undefined || number.phoneNumber.includes(wanted)) &&
      matches(query.get('FriendlyName'), number.friendlyName),
  );
  const entries = found.map((number) => describe(world, number));
  return page('incoming_phone_numbers', entries, asking);
}

export function updateNumber({ world, form, path }: TwilioRequest, sid: string): StandInReply {
  const number = world.numbers.find((one) => one.sid === sid);
  if (!number) return refuse(20_404, path);
  return { status: 200, body: describe(world, change(number, form)) };
}

export function releaseNumber({ world, path }: TwilioRequest, sid: string): StandInReply {
  const index = world.numbers.findIndex((one) => one.sid === sid);
  if (index === -1) return refuse(20_404, path);
  world.numbers.splice(index, 1);
  return { status: 204 };
}

function isTaken({ numbers, sold }: World, phoneNumber: string) {
  return sold.has(phoneNumber) || numbers.some((one) => one.phoneNumber === phoneNumber);
}

function matches(wanted: string | null, has: string) {
  return wanted === null || wanted.toLowerCase() === has.toLowerCase();
}

/** A requested area code exists even if we know no town of it. */
function offersIn(country: string, areaCode: string | null): Offer[] {
  const known = COUNTRIES[country];
  if (!known) return [];
  const unknown = { area: areaCode ?? '', locality: 'Springfield', region: 'IL' };
  const isKnown = areaCode === null || known.places.some(({ area }) => area === areaCode);
  const isReal = country === 'US' && /^[2-9]\d\d$/.test(areaCode ?? '') && areaCode !== '555';
  const places = isKnown || !isReal ? known.places : [unknown];
  return places
    .filter(({ area }) => areaCode === null || area === areaCode)
    .flatMap((place) => offersOf(country, place));
}

/** From ranges reserved for fiction. */
function offersOf(country: string, place: Place): Offer[] {
  return Array.from({ length: OF_EACH_PLACE }, (_, index) => ({
    ...place,
    country,
    phoneNumber:
      country === 'GB'
        ? `+44207946${String(100 + index).padStart(4, '0')}`
        : `+1${place.area}55501${String(index + 10)}`,
    // Some have no MMS, one has voice only.
    mms: index % 4 !== 3 && index !== 5,
    sms: index !== 5,
  }));
}

function findOffer(phoneNumber: string): Offer | undefined {
  const area = phoneNumber.startsWith('+44') ? '20' : phoneNumber.slice(2, 5);
  return Object.keys(COUNTRIES)
    .flatMap((country) => offersIn(country, area))
    .find((offer) => offer.phoneNumber === phoneNumber);
}

function friendly({ country, phoneNumber, area }: Offer) {
  return country === 'GB'
    ? `0${phoneNumber.slice(3, 5)} ${phoneNumber.slice(5, 9)} ${phoneNumber.slice(9)}`
    : `(${area}) ${phoneNumber.slice(5, 8)}-${phoneNumber.slice(8)}`;
}

function describeOffer(offer: Offer) {
  const { locality, region, country, phoneNumber, sms, mms } = offer;
  return {
    friendly_name: friendly(offer),
    phone_number: phoneNumber,
    lata: country === 'US' ? '132' : null,
    locality,
    rate_center: locality.toUpperCase(),
    latitude: null,
    longitude: null,
    region,
    postal_code: null,
    iso_country: country,
    address_requirements: country === 'GB' ? 'local' : 'none',
    beta: false,
    capabilities: { voice: true, SMS: sms, MMS: mms },
  };
}

function change(number: OwnedNumber, form: URLSearchParams): OwnedNumber {
  const read = (name: string, otherwise: string) => form.get(name) ?? otherwise;
  return Object.assign(number, {
    friendlyName: read('FriendlyName', number.friendlyName),
    smsUrl: read('SmsUrl', number.smsUrl),
    smsMethod: read('SmsMethod', number.smsMethod),
    statusCallback: read('StatusCallback', number.statusCallback),
    updated: new Date(),
  });
}

function describe({ accountSid }: World, number: OwnedNumber) {
  const { sid, phoneNumber } = number;
  const offer = findOffer(phoneNumber);
  const mms = offer?.mms ?? true;
  return {
    sid,
    account_sid: accountSid,
    friendly_name: number.friendlyName,
    phone_number: phoneNumber,
    capabilities: { voice: true, sms: offer?.sms ?? true, mms, fax: false },
    sms_url: number.smsUrl,
    sms_method: number.smsMethod,
    sms_fallback_url: '',
    sms_fallback_method: 'POST',
    sms_application_sid: '',
    status_callback: number.statusCallback,
    status_callback_method: 'POST',
    voice_url: '',
    voice_method: 'POST',
    date_created: rfc2822(number.created),
    date_updated: rfc2822(number.updated),
    address_requirements: 'none',
    address_sid: null,
    bundle_sid: null,
    api_version: '2010-04-01',
    beta: false,
    origin: 'twilio',
    status: 'in-use',
    type: 'local',
    uri: `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers/${sid}.json`,
  };
}

/** Monthly prices of a country's numbers. */
export function fetchPrices(_asking: TwilioRequest, country: string): StandInReply {
  const price = (type: string, monthly: string) => ({
    number_type: type,
    base_price: monthly,
    current_price: monthly,
  });
  const phone_number_prices = [price('local', '1.15'), price('toll free', '2.15')];
  const body = { country, iso_country: country, price_unit: 'USD', phone_number_prices };
  return { status: 200, body };
}

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

export function listServices({ world, path }: TwilioRequest): StandInReply {
  const services = world.services.map(({ sid, campaign }) => ({
    sid,
    account_sid: world.accountSid,
    friendly_name: 'Campaigns',
    us_app_to_person_registered: campaign?.status === 'VERIFIED',
  }));
  return registrationPage('services', services, path);
}

export function listServiceNumbers({ world, path }: TwilioRequest, sid: string): StandInReply {
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
  return registrationPage('phone_numbers', entries, path);
}

export function listCampaigns({ world, path }: TwilioRequest, sid: string): StandInReply {
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
  return registrationPage('compliance', entries ? [entries] : [], path);
}

export function listVerifications({ world, path, query }: TwilioRequest): StandInReply {
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
  return registrationPage('verifications', entries, path);
}

/** This API has paging in `meta`; the stand-in has one page. */
function registrationPage(key: string, entries: object[], path: string): StandInReply {
  const url = `https://messaging.twilio.com${path}`;
  const pages = { page: 0, page_size: 50, next_page_url: null, previous_page_url: null };
  return {
    status: 200,
    body: { [key]: entries, meta: { key, url, first_page_url: url, ...pages } },
  };
}
