import type { Registration } from '@matterdesk/contract/accounts.ts';
import { firstNames, founders, lastNames } from './names.ts';
import type { Random } from './random.ts';

/** Everybody's password in a made-up firm. */
export const PASSWORD = 'matterdesk-demo';

/** Of their e-mail addresses; nobody else can have it. */
export const DOMAIN = 'hartwell-osei.example';

/** Somebody of the firm; the first ones are its founders. `attempt` tells namesakes apart. */
export function inventPerson(random: Random, index: number, attempt: number): Registration {
  const [firstName, lastName] = founders[index] ?? [
    random.pick(firstNames),
    random.pick(lastNames),
  ];
  const number = attempt > 0 ? String(attempt + 1) : '';
  return {
    firstName,
    lastName,
    email: `${toAscii(`${firstName}.${lastName}`)}${number}@${DOMAIN}`,
    password: PASSWORD,
    phoneNumber: inventPhoneNumber(random),
    role: index % 25 === 0 ? 'admin' : 'user',
  };
}

/** A number of the range that no telephone company gives out. */
export function inventPhoneNumber(random: Random): string {
  const area = random.pick(['212', '315', '518', '607', '845', '914']);
  return `1 ${area} 555 01${String(random.whole(0, 99)).padStart(2, '0')}`;
}

const ASCII: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ı: 'i' };

/** As an e-mail address writes it: `Łucja Strauß` is `lucja strauss`. */
export function toAscii(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[ßøłđı]/g, (letter) => ASCII[letter] ?? '')
    .replaceAll(/[^a-z0-9. -]/g, '');
}
