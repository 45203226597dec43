/** A phone number as E.164, in US forms too: '(646) 555-0187'; undefined if it is incomplete. */
export function toE164(number: string): string | undefined {
  const digits = number.replaceAll(/\D/g, '');
  if (/^\s*\+/.test(number)) return digits.length >= 8 ? `+${digits}` : undefined;
  if (digits.length === 10) return `+1${digits}`;
  return digits.length === 11 && digits.startsWith('1') ? `+${digits}` : undefined;
}
