import type { Registration } from '@matterdesk/contract/accounts.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { firstNames, founders, lastNames } from './names.ts';
import type { Random } from './random.ts';

/** Reserved domain of their email addresses. */
export const DOMAIN = 'hartwell-osei.example';

/** A user of the firm, founders first. `attempt` distinguishes namesakes. */
export function inventPerson(
  random: Random,
  index: number,
  attempt: number,
): Omit<Registration, 'password'> {
  const [firstName, lastName] = founders[index] ?? [
    random.pick(firstNames),
    random.pick(lastNames),
  ];
  const number = attempt > 0 ? String(attempt + 1) : '';
  return {
    firstName,
    lastName,
    email: `${toAscii(`${firstName}.${lastName}`)}${number}@${DOMAIN}`,
    phoneNumber: inventPhoneNumber(random),
    role: index % 25 === 0 ? 'admin' : 'user',
  };
}

/** A number reserved for fiction. */
export function inventPhoneNumber(random: Random): string {
  const area = random.pick(['212', '315', '518', '607', '845', '914']);
  return `1 ${area} 555 01${String(random.whole(0, 99)).padStart(2, '0')}`;
}

const ASCII: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ı: 'i' };

/** As in an email address: `Łucja Strauß` is `lucja strauss`. */
export function toAscii(text: string): string {
  return normalized(text.toLowerCase(), 'NFD')
    .replaceAll(/[ßøłđı]/g, (letter) => ASCII[letter] ?? '')
    .replaceAll(/[^a-z0-9. -]/g, '');
}
